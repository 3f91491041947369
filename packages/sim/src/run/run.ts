import type { Amount, LedgerState } from '@coinlab/core';
import { EventLog, type LogSummary, type SavedLog, type Sink } from '../log/event-log.js';
import type { ByteHash } from '../hash/sha256.js';
import type { Histogram } from '../metrics/histogram.js';
import { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { Table } from '../metrics/table.js';
import type { OwnPolicies } from '../policies/own.js';
import type { ScenarioFiles } from '../scenario/files.js';
import { roundsOf, type Scenario } from '../scenario/scenario.js';
import { Population } from '../world/population.js';
import { World } from '../world/world.js';
import type { Saved } from '../saved.js';
import { judge, type ThresholdResult } from './thresholds.js';

/** Options of a run. None of the defaults changes the result. */
export interface RunOptions {
  /** Index of the replicate, from 0. */
  readonly replicate?: number;
  readonly policies?: OwnPolicies;
  /** The files that the scenario names; see `filesOf`. */
  readonly files?: ScenarioFiles;
  /** Receives the segments of the event log; by default the log is only hashed. */
  readonly log?: Sink;
  /** Whether updates are encoded. Without, the log's hash is that of an empty log. Default true. */
  readonly isLogged?: boolean;
  /** Whether the final state is hashed, which scans the state. Without, the hash is empty. Default true. */
  readonly isHashed?: boolean;
  /** Hashes the log; by default the fastest available. A {@link ResumableHash} makes the run resumable. */
  readonly hash?: ByteHash;
  /** Continues from a checkpoint. Scenario, replicate, files and policies must be those of the interrupted run. */
  readonly resume?: Checkpoint;
  /** Called after every round; `total` is null when the duration is given in updates. */
  readonly onProgress?: (rounds: number, total: number | null) => void;
}

/** The result of a run. */
export interface RunResult {
  readonly scenario: Scenario;
  readonly replicate: number;
  readonly rounds: number;
  /** Every metric by name; amounts of coin and USD are exact. See `METRICS`. */
  readonly summary: ReadonlyMap<string, number | Amount>;
  /** One row per sample and group. */
  readonly series: Table;
  readonly histograms: ReadonlyMap<string, Histogram>;
  /** UTXOs of each party at the end, by party number. */
  readonly utxos: Int32Array;
  readonly refused: ReadonlyMap<string, number>;
  readonly thresholds: readonly ThresholdResult[];
  readonly log: LogSummary;
  readonly stateHash: string;
}

/** Runs a scenario to its end. The same scenario, replicate and version give the same result, byte for byte. */
export function runScenario(scenario: Scenario, options: RunOptions = {}): RunResult {
  const run = new Run(scenario, options);
  while (!run.isOver) run.playRound();
  return run.result();
}

/** The state of a run between two rounds, sufficient to continue it. */
export interface Checkpoint {
  readonly round: number;
  readonly log: SavedLog;
  readonly world: Saved;
  readonly metrics: Saved;
  readonly state: LedgerState;
}

/** A running scenario, advanced round by round. {@link runScenario} runs one to its end. */
export class Run {
  readonly scenario: Scenario;
  readonly replicate: number;
  readonly #world: World;
  readonly #metrics: ScenarioMetrics;
  readonly #log: EventLog;
  readonly #onProgress: NonNullable<RunOptions['onProgress']>;
  readonly #isHashed: boolean;

  constructor(
    scenario: Scenario,
    {
      replicate = 0,
      policies = {},
      files = new Map(),
      log: sink = () => undefined,
      isLogged = true,
      isHashed = true,
      hash,
      resume,
      onProgress = () => undefined,
    }: RunOptions = {},
  ) {
    this.scenario = scenario;
    this.replicate = replicate;
    this.#onProgress = onProgress;
    this.#isHashed = isHashed;
    this.#log = new EventLog(scenario.seed, sink, hash, resume?.log);
    const population = new Population(scenario.groups);
    const metrics = new ScenarioMetrics(population, scenario);
    if (resume) metrics.restore(resume.metrics, resume.state);
    // Fold entries as they arrive, including the founding: with a million parties they would not fit into memory.
    this.#world = new World(scenario, {
      replicate,
      policies,
      files,
      population,
      onRow: () => metrics.endRow(),
      onEntry: (entry) => {
        if (isLogged) this.#log.append(entry);
        metrics.fold(entry);
      },
      ...(resume && { resume }),
    });
    this.#metrics = metrics;
  }

  get round(): number {
    return this.#world.round;
  }

  get isOver(): boolean {
    return this.#world.isOver;
  }

  playRound(): void {
    const { warmup, duration, metrics } = this.scenario;
    if (this.round === warmup) this.#metrics.reset();
    this.#world.playRound();
    if (this.round > warmup && (this.round - warmup) % metrics.every === 0) this.#metrics.sample(this.round);
    const total = roundsOf(duration);
    this.#onProgress(this.round, Number.isFinite(total) ? total : null);
  }

  /** Returns a checkpoint. It is valid until the next round begins. */
  checkpoint(): Checkpoint {
    return {
      round: this.round,
      log: this.#log.save(),
      world: this.#world.save(),
      metrics: this.#metrics.save(),
      state: this.#world.state,
    };
  }

  result(): RunResult {
    const { scenario, replicate } = this;
    const world = this.#world;
    const metrics = this.#metrics;
    const { asked, made, short, capMerges, misstated, retried, swept, refused } = world.counts;
    const summary = metrics.summary(scenario.network.prices);
    for (const [metric, mean] of metrics.meanUtxos()) summary.set(metric, mean);
    summary.set('payments.asked', asked);
    summary.set('payments.made', made);
    world.paymentsByGroup.forEach(({ requested, completed }, i) => {
      const group = scenario.groups[i]?.name ?? '';
      summary.set(`${group}/payments.asked`, requested);
      summary.set(`${group}/payments.made`, completed);
    });
    summary.set('payments.short', short);
    summary.set('payments.waiting', world.waiting);
    summary.set(
      'payments.refused',
      [...refused.values()].reduce((sum, count) => sum + count, 0),
    );
    summary.set('payments.capMerges', capMerges);
    summary.set('payments.misstated', misstated);
    summary.set('payments.retried', retried);
    summary.set('sweeps', swept);
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
      log: this.#log.close(),
      stateHash: this.#isHashed ? world.hash() : '',
    };
  }
}
