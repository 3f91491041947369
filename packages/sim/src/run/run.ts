import type { Amount, Update } from '@coinlab/core';
import { EventLog, type LogSummary, type Sink } from '../log/event-log.js';
import type { Histogram } from '../metrics/lab/histogram.js';
import { ScenarioMetrics } from '../metrics/lab/scenario-metrics.js';
import type { Table } from '../metrics/lab/table.js';
import type { OwnPolicies } from '../policies/own.js';
import type { ScenarioFiles } from '../scenario/files.js';
import { roundsOf, type Scenario } from '../scenario/scenario.js';
import { World } from '../world/world.js';
import { judge, type ThresholdResult } from './thresholds.js';

/** How a scenario is run; what is left out does not change the result. */
export interface RunOptions {
  /** Replicate of the scenario's seed, from 0. */
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  /** The files that the scenario names; see `filesOf`. */
  readonly files?: ScenarioFiles;
  /** Takes the event log, piece by piece; left out: the log is hashed and forgotten. */
  readonly log?: Sink;
  /** Whether updates are written at all; without them the log's hash is that of nothing. */
  readonly isLogged?: boolean;
  /** Told after every round; `total` is null when updates end the run. */
  readonly onProgress?: (rounds: number, total: number | null) => void;
}

/** What a run found. */
export interface RunResult {
  readonly scenario: Scenario;
  readonly replicate: number;
  readonly rounds: number;
  /** Every metric by name; amounts of coin and USD are exact. See `METRICS`. */
  readonly summary: ReadonlyMap<string, number | Amount>;
  /** One row per sample and group. */
  readonly series: Table;
  readonly histograms: ReadonlyMap<string, Histogram>;
  /** UTXOs of each party at the end, by number. */
  readonly utxos: Int32Array;
  readonly refused: ReadonlyMap<string, number>;
  readonly thresholds: readonly ThresholdResult[];
  readonly log: LogSummary;
  readonly stateHash: string;
}

/** Plays a scenario to its end. The same scenario, replicate and version give the same result, byte for byte. */
export function runScenario(scenario: Scenario, options: RunOptions = {}): RunResult {
  const {
    replicate = 0,
    policies = {},
    files = new Map(),
    log: sink = () => undefined,
    isLogged = true,
    onProgress,
  } = options;
  const log = new EventLog(sink);
  const early: Update[] = [];
  let fold = (update: Update): void => void early.push(update);
  const world = new World(scenario, {
    replicate,
    policies,
    files,
    onUpdate(update) {
      if (isLogged) log.append(update);
      fold(update);
    },
  });
  const metrics = new ScenarioMetrics(world.population, scenario);
  for (const update of early.splice(0)) metrics.fold(update);
  fold = (update) => metrics.fold(update);
  const total = roundsOf(scenario.duration);
  while (!world.isOver) {
    if (world.round === scenario.warmup) metrics.reset();
    world.playRound();
    if (world.round > scenario.warmup && (world.round - scenario.warmup) % scenario.metrics.every === 0)
      metrics.sample(world.round);
    onProgress?.(world.round, Number.isFinite(total) ? total : null);
  }
  const { asked, made, short, capMerges, refused } = world.counts;
  const summary = metrics.summary(scenario.network.prices);
  summary.set('payments.asked', asked);
  summary.set('payments.made', made);
  summary.set('payments.short', short);
  summary.set('payments.waiting', world.waiting);
  summary.set(
    'payments.refused',
    [...refused.values()].reduce((sum, count) => sum + count, 0),
  );
  summary.set('payments.capMerges', capMerges);
  return {
    scenario,
    replicate,
    rounds: world.round,
    summary,
    series: metrics.series,
    histograms: metrics.histograms(),
    utxos: metrics.counts,
    refused,
    thresholds: judge(scenario.thresholds, summary),
    log: log.close(),
    stateHash: world.hash(),
  };
}
