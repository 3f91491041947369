import { at } from '@coinlab/core/workflows';
import { Amount } from '@coinlab/core';
import type { Stream } from '../chance/stream.js';
import type { Arrivals } from '../scenario/group.js';
import type { Trace, TraceRow } from './trace.js';

/** A pure function from trace to trace; random draws come from the stream it was created with. */
export type Operator = (trace: Trace) => Trace;

export type OperatorChoice = NonNullable<Arrivals['trace']>['operators'][number];

export function operated(trace: Trace, choices: readonly OperatorChoice[], draws: Stream): Trace {
  return choices.reduce((given, choice) => operator(choice, draws)(given), trace);
}

function operator({ fold: count, scale: factor, negate, compress: rounds, bootstrap }: OperatorChoice, draws: Stream) {
  if (count !== undefined) return folded(count);
  if (factor !== undefined) return scaled(Amount.of(factor));
  if (negate) return negated;
  if (rounds !== undefined) return compressed(rounds);
  return bootstrapped(bootstrap?.block ?? 1, draws, bootstrap?.rows);
}

/**
 * Sums every `count` consecutive receipts of a party into one, at the position of the last; remaining receipts are summed at the
 * end.
 */
export function folded(count: number): Operator {
  return (trace) => {
    const open = new Map<number | null, { readonly amounts: Amount[] }>();
    const rows: TraceRow[] = [];
    for (const row of trace) {
      if (row.from !== null) {
        rows.push(row);
        continue;
      }
      const { amounts } = open.get(row.to) ?? { amounts: [] };
      amounts.push(row.amount);
      if (amounts.length < count) open.set(row.to, { amounts });
      else {
        open.delete(row.to);
        rows.push({ ...row, amount: Amount.sum(amounts) });
      }
    }
    const round = trace.at(-1)?.round ?? 0;
    for (const [to, { amounts }] of open) rows.push({ round, from: null, to, amount: Amount.sum(amounts) });
    return rows;
  };
}

/** Multiplies amounts by a factor, rounded half-even to ten places and at least the smallest amount, so every row stays. */
export function scaled(factor: Amount): Operator {
  const least = Amount.ofUnits(1n);
  return (trace) =>
    trace.map((row) => {
      const amount = Amount.mul(row.amount, factor);
      return { ...row, amount: amount > 0n ? amount : least };
    });
}

/** Reverses the direction of every row: receipts become payments, payments receipts. */
export const negated: Operator = (trace) => trace.map((row) => ({ ...row, from: row.to, to: row.from }));

/** Joins every `rounds` rounds into one; the order stays. */
export function compressed(rounds: number): Operator {
  return (trace) => trace.map((row) => ({ ...row, round: Math.floor(row.round / rounds) }));
}

/**
 * Resamples blocks of consecutive rows with replacement, all equally likely and none beyond the end, to the same number
 * of rows (or `rows`). The times of rows stay; when more rows are requested, they repeat after the last round. Where
 * parties pay each other, only their payments are resampled. Coin from outside funds them and stays in place; if it
 * were resampled too, parties would lack coin for their payments.
 */
export function bootstrapped(block: number, draws: Stream, rows?: number): Operator {
  return (trace) => {
    const last = trace.at(-1);
    if (!last) return trace;
    const isNetwork = trace.some(({ from, to }) => from !== null && to !== null);
    const isDrawn = ({ from }: TraceRow): boolean => !isNetwork || from !== null;
    const next = blocksOf(trace.filter(isDrawn), block, draws);
    return Array.from({ length: rows ?? trace.length }, (_, place) => {
      const recorded = at(trace, place % trace.length);
      const round = Math.floor(place / trace.length) * (last.round + 1) + recorded.round;
      return { ...(isDrawn(recorded) ? next() : recorded), round };
    });
  };
}

function blocksOf(rows: Trace, block: number, draws: Stream): () => TraceRow {
  const length = Math.min(block, rows.length);
  let [place, end] = [0, 0];
  return () => {
    if (place === end) {
      place = draws.below(rows.length - length + 1);
      end = place + length;
    }
    return at(rows, place++);
  };
}
