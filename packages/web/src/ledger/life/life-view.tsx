import { Amount } from '@coinlab/core';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { grouped, shownAmount } from '../../format/amounts.js';
import { Card } from '../../parts/card.js';
import { Rows } from '../../parts/rows.js';
import { Empty } from '../../parts/states.js';
import { Coin, Party } from '../../parts/values.js';
import { log } from '../../store/log.js';
import type { Lived } from '../../store/log-copy.js';
import { linkTo, param } from '../../store/route.js';
import { shownNow } from '../../store/standing.js';
import { shownOffset } from '../filters.js';
import { CoinPicker } from './coin-picker.js';
import { futureOf, originOf, type Life, type Step } from './ancestry.js';
import { amountIn, isCoin } from './coin.js';
import { LifeGraph } from './life-graph.js';
import { spendable } from './spendable.js';

export function LifeView(): JSX.Element {
  void log.loaded.value;
  const wanted = param('contract');
  const lived = wanted === null ? null : log.get(Number(wanted));
  if (lived === null || !isCoin(lived.contract))
    return (
      <Card title="Life of a coin">
        {wanted === null ? null : <Empty title={`The log has no coin #${wanted}`} />}
        <CoinPicker />
      </Card>
    );
  return <OneLife lived={lived} />;
}

function OneLife({ lived }: { readonly lived: Lived }): JSX.Element {
  const { contract } = lived;
  const at = shownOffset.value;
  const loaded = log.loaded.value;
  const origin = useMemo(() => originOf(contract.id), [contract.id, loaded]);
  const future = useMemo(() => futureOf(contract.id, at), [contract.id, loaded, at]);
  const { can, reason } = spendable(lived, log, at, shownNow.value);
  const amount = amountIn(contract);
  return (
    <>
      <Card title={`Coin #${contract.id}`} aside={<a href={linkTo('ledger/life')}>another coin</a>}>
        <p>
          <Coin amount={Amount.format(amount)} unit="CC" /> of <Party id={String(contract['owner'])} canCopy />
        </p>
        <p class={can ? 'preview' : 'preview refused'} role="status">
          <strong>{can ? 'It can be spent.' : 'It cannot be spent.'}</strong> <bdi>{reason}</bdi>
        </p>
        <p>{originText(origin)}</p>
        <p>{futureText(future)}</p>
      </Card>
      <Card title="From its mints to its end">
        <LifeGraph origin={origin} future={future} coin={{ id: contract.id, amount }} />
        <StepRows steps={[...sorted(origin), ...sorted(future)]} />
      </Card>
    </>
  );
}

function sorted({ steps }: Life): readonly Step[] {
  return [...steps.values()].sort((a, b) => b.distance - a.distance);
}

function originText({ steps, updates, coins }: Life): string {
  const mints = [...steps.values()].filter(({ minted }) => minted > 0n);
  const minted = Amount.sum(mints.map((step) => step.minted));
  const kinds = new Map<string, number>();
  for (const { kind, offsets } of mints) kinds.set(kind, (kinds.get(kind) ?? 0) + offsets.length);
  const list = [...kinds].map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ');
  if (updates <= 1) return `It was minted: ${list === '' ? 'nothing came before it' : list}.`;
  return `It comes from ${grouped(coins)} earlier ${coins === 1 ? 'coin' : 'coins'} by ${grouped(updates)} updates, back to ${shownAmount(minted)} CC minted by ${list}.`;
}

function futureText({ updates, coins }: Life): string {
  if (updates === 0) return 'Nothing has used it up to this moment.';
  return coins === 0
    ? `${grouped(updates)} update used it, and made no coin of it.`
    : `${grouped(updates)} ${updates === 1 ? 'update has' : 'updates have'} used it and the coins made of it; they made ${grouped(coins)} coins.`;
}

function StepRows({ steps }: { readonly steps: readonly Step[] }): JSX.Element {
  return (
    <Rows<Step>
      label="Steps of the coin's life"
      rows={steps}
      keyOf={({ kind, distance }) => `${distance} ${kind}`}
      columns={[
        { title: 'Step', width: '9rem', cell: ({ distance }) => placeOf(distance) },
        { title: 'Update', cell: ({ kind }) => kind },
        { title: 'Count', width: '5rem', isNumber: true, cell: ({ offsets }) => grouped(offsets.length) },
        { title: 'Coins made', width: '7rem', isNumber: true, cell: ({ coins }) => grouped(coins) },
        { title: 'Amount', isNumber: true, cell: ({ amount }) => <Coin amount={Amount.format(amount)} unit="CC" /> },
        {
          title: 'Minted',
          isNumber: true,
          cell: ({ minted }) => (minted > 0n ? <Coin amount={Amount.format(minted)} /> : ''),
        },
        { title: 'Offsets', width: 'minmax(0, 1.4fr)', cell: ({ offsets }) => <Offsets offsets={offsets} /> },
      ]}
    />
  );
}

function placeOf(distance: number): string {
  if (distance === 1) return 'made it';
  if (distance === -1) return 'used it';
  return distance > 0 ? `${distance} before` : `${-distance} after`;
}

const MOST_LINKS = 4;

function Offsets({ offsets }: { readonly offsets: readonly number[] }): JSX.Element {
  return (
    <>
      {offsets.slice(0, MOST_LINKS).map((offset, index) => (
        <span key={offset}>
          {index > 0 ? ', ' : ''}
          <a href={linkTo('ledger/updates', { at: String(offset), log: null })}>{grouped(offset)}</a>
        </span>
      ))}
      {offsets.length > MOST_LINKS ? <span class="quiet"> and {grouped(offsets.length - MOST_LINKS)} more</span> : null}
    </>
  );
}
