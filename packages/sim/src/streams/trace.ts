import { Amount } from '@coinlab/core';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';

/** A recorded payment between two parties of a trace, or between a party and the outside. */
export interface TraceRow {
  readonly round: number;
  /** Party number in the trace; null for a receipt from outside. */
  readonly from: number | null;
  /** Party number in the trace; null for a payment to the outside. */
  readonly to: number | null;
  readonly amount: Amount;
}

/** Recorded payments in order of rounds, which never decrease. */
export type Trace = readonly TraceRow[];

/**
 * Converts a stream or a network to a trace. A stream has one party and no clock, so it gets `rowsPerRound` rows per round. A
 * network keeps its rounds, counted from the round of its first row.
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
