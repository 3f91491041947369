import { at } from '@coinlab/core/workflows';
import { Amount, type Duration, genesisConfig, GENESIS_TIME, Instant, Round, supplyOf } from '@coinlab/core';
import { dustExpiringAt } from '@coinlab/core/views';
import { partyNamed, type NetworkRow } from '../input/network.js';
import { EventLog, type Sink } from '../log/event-log.js';
import { TARGET_UTXOS } from '../metrics/limits.js';
import { CapWatch } from './cap-watch.js';
import { metricsOf } from './metrics.js';
import { ReplayLedger } from './replay-ledger.js';
import { PROGRESS_ROWS, ratio, reportOf, type NetworkReport, type PartyLine, type RunHooks } from './report.js';
import { MOST_INPUTS, requireSettings, type NetworkSettings } from './settings.js';
import { ReplayWallets } from './wallets.js';

/** The figures of a replayed network, and those of each party. */
export interface NetworkRun {
  readonly report: NetworkReport;
  readonly parties: readonly PartyLine[];
}

/**
 * Replays a network file: every row becomes a mint or a preapproved transfer, and the round contracts advance with the `round`
 * column.
 * @param network its rows are read twice: first up to the first one
 * @param sink receives the segments of the event log; null: no log and no hash
 */
export function replayNetwork(
  { rows, parties: names }: { readonly rows: Iterable<NetworkRow>; readonly parties: readonly string[] },
  settings: NetworkSettings,
  sink: Sink | null,
  { onProgress }: RunHooks = {},
): NetworkRun {
  requireSettings(settings);
  const parties = names.map(partyNamed);
  const metrics = metricsOf(parties, settings);
  const log = sink && new EventLog(settings.seed, sink);
  const clock = new RoundClock(firstRoundOf(rows));
  const ledger = new ReplayLedger({
    seed: settings.seed,
    maxNumInputs: settings.cap ?? MOST_INPUTS,
    holdingRate: settings.holdingRate,
    firstRound: clock.round,
    roundsAdvance: true,
    onEntry(entry) {
      metrics.fold(entry);
      log?.append(entry);
    },
  });
  const wallets = new ReplayWallets(ledger, parties, settings);
  const aboveTarget = (): number => metrics.all.now.countAbove(TARGET_UTXOS);
  let [over, observed] = [0, 0];
  let receipts = 0;
  let met = 0;
  let failed = 0;
  const overCap = new CapWatch();
  let done = 0;
  for (const { round, rows: own } of roundsOf(rows)) {
    clock.advanceTo(round, ledger);
    if (settings.holdingRate !== null) ledger.expire([...dustExpiringAt(ledger.state, round)]);
    for (const [i, { from, to, amount }] of own.entries()) {
      ledger.now = clock.within(i, own.length);
      if (from === null) {
        wallets.receive(to, amount);
        receipts += 1;
      } else {
        if (wallets.affords(from, amount)) wallets.pay(from, to, amount);
        else failed += 1;
        wallets.tidy(from);
      }
      wallets.tidy(to);
      metrics.endRow();
      // Parties are numbered by their first row, so those met so far have the lowest numbers.
      met = Math.max(met, to + 1, (from ?? 0) + 1);
      done += 1;
      overCap.endRow(done, metrics, wallets);
      if (done % PROGRESS_ROWS === 0) onProgress?.(done);
    }
    over += aboveTarget();
    observed += met;
  }
  onProgress?.(done);
  const lines = parties.map((_, i) => ({
    party: at(names, i),
    utxos: at(metrics.counts, i),
    balance: wallets.balance(i),
  }));
  const report = reportOf(settings, metrics, {
    rows: done,
    firstRowOverCap: overCap.row,
    receipts,
    unpaid: failed,
    capMerges: wallets.capMerges,
    minted: supplyOf(ledger.state).minted,
    burned: supplyOf(ledger.state).burned,
    finalBalance: Amount.sum(lines.map(({ balance }) => balance)),
    logHash: log?.close().hash ?? '',
    stateHash: log ? ledger.hash() : '',
  });
  return {
    report: {
      ...report,
      transfers: report.payments,
      failed,
      shareOfPartyRoundsOver10: ratio(over, observed),
      partiesOver10Final: aboveTarget(),
    },
    parties: lines,
  };
}

interface RoundRows {
  readonly round: Round;
  readonly rows: readonly NetworkRow[];
}

/** Keeps the rows of one round, because ledger time spreads them evenly over it. */
function* roundsOf(rows: Iterable<NetworkRow>): Generator<RoundRows, void, undefined> {
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

/** Ledger time of a network file: one tick per round, with the rows of a round spread evenly. */
class RoundClock {
  readonly #tick: Duration = genesisConfig('feeless').tickDuration;
  #start: Instant = GENESIS_TIME;
  #round: Round;

  constructor(first: Round) {
    this.#round = first;
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
