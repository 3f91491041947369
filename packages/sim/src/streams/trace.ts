import { Amount } from '@coinlab/core';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';

/** Something that was recorded: coin that moved between parties, or from and to somebody outside. */
export interface TraceRow {
  /** From 0. */
  readonly round: number;
  /** Number of a party of the trace; null: from outside, a receipt. */
  readonly from: number | null;
  /** Number of a party of the trace; null: to somebody outside, a payment. */
  readonly to: number | null;
  readonly amount: Amount;
}

/** Recorded payments in order; rounds never go back. What operators take and give. */
export type Trace = readonly TraceRow[];

/**
 * A stream or a network as a trace. A stream has one party and no clock: so many rows happen in one round. A network keeps its
 * rounds, counted from that of its first row.
 */
export function traceOf(input: PaymentStream | NetworkFile, rowsPerRound: number): Trace {
  if (input.kind === 'stream')
    return input.rows.map((units, i) => {
      const round = Math.floor(i / rowsPerRound);
      return units > 0n
        ? { round, from: null, to: 0, amount: Amount.ofUnits(units) }
        : { round, from: 0, to: null, amount: Amount.ofUnits(-units) };
    });
  const first = input.rows[0]?.round ?? 0;
  return input.rows.map(({ round, from, to, amount }) => ({ round: round - first, from, to, amount }));
}
