import { Amount, countOf, inputsToMerge, PartyId, Round } from '@coinlab/core';
import type { NetworkFile, NetworkRow } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';
import type { PolicyName } from '../policies/named.js';
import { replayNetwork } from '../replay/network.js';
import { ReplayLedger } from '../replay/replay-ledger.js';
import type { NetworkReport, RunReport } from '../replay/report.js';
import { DEFAULT_SETTINGS, type NetworkSettings, type StreamSettings } from '../replay/settings.js';
import { replayStream } from '../replay/stream.js';
import { exactly, type Check, type Subject } from './check.js';

export function* closedFormChecks(): Generator<Check> {
  yield* thresholdMerging();
  yield* cappedMerging();
  yield* ring();
  yield* expiryByAge();
}

/**
 * Single receipts and a threshold T: the count goes 1, 2, … T, and the next receipt merges all coins into one; the mean is (T +
 * 1) / 2.
 */
function* thresholdMerging(): Generator<Check> {
  for (const threshold of [1, 10, 25]) {
    const receipts = 40 * threshold;
    const of = subject(`${receipts} receipts, merging above ${threshold}`);
    const report = replayed(
      Array.from({ length: receipts }, () => 1n),
      { mergeThreshold: threshold },
    );
    yield exactly(of, 'mean UTXOs, (T + 1) / 2', (threshold + 1) / 2, report.meanUtxos);
    yield exactly(of, 'merges, n / T − 1', receipts / threshold - 1, report.merges);
  }
}

/** A transaction of c inputs removes c − 1 UTXOs, so n UTXOs become one in ⌈(n − 1) / (c − 1)⌉ transactions. */
function* cappedMerging(): Generator<Check> {
  for (const [utxos, cap] of [
    [1000, 100],
    [100, 100],
    [101, 100],
    [64, 2],
  ] as const) {
    const of = subject(`${utxos} equal UTXOs, cap ${cap}`);
    const transactions = Math.ceil((utxos - 1) / (cap - 1));
    yield exactly(of, 'merges to one, ⌈(n − 1) / (c − 1)⌉', transactions, mergesToOne(utxos, cap));
    const paid = replayed([...Array.from({ length: utxos }, () => 1n), BigInt(-utxos)], { cap });
    yield exactly(of, 'transactions to pay all at once', transactions, paid.capMerges + paid.payments);
  }
}

function mergesToOne(utxos: number, cap: number): number {
  let merges = 0;
  const ledger = new ReplayLedger({
    seed: 1,
    maxNumInputs: cap,
    holdingRate: null,
    firstRound: Round.of(1),
    roundsAdvance: false,
    onEntry: (entry) => {
      if (entry.kind === 'HoldingsMerged') merges += 1;
    },
  });
  const { party: owner } = ledger.open(PartyId.of('wallet'));
  for (let i = 0; i < utxos; i++) ledger.mint(owner, Amount.one);
  while (countOf(ledger.state, owner) > 1) {
    const inputs = inputsToMerge(ledger.state, owner, cap).map(({ id }) => id);
    ledger.submit({ type: 'MergeHoldings', owner, inputs }, owner);
  }
  return merges;
}

/**
 * A ring of n parties, each with a coin of 1 and each in turn paying ½ to the next. Smallest-first spends the half just received,
 * so only one payment makes change and n + 1 UTXOs remain. Largest-first splits the whole coin: n payments with change, 2n UTXOs.
 */
function* ring(): Generator<Check> {
  const [parties, laps] = [12, 20];
  const expected: readonly (readonly [PolicyName, number, number])[] = [
    ['smallest-first', parties + 1, 1],
    ['largest-first', 2 * parties, parties],
  ];
  const half = Amount.of('0.5');
  const rows: NetworkRow[] = Array.from({ length: parties }, (_, to) => ({
    round: Round.of(1),
    from: null,
    to,
    amount: Amount.one,
  }));
  for (let lap = 0; lap < laps; lap++)
    for (let from = 0; from < parties; from++)
      rows.push({ round: Round.of(2 + lap), from, to: (from + 1) % parties, amount: half });
  for (const [policy, utxos, changes] of expected) {
    const of = subject(`ring of ${parties}, ${policy}, ${laps} laps`);
    const report = ofNetwork(rows, parties, { policy });
    yield exactly(of, policy === 'smallest-first' ? 'UTXOs, n + 1' : 'UTXOs, 2n', utxos, report.finalUtxos);
    yield exactly(of, 'changes', changes, report.changeCreated);
    yield exactly(of, 'inputs, one per payment', parties * laps, report.inputsSpent);
  }
}

/** With a holding fee of r, a coin of k·r expires in the first round in which age × r exceeds it: at age k + 1. */
function* expiryByAge(): Generator<Check> {
  const rate = Amount.of('0.01');
  const coins = 10;
  for (const age of [1, 6, 11]) {
    const of = subject(`coins of 1 to ${coins} rounds of holding fee, at age ${age}`);
    const rows: NetworkRow[] = Array.from({ length: coins }, (_, k) => ({
      round: Round.of(1),
      from: null,
      to: 0,
      amount: Amount.times(rate, k + 1),
    }));
    // A round exists only where the file has a row.
    for (let round = 2; round <= 1 + age; round++)
      rows.push({ round: Round.of(round), from: null, to: 1, amount: Amount.ofWhole(1000) });
    const report = ofNetwork(rows, 2, { holdingRate: rate });
    const expired = Math.min(coins, age - 1);
    yield exactly(of, 'expired, age − 1', expired, report.expired);
    yield exactly(
      of,
      'coin expired',
      Amount.short(Amount.times(rate, (expired * (expired + 1)) / 2)),
      Amount.short(report.burned),
    );
  }
}

function subject(text: string): Subject {
  return { part: 'closed forms', subject: text };
}

function replayed(coins: readonly bigint[], settings: Partial<StreamSettings>): RunReport {
  const stream: PaymentStream = {
    kind: 'stream',
    file: 'closed form',
    unit: Amount.one,
    rows: coins.map((coin) => coin * Amount.one),
  };
  return replayStream(stream, { ...DEFAULT_SETTINGS, ...settings }, null);
}

function ofNetwork(rows: readonly NetworkRow[], parties: number, settings: Partial<NetworkSettings>): NetworkReport {
  const file: NetworkFile = {
    kind: 'network',
    file: 'closed form',
    rows,
    parties: Array.from({ length: parties }, (_, i) => `p${i}`),
  };
  return replayNetwork(file, { ...DEFAULT_SETTINGS, ...settings }, null).report;
}
