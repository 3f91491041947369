import { Amount, Duration, GENESIS_TIME, Instant, PartyId, Round, supplyOf } from '@coinlab/core';
import { EventLog, type Sink } from '../log/event-log.js';
import { CapWatch } from './cap-watch.js';
import { metricsOf } from './metrics.js';
import { PROGRESS_ROWS, reportOf, type RunHooks, type RunReport } from './report.js';
import { MOST_INPUTS, requireSettings, type StreamSettings } from './settings.js';
import { ReplayLedger } from './replay-ledger.js';
import { ReplayWallets } from './wallets.js';

/** Ledger time between two rows. A stream has an order but no clock; rounds do not advance. */
const ROW_SPAN = Duration.seconds(1);

const PAYER = 0;
const PAYEE = 1;

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
  requireSettings(settings);
  const wallet = PartyId.of('wallet');
  const metrics = metricsOf([wallet], settings);
  const log = sink && new EventLog(settings.seed, sink);
  const ledger = new ReplayLedger({
    seed: settings.seed,
    maxNumInputs: settings.cap ?? MOST_INPUTS,
    holdingRate: null,
    firstRound: Round.of(1),
    roundsAdvance: false,
    onEntry(entry) {
      metrics.fold(entry);
      log?.append(entry);
    },
  });
  const wallets = new ReplayWallets(ledger, [wallet, PartyId.of('payee')], settings);
  for (const amount of settings.opening) wallets.receive(PAYER, amount);

  const overCap = new CapWatch();
  const waiting = new Queue();
  let receipts = 0;
  let dropped = 0;
  let done = 0;
  for (const row of rows) {
    done += 1;
    ledger.now = Instant.plus(GENESIS_TIME, Duration.times(ROW_SPAN, done));
    if (row > 0n) {
      wallets.receive(PAYER, Amount.ofUnits(row));
      receipts += 1;
    } else if (settings.whenShort === 'drop' && !wallets.affords(PAYER, Amount.ofUnits(-row))) dropped += 1;
    else waiting.add(Amount.ofUnits(-row));
    for (let next = waiting.first; next !== null && wallets.affords(PAYER, next);) {
      wallets.pay(PAYER, PAYEE, next);
      next = waiting.drop();
    }
    wallets.tidy(PAYER);
    metrics.endRow();
    overCap.endRow(done, metrics, wallets);
    if (done % PROGRESS_ROWS === 0) onProgress?.(done);
  }
  onProgress?.(done);
  return reportOf(settings, metrics, {
    rows: done,
    firstRowOverCap: overCap.row,
    receipts,
    unpaid: dropped + waiting.length,
    capMerges: wallets.capMerges,
    minted: supplyOf(ledger.state).minted,
    burned: supplyOf(ledger.state).burned,
    finalBalance: wallets.balance(PAYER),
    logHash: log?.close().hash ?? '',
    stateHash: log ? ledger.hash() : '',
  });
}

/** Made payments that stay in the array, so that most removals move nothing. */
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
