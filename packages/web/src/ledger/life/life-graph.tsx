import { Amount } from '@coinlab/core';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { grouped, shownAmount } from '../../format/amounts.js';
import type { Flow, Life, Step } from './ancestry.js';

/** Steps that are farther away share the outermost column, so that a coin with thousands of ancestors stays readable. */
const MOST_COLUMNS = 4;
const BOX = { width: 176, height: 44 };
const GAP = { x: 56, y: 14 };
const COIN = 'coin';

interface Box {
  readonly title: string;
  readonly text: string;
  readonly className: string;
  readonly x: number;
  readonly y: number;
}

interface GraphProps {
  readonly origin: Life;
  readonly future: Life;
  readonly coin: { readonly id: number; readonly amount: Amount };
}

export function LifeGraph({ origin, future, coin }: GraphProps): JSX.Element {
  const { boxes, width, height } = placed({ origin, future, coin });
  const flows = [...mergedFlows(origin), ...mergedFlows(future), ...toCoin(origin, COIN), ...toCoin(future, COIN)];
  const element = useRef<HTMLDivElement>(null);
  const middle = (boxes.get(COIN)?.x ?? 0) + BOX.width / 2;
  useLayoutEffect(() => {
    const place = element.current;
    if (place) place.scrollLeft = middle - place.clientWidth / 2;
  }, [coin.id, middle]);
  return (
    <div
      ref={element}
      class="life"
      tabIndex={0}
      role="group"
      aria-label="Graph of the coin's life; the table below has its steps"
    >
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {flows.map(({ from, to, coins }) => {
          const [a, b] = [boxes.get(from), boxes.get(to)];
          return a && b && a.x < b.x ? (
            <path key={`${from}→${to}`} class="flow" d={curve(a, b)} stroke-width={1 + Math.log10(coins)} />
          ) : null;
        })}
        {[...boxes].map(([key, { x, y, title, text, className }]) => (
          <g key={key} class={`box ${className}`} transform={`translate(${x} ${y})`}>
            <rect width={BOX.width} height={BOX.height} rx="4" />
            <text x="8" y="18">
              {title}
            </text>
            <text x="8" y="35" class="quiet">
              {text}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

function columnOf(distance: number): number {
  return Math.max(-MOST_COLUMNS, Math.min(MOST_COLUMNS, distance));
}

function keyOf(step: Pick<Step, 'kind' | 'distance'>): string {
  return `${columnOf(step.distance)} ${step.kind}`;
}

function merged({ steps }: Life): Map<string, Step> {
  const found = new Map<string, Step>();
  for (const step of steps.values()) {
    const key = keyOf(step);
    const known = found.get(key);
    found.set(key, known ? added(known, step) : step);
  }
  return found;
}

function added(a: Step, b: Step): Step {
  return {
    ...a,
    offsets: a.offsets.concat(b.offsets),
    coins: a.coins + b.coins,
    amount: Amount.add(a.amount, b.amount),
    minted: Amount.add(a.minted, b.minted),
  };
}

function mergedFlows({ steps, flows }: Life): readonly Flow[] {
  const found = new Map<string, Flow>();
  for (const flow of flows) {
    const [a, b] = [steps.get(flow.from), steps.get(flow.to)];
    if (!a || !b) continue;
    const [from, to] = [keyOf(a), keyOf(b)];
    const known = found.get(`${from}→${to}`);
    found.set(`${from}→${to}`, { ...flow, from, to, coins: flow.coins + (known?.coins ?? 0) });
  }
  return [...found.values()];
}

function toCoin({ steps }: Life, coin: string): readonly Flow[] {
  return [...steps.values()]
    .filter(({ distance }) => Math.abs(distance) === 1)
    .map((step) => {
      const [from, to] = step.distance > 0 ? [keyOf(step), coin] : [coin, keyOf(step)];
      return { from, to, coins: 1, amount: step.amount };
    });
}

interface Placed {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
}

function placed({ origin, future, coin }: GraphProps): Placed {
  const steps = [...merged(origin), ...merged(future)];
  const columns = new Map<number, string[]>();
  for (const [key, { distance }] of steps)
    columns.set(columnOf(distance), [...(columns.get(columnOf(distance)) ?? []), key]);
  columns.set(0, [COIN]);
  const order = [...columns.keys()].sort((a, b) => b - a);
  const most = Math.max(...[...columns.values()].map((keys) => keys.length));
  const byKey = new Map(steps);
  const boxes = new Map<string, Box>();
  for (const [index, column] of order.entries()) {
    const keys = columns.get(column) ?? [];
    const top = ((most - keys.length) * (BOX.height + GAP.y)) / 2;
    for (const [row, key] of keys.entries()) {
      const at = { x: 1 + index * (BOX.width + GAP.x), y: 1 + top + row * (BOX.height + GAP.y) };
      boxes.set(key, { ...at, ...textsOf(byKey.get(key), coin) });
    }
  }
  return {
    boxes,
    width: order.length * (BOX.width + GAP.x) - GAP.x + 2,
    height: most * (BOX.height + GAP.y) - GAP.y + 2,
  };
}

function textsOf(step: Step | undefined, coin: GraphProps['coin']): Pick<Box, 'title' | 'text' | 'className'> {
  if (!step) return { title: `Coin #${coin.id}`, text: `${shownAmount(coin.amount)} CC`, className: 'own' };
  const { kind, offsets, coins, amount, minted } = step;
  const times = offsets.length === 1 ? '' : ` × ${grouped(offsets.length)}`;
  return {
    title: kind + times,
    text: coins === 0 ? 'makes no coin' : `${short(amount)} CC in ${grouped(coins)} ${coins === 1 ? 'coin' : 'coins'}`,
    className: minted > 0n ? 'mint' : '',
  };
}

function short(amount: Amount): string {
  return shownAmount(amount).replace(/(\.\d{2})\d+$/, '$1…');
}

function curve(a: Box, b: Box): string {
  const [x1, y1] = [a.x + BOX.width, a.y + BOX.height / 2];
  const [x2, y2] = [b.x, b.y + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
