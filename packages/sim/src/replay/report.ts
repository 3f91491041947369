import type { Amount } from '@coinlab/core';
import { NETWORK_CAP } from '../metrics/limits.js';
import type { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { SelectionName } from '../policies/named.js';
import type { WalletSettings } from './settings.js';

/** Settings and figures of a run. Amounts are in coin. */
export interface RunReport {
  readonly policy: SelectionName;
  readonly cap: number | null;
  readonly mergeThreshold: number | null;
  readonly rows: number;
  /** Number of rows that credit a wallet: receipts in a stream, mints in a network. */
  readonly receipts: number;
  readonly payments: number;
  /** Payments not made: still waiting at the end, dropped, or above the sender's balance. */
  readonly unpaid: number;
  /** Mean number of UTXOs after each row (for a network: of all parties). Rounded to six decimals, like all quotients. */
  readonly meanUtxos: number;
  readonly maxUtxos: number;
  readonly finalUtxos: number;
  readonly changeCreated: number;
  readonly inputsSpent: number;
  readonly meanInputs: number;
  readonly maxInputs: number;
  /** Quantiles of the inputs of payments: the ⌈p·n⌉-th smallest. */
  readonly inputQuantiles: Readonly<Record<'p50' | 'p90' | 'p95' | 'p99', number>>;
  readonly singleInputShare: number;
  /** First row, counted from 1, with a payment that needed more inputs than the cap (100 without a cap). Null: none. */
  readonly firstRowOverCap: number | null;
  /** Payments of more than 100 inputs, which the network would refuse. */
  readonly paymentsOver100Inputs: number;
  /** Merges made only to fit a payment under the cap. */
  readonly capMerges: number;
  /** All merges, including `capMerges`. */
  readonly merges: number;
  readonly mergeInputs: number;
  readonly expired: number;
  readonly minted: Amount;
  readonly burned: Amount;
  readonly finalBalance: Amount;
  readonly seed: number;
  /** SHA-256 of the event log; empty without a log. */
  readonly logHash: string;
  /** SHA-256 of the canonical ledger state at the end; empty without a log. */
  readonly stateHash: string;
}

/** Additional figures of a network run. */
export interface NetworkReport extends RunReport {
  readonly transfers: number;
  /** Transfers above the sender's balance, skipped. */
  readonly failed: number;
  /** Share of party-rounds with more than 10 UTXOs: one count per party and round end, from the party's first row on. */
  readonly shareOfPartyRoundsOver10: number;
  readonly partiesOver10Final: number;
}

/** Final figures of a party. */
export interface PartyLine {
  readonly party: string;
  readonly utxos: number;
  readonly balance: Amount;
}

/** Callbacks of a run. */
export interface RunHooks {
  /** Called every 256 rows and at the end, with the number of rows done. */
  readonly onProgress?: (rows: number) => void;
}

export const PROGRESS_ROWS: number = 256;

export interface RunTotals {
  readonly rows: number;
  readonly firstRowOverCap: number | null;
  readonly receipts: number;
  readonly unpaid: number;
  readonly capMerges: number;
  readonly minted: Amount;
  readonly burned: Amount;
  readonly finalBalance: Amount;
  readonly logHash: string;
  readonly stateHash: string;
}

export function reportOf(settings: WalletSettings, { all }: ScenarioMetrics, totals: RunTotals): RunReport {
  const { policy, cap, mergeThreshold, seed } = settings;
  const { inputs } = all;
  return {
    policy,
    cap,
    mergeThreshold,
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
    inputQuantiles: {
      p50: inputs.quantile(0.5),
      p90: inputs.quantile(0.9),
      p95: inputs.quantile(0.95),
      p99: inputs.quantile(0.99),
    },
    singleInputShare: ratio(inputs.samples - inputs.countAbove(1), inputs.samples),
    firstRowOverCap: totals.firstRowOverCap,
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

export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(6));
}
