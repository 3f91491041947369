import { Amount } from '@coinlab/core';
import { log } from '../../store/log.js';
import type { LedgerContract, Update } from '../../store/log-copy.js';
import { amountIn, isCoin } from './coin.js';

export interface Step {
  readonly kind: string;
  /**
   * Number of updates to the coin: 1 for the update that made the coin, 2 for the updates that made the inputs of that
   * update, and so on. Negative for updates after the coin.
   */
  readonly distance: number;
  readonly offsets: readonly number[];
  readonly coins: number;
  readonly amount: Amount;
  /** Coin that these updates created without inputs: by a tap or as rewards. */
  readonly minted: Amount;
}

export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly coins: number;
  readonly amount: Amount;
}

export interface Life {
  readonly steps: ReadonlyMap<string, Step>;
  readonly flows: readonly Flow[];
  readonly updates: number;
  /** Number of coins: backwards, those from which the coin was made; forwards, those that were made of it. */
  readonly coins: number;
}

export function originOf(coin: number): Life {
  const maker = log.get(coin);
  const update = maker === null ? null : log.updateAt(maker.born);
  return update === null ? NOTHING : walked(update, 1, (one) => coinsIn(one).flatMap(({ id }) => makerOf(id) ?? []));
}

export function futureOf(coin: number, until: number): Life {
  const end = log.get(coin)?.gone ?? null;
  const update = end === null || end > until ? null : log.updateAt(end);
  if (update === null) return NOTHING;
  return walked(update, -1, ({ created }) =>
    created.filter(isCoin).flatMap(({ id }) => {
      const gone = log.get(id)?.gone ?? null;
      return gone === null || gone > until ? [] : (log.updateAt(gone) ?? []);
    }),
  );
}

const NOTHING: Life = { steps: new Map(), flows: [], updates: 0, coins: 0 };

function makerOf(coin: number): Update | null {
  const lived = log.get(coin);
  return lived === null ? null : log.updateAt(lived.born);
}

function coinsIn({ archived }: Update): readonly LedgerContract[] {
  return archived.flatMap((id) => {
    const contract = log.get(id)?.contract;
    return contract && isCoin(contract) ? [contract] : [];
  });
}

/** The distance of an update is the length of its longest path, so that all edges of the graph point in one direction. */
function walked(first: Update, side: 1 | -1, next: (update: Update) => readonly Update[]): Life {
  const found = new Map([[first.offset, first]]);
  const waiting = [first];
  for (let one = waiting.pop(); one; one = waiting.pop())
    for (const other of next(one))
      if (!found.has(other.offset)) {
        found.set(other.offset, other);
        waiting.push(other);
      }
  const ordered = [...found.values()].sort((a, b) => side * (b.offset - a.offset));
  const distances = new Map([[first.offset, 1]]);
  for (const one of ordered) {
    const distance = (distances.get(one.offset) ?? 1) + 1;
    for (const other of next(one)) distances.set(other.offset, Math.max(distances.get(other.offset) ?? 0, distance));
  }
  return grouped(ordered, distances, side);
}

function grouped(updates: readonly Update[], distances: ReadonlyMap<number, number>, side: 1 | -1): Life {
  const steps = new Map<string, Growing>();
  const flows = new Map<string, Flow>();
  const keys = new Map<number, string>();
  let coins = 0;
  for (const update of updates) {
    const distance = side * (distances.get(update.offset) ?? 1);
    const key = `${distance} ${update.kind}`;
    keys.set(update.offset, key);
    const made = update.created.filter(isCoin);
    coins += side === 1 ? coinsIn(update).length : made.length;
    steps.set(key, extended(steps.get(key), update, distance, made));
  }
  for (const update of updates)
    for (const coin of update.created.filter(isCoin)) {
      const from = keys.get(update.offset);
      const to = keys.get(log.get(coin.id)?.gone ?? -1);
      if (from === undefined || to === undefined) continue;
      const known = flows.get(`${from}→${to}`);
      flows.set(`${from}→${to}`, {
        from,
        to,
        coins: (known?.coins ?? 0) + 1,
        amount: Amount.add(known?.amount ?? Amount.zero, amountIn(coin)),
      });
    }
  return { steps, flows: [...flows.values()], updates: updates.length, coins };
}

function extended(
  step: Growing | undefined,
  update: Update,
  distance: number,
  made: readonly LedgerContract[],
): Growing {
  const amount = Amount.sum(made.map(amountIn));
  const used = Amount.sum(coinsIn(update).map(amountIn));
  const offsets = step?.offsets ?? [];
  offsets.push(update.offset);
  return {
    kind: update.kind,
    distance,
    offsets,
    coins: (step?.coins ?? 0) + made.length,
    amount: Amount.add(step?.amount ?? Amount.zero, amount),
    minted: Amount.add(step?.minted ?? Amount.zero, amount > used ? Amount.sub(amount, used) : Amount.zero),
  };
}

interface Growing extends Step {
  readonly offsets: number[];
}
