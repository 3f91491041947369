import { Amount } from '@coinlab/core';
import { NETWORK_HEADER } from '@coinlab/sim';

/** A row of a network file. `from` is null for coin minted to `to`. Rounds count from 1. */
export interface NetworkLine {
  readonly round: number;
  readonly from: string | null;
  readonly to: string;
  readonly amount: Amount;
}

const PIECE = 10_000;

/** Yields a network file, which `coinlab replay` reads, in pieces of whole lines. */
export function* networkLines(rows: Iterable<NetworkLine>): Generator<string, void, undefined> {
  let piece = `${NETWORK_HEADER}\n`;
  let seq = 0;
  for (const { round, from, to, amount } of rows) {
    seq += 1;
    const kind = from === null ? 'mint' : 'transfer';
    piece += `${seq},${round},${kind},${from ?? ''},${to},${Amount.short(amount)}\n`;
    if (seq % PIECE !== 0) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
