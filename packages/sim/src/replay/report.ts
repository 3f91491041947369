import type { Amount } from '@coinlab/core';
import { NETWORK_CAP } from '../metrics/limits.js';
import type { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { SelectionName } from '../policies/named.js';
import type { WalletSettings } from './settings.js';

/** What every run says: the settings, then the figures. Amounts are coin. */
export interface RunReport {
  readonly policy: SelectionName;
  /** Null: none. */
  readonly cap: number | null;
  /** Null: never. */
  readonly mergeAbove: number | null;
  /** Rows of the file. */
  readonly rows: number;
  /** Rows that brought coin: receipts of a stream, mints of a network. */
  readonly receipts: number;
  /** Payments made. */
  readonly payments: number;
  /** Payments that were never made: still waiting at the end, dropped, or above the sender's balance. */
  readonly unpaid: number;
  /** Mean over rows of the UTXO count after the row (of a network: the total over parties). Six decimals, like all quotients. */
  readonly meanUtxos: number;
  /** Largest count at any moment. */
  readonly maxUtxos: number;
  readonly finalUtxos: number;
  /** Payments that left change. */
  readonly changeCreated: number;
  /** Inputs of payments. */
  readonly inputsSpent: number;
  /** Per payment. */
  readonly meanInputs: number;
  readonly maxInputs: number;
  /** Payments of more than 100 inputs: what the network would refuse. */
  readonly paymentsOver100Inputs: number;
  /** Merges without which a payment would not have fitted under the cap. */
  readonly capMerges: number;
  /** All merges, those included. */
  readonly merges: number;
  readonly mergeInputs: number;
  /** Coins that expired as dust. */
  readonly expired: number;
  readonly minted: Amount;
  /** Coin that expired. */
  readonly burned: Amount;
  /** What the wallet (of a network: all parties) holds at the end. */
  readonly finalBalance: Amount;
  readonly seed: number;
  /** SHA-256 over the event log; empty for a run without one. */
  readonly logHash: string;
  /** SHA-256 over the canonical state of the ledger at the end; empty for a run without a log. */
  readonly stateHash: string;
}

/** What the run of a network says besides. */
export interface NetworkReport extends RunReport {
  /** Transfers made. */
  readonly transfers: number;
  /** Transfers above the sender's balance, skipped. */
  readonly failed: number;
  /** Share above 10 among the UTXO counts of every party at the end of every round since its first row. */
  readonly shareOfPartyRoundsOver10: number;
  /** Parties with more than 10 UTXOs at the end. */
  readonly partiesOver10Final: number;
}

/** What a party ends with. */
export interface PartyLine {
  /** As the file names it. */
  readonly party: string;
  readonly utxos: number;
  readonly balance: Amount;
}

/** What the shell of a run adds. */
export interface RunHooks {
  /** Called now and then with the number of rows that are done. */
  readonly onProgress?: (rows: number) => void;
}

/** Rows between two calls of `onProgress`. */
export const PROGRESS_ROWS: number = 256;

/** What a replay knows when its last row is done. */
export interface RunTotals {
  readonly rows: number;
  readonly receipts: number;
  readonly unpaid: number;
  readonly capMerges: number;
  readonly minted: Amount;
  readonly burned: Amount;
  readonly finalBalance: Amount;
  readonly logHash: string;
  readonly stateHash: string;
}

/** Puts a report together, its fields in the order in which they are printed. */
export function reportOf(settings: WalletSettings, { all }: ScenarioMetrics, totals: RunTotals): RunReport {
  const { policy, cap, mergeAbove, seed } = settings;
  const { inputs } = all;
  return {
    policy,
    cap,
    mergeAbove,
    rows: totals.rows,
    receipts: totals.receipts,
    payments: inputs.samples,
    unpaid: totals.unpaid,
    meanUtxos: ratio(all.rowSum, all.rows),
    maxUtxos: all.most,
    finalUtxos: all.now.sum,
    changeCreated: all.changes,
    inputsSpent: inputs.sum,
    meanInputs: ratio(inputs.sum, inputs.samples),
    maxInputs: inputs.max,
    paymentsOver100Inputs: inputs.countAbove(NETWORK_CAP),
    capMerges: totals.capMerges,
    merges: all.merges,
    mergeInputs: all.mergeInputs,
    expired: all.dustExpired,
    minted: totals.minted,
    burned: totals.burned,
    finalBalance: totals.finalBalance,
    seed,
    logHash: totals.logHash,
    stateHash: totals.stateHash,
  };
}

/** A quotient to six decimals; zero when nothing is divided by nothing. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(6));
}
