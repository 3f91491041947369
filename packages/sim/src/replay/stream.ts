import { Amount, Duration, GENESIS_TIME, Instant, PartyId, Round } from '@coinlab/core';
import type { Sink } from '../log/event-log.js';
import { PROGRESS_ROWS, type RunHooks, type RunReport } from './report.js';
import { ReplaySession, type ReplayOptions, type ReplayPoint } from './session.js';
import type { StreamSettings } from './settings.js';

/** Ledger time between two rows. A stream has an order but no clock; rounds do not advance. */
const ROW_SPAN = Duration.seconds(1);

const PAYER = 0;
const PAYEE = 1;

/** Number of coins above which the payee merges, so that a long stream does not fill the memory with them. */
const MOST_PAID = 20_000;

/**
 * Replays a payment stream: one wallet receives minted coin and pays a payee.
 * @param stream its rows, in units of 10⁻¹⁰ coin, are read once
 * @param sink receives the segments of the event log; null: no log and no hash
 */
export function replayStream(
  { rows }: { readonly rows: Iterable<bigint> },
  settings: StreamSettings,
  sink: Sink | null,
  { onProgress }: RunHooks = {},
): RunReport {
  const replay = new StreamReplay(settings, sink);
  for (const row of rows) {
    replay.play(row);
    if (replay.rows % PROGRESS_ROWS === 0) onProgress?.(replay.rows);
  }
  onProgress?.(replay.rows);
  return replay.result();
}

/** A payment stream that is replayed row by row. {@link replayStream} replays one to its end. */
export class StreamReplay {
  readonly #session: ReplaySession;
  readonly #isDropping: boolean;
  readonly #waiting: Queue = new Queue();

  /**
   * Opens the ledger of the replay.
   * @param sink receives the segments of the event log; null: no log and no hash
   */
  constructor(settings: StreamSettings, sink: Sink | null, options: ReplayOptions = {}) {
    const parties = [PartyId.of('wallet'), PartyId.of('payee')];
    const played = { settings: { ...settings, holdingRate: null }, parties, measured: 1, firstRound: Round.of(1) };
    this.#session = new ReplaySession({ ...played, roundsAdvance: false }, sink, options);
    this.#isDropping = settings.whenShort === 'drop';
    // Written by `save`.
    const waiting = this.#session.resumed as readonly Amount[] | null;
    if (waiting) for (const amount of waiting) this.#waiting.add(amount);
    else for (const amount of settings.opening) this.#session.wallets.receive(PAYER, amount);
  }

  /** Number of rows replayed so far. */
  get rows(): number {
    return this.#session.rows;
  }

  /** Replays the next row: a receipt above zero, else a payment. */
  play(row: bigint): void {
    const session = this.#session;
    const { wallets, ledger } = session;
    ledger.now = Instant.plus(GENESIS_TIME, Duration.times(ROW_SPAN, session.rows + 1));
    if (row > 0n) {
      wallets.receive(PAYER, Amount.ofUnits(row));
      session.receipts += 1;
    } else if (this.#isDropping && !wallets.affords(PAYER, Amount.ofUnits(-row))) session.unpaid += 1;
    else this.#waiting.add(Amount.ofUnits(-row));
    for (let next = this.#waiting.first; next !== null && wallets.affords(PAYER, next);) {
      wallets.pay(PAYER, PAYEE, next);
      next = this.#waiting.drop();
    }
    wallets.tidy(PAYER);
    wallets.mergeAbove(PAYEE, MOST_PAID);
    session.endRow();
  }

  /** Returns the point after the last row; valid until the next one. */
  save(): ReplayPoint {
    return this.#session.save(this.#waiting.amounts);
  }

  /** Ends the log and returns the report. */
  result(): RunReport {
    const { wallets, unpaid } = this.#session;
    return this.#session.report(wallets.balance(PAYER), unpaid + this.#waiting.length);
  }
}

/** Completed payments are removed together, so that most removals move nothing. */
const MOST_DONE = 1_024;

class Queue {
  #amounts: Amount[] = [];
  #done = 0;

  get length(): number {
    return this.#amounts.length - this.#done;
  }

  get first(): Amount | null {
    return this.#amounts[this.#done] ?? null;
  }

  get amounts(): readonly Amount[] {
    return this.#amounts.slice(this.#done);
  }

  add(amount: Amount): void {
    this.#amounts.push(amount);
  }

  drop(): Amount | null {
    this.#done += 1;
    if (this.#done > MOST_DONE) {
      this.#amounts = this.#amounts.slice(this.#done);
      this.#done = 0;
    }
    return this.first;
  }
}
