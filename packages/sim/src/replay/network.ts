import { at } from '@coinlab/core/workflows';
import { Amount, type Duration, genesisConfig, GENESIS_TIME, Instant, Round } from '@coinlab/core';
import { dustExpiringAt } from '@coinlab/core/views';
import { partyNamed, type NetworkRow } from '../input/network.js';
import type { Sink } from '../log/event-log.js';
import { TARGET_UTXOS } from '../metrics/limits.js';
import type { ReplayLedger } from './replay-ledger.js';
import { PROGRESS_ROWS, ratio, type NetworkReport, type PartyLine, type RunHooks } from './report.js';
import { ReplaySession, type ReplayOptions, type ReplayPoint } from './session.js';
import type { NetworkSettings } from './settings.js';

/** The figures of a replayed network, and those of each party. */
export interface NetworkRun {
  readonly report: NetworkReport;
  readonly parties: readonly PartyLine[];
}

interface NetworkRows {
  readonly rows: Iterable<NetworkRow>;
  readonly parties: readonly string[];
}

/**
 * Replays a network file: every row becomes a mint or a preapproved transfer, and the round contracts advance with the `round`
 * column.
 * @param network its rows are read twice: first up to the first one
 * @param sink receives the segments of the event log; null: no log and no hash
 */
export function replayNetwork(
  network: NetworkRows,
  settings: NetworkSettings,
  sink: Sink | null,
  hooks: RunHooks = {},
): NetworkRun {
  const replay = new NetworkReplay(network, settings, sink);
  for (const round of roundsOf(network.rows)) replay.playRound(round, hooks);
  hooks.onProgress?.(replay.rows);
  return replay.result();
}

/** A network that is replayed round by round. {@link replayNetwork} replays one to its end. */
export class NetworkReplay {
  readonly #session: ReplaySession;
  readonly #clock: RoundClock;
  readonly #names: readonly string[];
  readonly #expires: boolean;
  #over = 0;
  #observed = 0;
  #met = 0;

  /**
   * Opens the ledger of the replay.
   * @param sink receives the segments of the event log; null: no log and no hash
   */
  constructor(
    { rows, parties: names }: NetworkRows,
    settings: NetworkSettings,
    sink: Sink | null,
    options: ReplayOptions = {},
  ) {
    const parties = names.map(partyNamed);
    const firstRound = firstRoundOf(rows);
    const played = { settings, parties, measured: parties.length, firstRound, roundsAdvance: true };
    this.#session = new ReplaySession(played, sink, options);
    this.#names = names;
    this.#expires = settings.holdingRate !== null;
    // Written by `save`.
    const saved = this.#session.resumed as SavedNetwork | null;
    this.#clock = new RoundClock(saved?.round ?? firstRound, saved?.start);
    if (saved) [this.#over, this.#observed, this.#met] = saved.counts;
  }

  /** Number of rows replayed so far. */
  get rows(): number {
    return this.#session.rows;
  }

  /** Replays all rows of the next round. */
  playRound({ round, rows }: RoundRows, { onProgress }: RunHooks = {}): void {
    const session = this.#session;
    const { ledger, wallets } = session;
    this.#clock.advanceTo(round, ledger);
    if (this.#expires) ledger.expire([...dustExpiringAt(ledger.state, round)]);
    for (const [i, { from, to, amount }] of rows.entries()) {
      ledger.now = this.#clock.within(i, rows.length);
      if (from === null) {
        wallets.receive(to, amount);
        session.receipts += 1;
      } else {
        if (wallets.affords(from, amount)) wallets.pay(from, to, amount);
        else session.unpaid += 1;
        wallets.tidy(from);
      }
      wallets.tidy(to);
      session.endRow();
      // Parties are numbered by their first row, so those met so far have the lowest numbers.
      this.#met = Math.max(this.#met, to + 1, (from ?? 0) + 1);
      if (session.rows % PROGRESS_ROWS === 0) onProgress?.(session.rows);
    }
    this.#over += this.#aboveTarget();
    this.#observed += this.#met;
  }

  /** Returns the point after the last round; valid until the next one. */
  save(): ReplayPoint {
    const { round, start } = this.#clock;
    const saved: SavedNetwork = { round, start, counts: [this.#over, this.#observed, this.#met] };
    return this.#session.save(saved);
  }

  /** Ends the log and returns the figures. */
  result(): NetworkRun {
    const { metrics, wallets, unpaid } = this.#session;
    const lines = this.#names.map((party, i) => ({
      party,
      utxos: at(metrics.counts, i),
      balance: wallets.balance(i),
    }));
    const report = this.#session.report(Amount.sum(lines.map(({ balance }) => balance)), unpaid);
    return {
      report: {
        ...report,
        transfers: report.payments,
        failed: unpaid,
        shareOfPartyRoundsOver10: ratio(this.#over, this.#observed),
        partiesOver10Final: this.#aboveTarget(),
      },
      parties: lines,
    };
  }

  #aboveTarget(): number {
    return this.#session.metrics.all.now.countAbove(TARGET_UTXOS);
  }
}

type SavedNetwork = {
  readonly round: Round;
  readonly start: bigint;
  readonly counts: readonly [over: number, observed: number, met: number];
};

/** The rows of one round. */
export interface RoundRows {
  readonly round: Round;
  readonly rows: readonly NetworkRow[];
}

/** Groups rows by round. Keeps those of one round, because ledger time spreads them evenly over it. */
export function* roundsOf(rows: Iterable<NetworkRow>): Generator<RoundRows, void, undefined> {
  let own: NetworkRow[] = [];
  for (const row of rows) {
    const [first] = own;
    if (first && first.round !== row.round) {
      yield { round: first.round, rows: own };
      own = [];
    }
    own.push(row);
  }
  const [first] = own;
  if (first) yield { round: first.round, rows: own };
}

function firstRoundOf(rows: Iterable<NetworkRow>): Round {
  for (const { round } of rows) return round;
  return Round.of(1);
}

/** Ledger time advances by one tick per round; the rows of a round are spread evenly over it. */
class RoundClock {
  readonly #tick: Duration = genesisConfig('feeless').tickDuration;
  #start: Instant;
  #round: Round;

  constructor(round: Round, start: bigint = GENESIS_TIME) {
    this.#round = round;
    this.#start = Instant.ofMicros(start);
  }

  get start(): Instant {
    return this.#start;
  }

  get round(): Round {
    return this.#round;
  }

  advanceTo(round: Round, ledger: ReplayLedger): void {
    for (; this.#round < round; this.#round = Round.plus(this.#round, 1)) {
      this.#start = Instant.plus(this.#start, this.#tick);
      ledger.now = this.#start;
      ledger.advanceRound();
    }
    const stamped = ledger.stampingRound();
    if (stamped !== round) throw new Error(`the ledger stamps round ${stamped} where the file is in round ${round}`);
  }

  within(i: number, rows: number): Instant {
    return Instant.ofMicros(this.#start + (this.#tick * BigInt(i)) / BigInt(rows));
  }
}
