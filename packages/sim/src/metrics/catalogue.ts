import type { ColumnKind } from './table.js';

/** Describes a metric. Names are stable: thresholds, tables, plots and pages refer to them. */
export interface MetricInfo {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly unit: string;
  readonly formula: string;
  /** Whether only the network has the metric, not each group. */
  readonly isNetworkOnly: boolean;
}

const metric = (name: string, kind: ColumnKind, unit: string, formula: string): MetricInfo => ({
  name,
  kind,
  unit,
  formula,
  isNetworkOnly: false,
});

const networkMetric = (...given: Parameters<typeof metric>): MetricInfo => {
  const own = metric(...given);
  return { ...own, formula: `network only: ${own.formula}`, isNetworkOnly: true };
};

/**
 * Every metric of a run. "Pooled" metrics take each party at each sampled round as one observation; flows count from the end of
 * the warm-up to the end of the run. A row is a requested payment or receipt, recorded or drawn, with the merges that follow it;
 * `coinlab replay` counts the same rows. Each metric also exists per group as `<group>/<name>` unless it is network only.
 */
export const METRICS: readonly MetricInfo[] = [
  metric('utxosPerParty.mean', 'ratio', 'UTXOs', 'pooled mean of a party’s active holdings, locked ones included'),
  metric('utxosPerParty.p50', 'count', 'UTXOs', 'pooled median'),
  metric('utxosPerParty.p95', 'count', 'UTXOs', 'pooled 95 % quantile (inverse of the ECDF)'),
  metric('utxosPerParty.p99', 'count', 'UTXOs', 'pooled 99 % quantile'),
  metric('utxosPerParty.max', 'count', 'UTXOs', 'largest count of a party at a sampled round'),
  metric('utxosPerParty.over10', 'ratio', 'share', 'pooled share of observations above 10 UTXOs'),
  metric('utxos.mean', 'ratio', 'UTXOs', 'mean number of active holdings after each row'),
  metric('utxos.max', 'count', 'UTXOs', 'largest number of active holdings at any time'),
  metric('utxos.final', 'count', 'UTXOs', 'active holdings at the end'),
  metric('utxos.growth', 'ratio', 'UTXOs per day', 'least-squares slope of all active holdings over the samples'),
  metric('transfers', 'count', 'transfers', 'completed transfers between parties: preapproved and accepted offers'),
  metric('inputsPerTransfer.mean', 'ratio', 'inputs', 'mean inputs of a transfer or offer'),
  metric('inputsPerTransfer.p95', 'count', 'inputs', '95 % quantile of inputs'),
  metric('inputsPerTransfer.max', 'count', 'inputs', 'largest number of inputs'),
  metric('capHits', 'count', 'transactions', 'transfers and offers with as many inputs as one transaction may have'),
  metric('merges', 'count', 'merges', 'merges of a wallet’s coins, its own and delegated ones'),
  metric('mergeInputs', 'count', 'inputs', 'coins consumed by merges'),
  metric('merges.bytes', 'count', 'bytes', 'estimated traffic of merges'),
  metric('changeRatio', 'ratio', 'change / payment', 'mean of change ÷ amount over transfers with change'),
  metric(
    'dust.created',
    'count',
    'UTXOs',
    'coins created that expire within a day unless spent: amount ≤ 144 × rate per round',
  ),
  metric('dust.expired', 'count', 'UTXOs', 'coins that expired'),
  metric('dust.expiredValue', 'coin', 'coin', 'amount of coins that expired'),
  metric('traffic.bytes', 'count', 'bytes', 'Σ estimated message bytes of updates (assumption A-14)'),
  metric('traffic.usd', 'usd', 'USD', 'traffic.bytes ÷ 1,000,000 × traffic price at the end'),
  metric('traffic.coin', 'coin', 'coin', 'traffic.usd ÷ coin price at the end'),
  metric('locked', 'ratio', 'UTXOs', 'mean number of locked holdings per sample'),
  metric('pending', 'ratio', 'offers', 'mean number of open offers per sample'),
  metric('rewards.minted', 'coin', 'coin', 'coin minted by updates other than income and faucets'),
  metric('burned', 'coin', 'coin', 'coin burned: fees, traffic, expired coins'),
  metric(
    'fees.paid',
    'coin',
    'coin',
    'fees by size (`network.fees.perByte`), and what transfers, offers and merges burn',
  ),
  networkMetric('supply', 'coin', 'coin', 'minted − burned coin at the end'),
  metric('payments.asked', 'count', 'payments', 'payments requested by parties'),
  metric('payments.made', 'count', 'payments', 'requested payments that were completed in one step or offered'),
  networkMetric('payments.short', 'count', 'payments', 'requested payments dropped because they exceed the balance'),
  networkMetric('payments.waiting', 'count', 'payments', 'requested payments still waiting for coin at the end'),
  networkMetric('payments.refused', 'count', 'commands', 'wallet commands refused by the ledger'),
  networkMetric('payments.capMerges', 'count', 'merges', 'merges made only to fit a payment under the input cap'),
  networkMetric(
    'payments.misstated',
    'count',
    'payments',
    'payments whose amount differs from the request (wallet fault `floatAmounts`)',
  ),
  networkMetric(
    'payments.retried',
    'count',
    'payments',
    'payments retried with a fresh list of UTXOs (wallet fault `staleInputs`)',
  ),
  networkMetric('sweeps', 'count', 'transfers', 'sweeps by a wallet’s own habit (`wallet.sweep`)'),
  networkMetric('updates', 'count', 'updates', 'updates in the log after the warm-up'),
];
