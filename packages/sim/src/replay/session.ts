import { Instant, supplyOf, type Amount, type Entry, type LedgerState, type PartyId, type Round } from '@coinlab/core';
import { isPacked, senderOf } from '@coinlab/core/codec';
import type { ByteHash } from '../hash/sha256.js';
import { EventLog, type SavedLog, type Sink } from '../log/event-log.js';
import type { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { Saved } from '../saved.js';
import { CapWatch } from './cap-watch.js';
import { metricsOf } from './metrics.js';
import { ReplayLedger } from './replay-ledger.js';
import { reportOf, type RunReport } from './report.js';
import { MOST_INPUTS, requireSettings, type NetworkSettings, type WalletSettings } from './settings.js';
import { ReplayWallets, type SavedWallets } from './wallets.js';

/** A replay between two rows, or of a network between two rounds: enough to continue it. */
export interface ReplayPoint {
  readonly rows: number;
  /** Position of the log; null when the replay writes none. */
  readonly log: SavedLog | null;
  readonly position: Saved;
  readonly metrics: Saved;
  readonly state: LedgerState;
}

/** Options of a replay: the hash of its log, and the point to continue from. */
export interface ReplayOptions {
  /** Hashes the log. A {@link ResumableHash} makes the replay resumable. */
  readonly hash?: ByteHash;
  /** Continues from a point of the same input with the same settings. */
  readonly resume?: ReplayPoint;
}

type SavedSession = {
  readonly receipts: number;
  readonly unpaid: number;
  readonly overCap: number | null;
  readonly now: bigint;
  readonly wallets: SavedWallets;
  readonly own: Saved;
};

interface Played {
  readonly settings: WalletSettings & Partial<Pick<NetworkSettings, 'holdingRate'>>;
  /** Parties of the replay; only the first `measured` of them count in the figures. */
  readonly parties: readonly PartyId[];
  readonly measured: number;
  readonly firstRound: Round;
  readonly roundsAdvance: boolean;
}

export class ReplaySession {
  readonly ledger: ReplayLedger;
  readonly wallets: ReplayWallets;
  readonly metrics: ScenarioMetrics;
  readonly resumed: Saved;
  rows = 0;
  receipts = 0;
  unpaid = 0;
  readonly #settings: WalletSettings;
  readonly #log: EventLog | null;
  readonly #overCap: CapWatch = new CapWatch();

  constructor(
    { settings, parties, measured, firstRound, roundsAdvance }: Played,
    sink: Sink | null,
    { hash, resume }: ReplayOptions = {},
  ) {
    requireSettings(settings);
    this.#settings = settings;
    // Written by `save`.
    const saved = (resume?.position ?? null) as SavedSession | null;
    const metrics = metricsOf(parties.slice(0, measured), settings);
    if (resume) metrics.restore(resume.metrics, resume.state);
    const others = new Set(parties.slice(measured));
    const log = sink && new EventLog(settings.seed, sink, hash, resume?.log);
    this.ledger = new ReplayLedger({
      seed: settings.seed,
      maxNumInputs: settings.cap ?? MOST_INPUTS,
      holdingRate: settings.holdingRate ?? null,
      firstRound,
      roundsAdvance,
      state: resume?.state,
      onEntry(entry) {
        if (!isMergeOf(others, entry)) metrics.fold(entry);
        log?.append(entry);
      },
    });
    if (saved) this.ledger.now = Instant.ofMicros(saved.now);
    this.wallets = new ReplayWallets(this.ledger, parties, settings, saved?.wallets);
    this.metrics = metrics;
    this.#log = log;
    this.resumed = saved?.own ?? null;
    this.rows = resume?.rows ?? 0;
    this.receipts = saved?.receipts ?? 0;
    this.unpaid = saved?.unpaid ?? 0;
    this.#overCap.row = saved?.overCap ?? null;
  }

  endRow(): void {
    this.metrics.endRow();
    this.rows += 1;
    this.#overCap.endRow(this.rows, this.metrics, this.wallets);
  }

  /** @param own position of the stream or the network */
  save(own: Saved): ReplayPoint {
    const { rows, receipts, unpaid, ledger, wallets, metrics } = this;
    const position: SavedSession = {
      receipts,
      unpaid,
      overCap: this.#overCap.row,
      now: ledger.now,
      wallets: wallets.save(),
      own,
    };
    return { rows, log: this.#log?.save() ?? null, position, metrics: metrics.save(), state: ledger.state };
  }

  report(finalBalance: Amount, unpaid: number): RunReport {
    const { rows, receipts, ledger, wallets, metrics } = this;
    const { minted, burned } = supplyOf(ledger.state);
    return reportOf(this.#settings, metrics, {
      rows,
      firstRowOverCap: this.#overCap.row,
      receipts,
      unpaid,
      capMerges: wallets.capMerges,
      minted,
      burned,
      finalBalance,
      logHash: this.#log?.close().hash ?? '',
      stateHash: this.#log ? ledger.hash() : '',
    });
  }
}

/** Merges of wallets outside the figures do not count. */
function isMergeOf(parties: ReadonlySet<PartyId>, entry: Entry): boolean {
  if (parties.size === 0 || entry.kind !== 'HoldingsMerged') return false;
  return parties.has(isPacked(entry) ? senderOf(entry) : entry.detail.sender);
}
