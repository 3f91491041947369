import { Amount, err, Instant, ok, type Result } from '@coinlab/core';
import { CoinMoves } from './coin-moves.js';
import type { Openings } from './funding.js';
import { PartyNames } from './party-names.js';
import { PaymentList } from './payment-list.js';
import { roundsOf, traceOfPayments, type ImportedTrace } from './trace.js';
import { parseUpdatePage, type ScanTransaction } from './update-page.js';

/** Counts of an import from a scan. */
export interface UpdatesSummary {
  readonly transactions: number;
  /** Moves of contracts between synchronizers, which are ignored. */
  readonly reassignments: number;
  readonly payments: number;
  /** Payments that mint coin: rewards, taps and mints of the DSO. */
  readonly minted: number;
  readonly parties: number;
  /** Microseconds since 1970 of the first and last payment. */
  readonly period: { readonly first: number; readonly last: number };
  readonly rounds: number;
  readonly sum: Amount;
  /** Fees, traffic and expired dust. A replay does not charge them: the coin stays with the payer. */
  readonly burned: Amount;
  /** Coin that the pages spend although it was created before the first page. */
  readonly opening: Amount;
  readonly rejected: readonly RejectedUpdate[];
}

/** A transaction that the import skips, with the reason. */
export interface RejectedUpdate {
  readonly updateId: string;
  readonly reason: string;
}

/** The payments of a scan's update history. */
export interface ImportedUpdates extends ImportedTrace {
  readonly summary: UpdatesSummary;
}

/** A page of `/v2/updates` as parsed JSON, and a name for messages. */
export interface NamedPage {
  readonly name: string;
  readonly page: unknown;
}

/**
 * Derives the payments from pages of a scan's `/v2/updates`, in any order and with repeated updates.
 * @param roundMinutes length of a round of the trace in minutes
 * @returns a reason when a page is malformed or no page has a payment
 */
export function importUpdates(pages: Iterable<NamedPage>, roundMinutes: number = 10): Result<ImportedUpdates, string> {
  const transactions = new Map<string, ScanTransaction>();
  const reassignments = new Set<string>();
  for (const { name, page } of pages) {
    const items = parseUpdatePage(page);
    if (!items.ok) return err(`${name}: ${items.error}`);
    for (const item of items.value)
      if ('events_by_id' in item) transactions.set(item.update_id, item);
      else reassignments.add(item.update_id);
  }
  const history = new History();
  for (const transaction of [...transactions.values()].sort(byTime)) history.take(transaction);
  const { payments, names } = history;
  if (payments.length === 0) return err(`the ${transactions.size} transactions of the pages have no payment`);
  const rounds = roundsOf(payments, roundMinutes);
  if (!rounds.ok) return rounds;
  return ok({
    ...traceOfPayments('updates', names, payments, history.openings(), rounds.value),
    summary: {
      transactions: transactions.size,
      reassignments: reassignments.size,
      payments: payments.length,
      minted: history.minted,
      parties: names.parties.length,
      period: { first: payments.at(0).time, last: payments.at(payments.length - 1).time },
      rounds: rounds.value(payments.length - 1),
      sum: Amount.ofUnits(history.sum),
      burned: Amount.ofUnits(history.burned),
      opening: Amount.sum(history.openings().flat()),
      rejected: history.rejected,
    },
  });
}

function byTime(a: ScanTransaction, b: ScanTransaction): number {
  return a.migration_id - b.migration_id || microsOf(a) - microsOf(b);
}

function microsOf({ record_time }: ScanTransaction): number {
  const time = Instant.parse(record_time);
  return time.ok ? Number(time.value) : Date.parse(record_time) * 1000;
}

class History {
  readonly names: PartyNames = new PartyNames();
  readonly payments: PaymentList = new PaymentList();
  readonly rejected: RejectedUpdate[] = [];
  minted = 0;
  sum = 0n;
  burned = 0n;
  readonly #moves = new CoinMoves();
  readonly #found = new Map<number, Amount[]>();
  #line = 0;

  take(transaction: ScanTransaction): void {
    this.#line += 1;
    const effect = this.#moves.effectOf(transaction);
    if (typeof effect === 'string') {
      this.rejected.push({ updateId: transaction.update_id, reason: effect });
      return;
    }
    const { moves, burned, found } = effect;
    this.burned += burned;
    if (found) {
      const owner = this.names.numberOf(found.owner);
      this.#found.set(owner, [...(this.#found.get(owner) ?? []), Amount.ofUnits(found.units)]);
    }
    const time = microsOf(transaction);
    for (const { from, to, amount } of moves) {
      if (from === null) this.minted += 1;
      this.sum += amount;
      const sender = from === null ? null : this.names.numberOf(from);
      this.payments.add({ from: sender, to: this.names.numberOf(to), amount, time, line: this.#line });
    }
  }

  openings(): Openings {
    return this.names.parties.map((_, number) => this.#found.get(number) ?? []);
  }
}
