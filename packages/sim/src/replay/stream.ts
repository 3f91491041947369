import { at } from '@coinlab/core/workflows';
import { balanceOf, Duration, GENESIS_TIME, Instant, PartyId, Round, supplyOf, Amount } from '@coinlab/core';
import type { PaymentStream } from '../input/stream.js';
import { EventLog, type Sink } from '../log/event-log.js';
import { metricsOf } from './metrics.js';
import { NetworkLedger } from './network-ledger.js';
import { PROGRESS_ROWS, reportOf, type RunHooks, type RunReport } from './report.js';
import { MOST_INPUTS, requireSettings, type StreamSettings } from './settings.js';
import { WalletHabits } from './wallet.js';

/** Virtual time between two rows. A stream has an order and no clock; rounds stand still. */
const ROW_SPAN = Duration.seconds(1);

/**
 * Drives a payment stream through the ledger: one wallet receives what is minted for it and pays a payee.
 * @param sink takes the event log, piece by piece; null: there is no log, and nothing is hashed
 */
export function replayStream(
  { rows }: PaymentStream,
  settings: StreamSettings,
  sink: Sink | null,
  { onProgress }: RunHooks = {},
): RunReport {
  requireSettings(settings);
  const wallet = PartyId.of('wallet');
  const metrics = metricsOf([wallet], settings);
  const log = sink && new EventLog(sink);
  const ledger = new NetworkLedger({
    seed: settings.seed,
    maxNumInputs: settings.cap ?? MOST_INPUTS,
    holdingRate: null,
    firstRound: Round.of(1),
    roundsAdvance: false,
    onUpdate(update) {
      metrics.fold(update);
      log?.append(update);
    },
  });
  const [payer, payee] = [ledger.open(wallet), ledger.open(PartyId.of('payee'))];
  const habits = new WalletHabits(ledger, settings);
  for (const amount of settings.opening) ledger.mint(payer, amount);

  const waiting = new Queue();
  let receipts = 0;
  let dropped = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = at(rows, i);
    ledger.now = Instant.plus(GENESIS_TIME, Duration.times(ROW_SPAN, i + 1));
    if (row > 0n) {
      ledger.mint(payer, Amount.ofUnits(row));
      receipts += 1;
    } else if (settings.whenShort === 'drop' && -row > balanceOf(ledger.state, wallet).unlocked) dropped += 1;
    else waiting.add(Amount.ofUnits(-row));
    for (let next = waiting.first; next !== null && next <= balanceOf(ledger.state, wallet).unlocked;) {
      habits.pay(payer, payee, next);
      next = waiting.drop();
    }
    habits.tidy(payer);
    metrics.endRow();
    if ((i + 1) % PROGRESS_ROWS === 0) onProgress?.(i + 1);
  }
  onProgress?.(rows.length);
  return reportOf(settings, metrics, {
    rows: rows.length,
    receipts,
    unpaid: dropped + waiting.length,
    capMerges: habits.capMerges,
    minted: supplyOf(ledger.state).minted,
    burned: supplyOf(ledger.state).burned,
    finalBalance: balanceOf(ledger.state, wallet).total,
    logHash: log?.close().hash ?? '',
    stateHash: log ? ledger.hash() : '',
  });
}

/** Payments that wait, first come first served. */
class Queue {
  readonly #amounts: Amount[] = [];
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

  /** Takes the first one out; gives the next. */
  drop(): Amount | null {
    this.#done += 1;
    return this.first;
  }
}
