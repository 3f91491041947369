import { type Amount, type Instant, type PartyId, type Update } from '@coinlab/core';
import { happeningsOf } from '@coinlab/core/codec';
import { ROUNDS_PER_DAY } from '@coinlab/sim';
import { networkLines } from '../network-lines.js';

/** A payment in a log, or coin minted from outside. */
export interface PaymentRow {
  /** Number of the payment's round, from 0. */
  readonly round: number;
  /** Payer; null for coin minted to the receiver. */
  readonly from: PartyId | null;
  readonly to: PartyId;
  readonly amount: Amount;
}

const ROUND = 86_400_000_000n / BigInt(ROUNDS_PER_DAY);

/**
 * Extracts the payments of a log in order: mints and taps, transfers and offers. Omits consequences: inputs, merges, splits and
 * automation.
 */
export class PaymentRows {
  readonly rows: PaymentRow[] = [];
  #first: Instant | null = null;

  take(update: Update): void {
    this.#first ??= update.recordTime;
    // The first tick founds the network.
    const round = Math.max(0, Number((update.recordTime - this.#first) / ROUND) - 1);
    for (const happened of happeningsOf(update)) {
      if (happened.kind === 'Minted' || happened.kind === 'Tapped')
        this.rows.push({ round, from: null, to: happened.detail.receiver, amount: happened.detail.amount });
      if (happened.kind === 'TransferCompleted' || happened.kind === 'TransferOffered') {
        const { sender, receiver, amount } = happened.detail;
        this.rows.push({ round, from: sender, to: receiver, amount });
      }
    }
  }
}

/** Formats rows as a network file, which `coinlab replay` reads too. Parties get their hints as names when these are unique. */
export function networkText(rows: readonly PaymentRow[]): string {
  const name = naming(rows);
  const named = rows.map(({ round, from, to, amount }) => ({
    round: round + 1,
    from: from === null ? null : name(from),
    to: name(to),
    amount,
  }));
  return [...networkLines(named)].join('');
}

export function partiesIn(rows: readonly PaymentRow[]): readonly PartyId[] {
  return [...new Set(rows.flatMap(({ from, to }) => (from === null ? [to] : [from, to])))];
}

function naming(rows: readonly PaymentRow[]): (party: PartyId) => string {
  const parties = partiesIn(rows);
  const hintOf = (party: PartyId): string => party.split('::')[0] ?? party;
  const isTold = new Set(parties.map(hintOf)).size === parties.length;
  return isTold ? hintOf : (party) => party;
}
