import { Amount } from '@coinlab/core';
import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { amountOf, grouped } from '../format/amounts.js';
import { shownSpan } from '../format/times.js';
import { shownOffset } from '../ledger/filters.js';
import { LogState } from '../ledger/log-state.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty } from '../parts/states.js';
import { Coin } from '../parts/values.js';
import { log } from '../store/log.js';
import { isActiveAt } from '../store/log-copy.js';
import { cellAt, densityOf, paint, type Cell, type Density, type Points, type Rgb } from './density.js';

const FINE = { width: 240, height: 96 };
/** Cells for few coins, which would be invisible in fine cells. */
const COARSE = { width: 60, height: 24 };
const FINE_ABOVE = 2_000;

export function CoinMap(): JSX.Element {
  useEffect(() => log.follow(), []);
  const coins = useCoins();
  const density = useComputed(() => {
    const { width, height } = coins.value.count > FINE_ABOVE ? FINE : COARSE;
    return densityOf(coins.value, width, height);
  });
  return (
    <Card title="Coins by age and amount" aside={`${grouped(coins.value.count)} coins`}>
      <LogState />
      {coins.value.count === 0 ? (
        <Empty title="There is no coin at this moment" />
      ) : (
        <>
          <Picture density={density} />
          <DecadeRows rows={coins.value.decades} />
        </>
      )}
    </Card>
  );
}

interface Decade {
  readonly power: number;
  readonly coins: number;
  readonly total: Amount;
}

type Coins = Points & { readonly decades: readonly Decade[] };

function useCoins(): ReadonlySignal<Coins> {
  return useComputed(() => {
    const at = Math.min(shownOffset.value, log.loaded.value);
    const now = log.millisAt(at);
    const active = log.lived.filter((one) => one.contract.template === 'Holding' && isActiveAt(one, at));
    const ages = new Float64Array(active.length);
    const amounts = new Float64Array(active.length);
    const decades = new Map<number, { coins: number; total: Amount }>();
    for (const [i, { born, contract }] of active.entries()) {
      const text = String(contract['amount']);
      const amount = Number(text);
      ages[i] = (now - log.millisAt(born)) / 1_000;
      amounts[i] = amount;
      const power = Math.floor(Math.log10(amount));
      const decade = decades.get(power) ?? { coins: 0, total: Amount.zero };
      decades.set(power, decade);
      decade.coins += 1;
      decade.total = Amount.add(decade.total, amountOf(text));
    }
    const sorted = [...decades].sort(([a], [b]) => b - a).map(([power, held]) => ({ power, ...held }));
    return { count: active.length, ages, amounts, decades: sorted };
  });
}

function Picture({ density }: { readonly density: ReadonlySignal<Density> }): JSX.Element {
  const element = useRef<HTMLCanvasElement>(null);
  const under = useSignal<Cell | null>(null);
  useSignalEffect(() => {
    const canvas = element.current;
    if (canvas) paint(canvas, density.value, colourOf(canvas));
  });
  const { oldest, least, largest } = density.value;
  const point = (event: PointerEvent): void => {
    const canvas = element.current;
    if (!canvas) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    under.value = cellAt(density.value, (event.clientX - left) / width, (event.clientY - top) / height);
  };
  return (
    <figure class="density">
      <span class="axis">{powerText(largest)} CC</span>
      <canvas
        ref={element}
        role="img"
        aria-label="Density of coins; the table below has the numbers by amount"
        onPointerMove={point}
        onPointerLeave={() => (under.value = null)}
      />
      <span class="axis">{powerText(least)} CC</span>
      <figcaption>
        <span>new</span>
        <span>
          {under.value === null || under.value.coins === 0
            ? 'Point at a place to count its coins.'
            : cellText(under.value)}
        </span>
        <span>{ageText(10 ** oldest - 1)} old</span>
      </figcaption>
    </figure>
  );
}

function colourOf(element: Element): Rgb {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}

function cellText({ coins, ages, amounts }: Cell): string {
  const [from, to] = amounts.map((one) => one.toPrecision(3));
  return `${grouped(coins)} ${coins === 1 ? 'coin' : 'coins'} of ${from} to ${to} CC, ${ageText(ages[0])} to ${ageText(ages[1])} old`;
}

function ageText(seconds: number): string {
  return shownSpan(BigInt(Math.round(seconds)) * 1_000_000n);
}

function powerText(power: number): string {
  return power < 0 ? (10 ** power).toFixed(-power) : grouped(10n ** BigInt(power));
}

function DecadeRows({ rows }: { readonly rows: readonly Decade[] }): JSX.Element {
  return (
    <Rows<Decade>
      label="Coins by amount"
      rows={rows}
      keyOf={({ power }) => power}
      columns={[
        { title: 'Amount of a coin', cell: ({ power }) => `${powerText(power)} to ${powerText(power + 1)} CC` },
        { title: 'Coins', isNumber: true, cell: ({ coins }) => grouped(coins) },
        { title: 'Together', isNumber: true, cell: ({ total }) => <Coin amount={Amount.format(total)} unit="CC" /> },
      ]}
    />
  );
}
