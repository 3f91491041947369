import type { Amount, LedgerState } from '@coinlab/core';
import { EventLog, type LogLength, type LogSummary, type Sink } from '../log/event-log.js';
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
  /** Whether the state at the end is hashed, which is a scan; where not, its hash is empty. */
  readonly isHashed?: boolean;
  /** What hashes the log; left out: the fastest there is. One that can be saved makes the run one that can be stopped. */
  readonly hash?: ByteHash;
  /** Goes on from there; scenario, replicate, files and policies are to be those of the run that was stopped. */
  readonly resume?: Checkpoint;
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
  const run = new Run(scenario, options);
  while (!run.isOver) run.playRound();
  return run.result();
}

/** Where a run stood between two rounds: all that it takes to go on. */
export interface Checkpoint {
  readonly round: number;
  /** Where the log stood. */
  readonly log: LogLength;
  readonly world: Saved;
  readonly metrics: Saved;
  readonly state: LedgerState;
}

/** A scenario that is being played, round by round. {@link runScenario} plays one to its end. */
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
    this.#log = new EventLog(sink, hash, resume?.log);
    const population = new Population(scenario.groups);
    const metrics = new ScenarioMetrics(population, scenario);
    if (resume) metrics.restore(resume.metrics, resume.state);
    // Entries are folded as they come, the founding too: of a million parties they would not fit into memory.
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

  /** Rounds that have been played. */
  get round(): number {
    return this.#world.round;
  }

  /** Whether the scenario's time has come to its end. */
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

  /** Where the run stands. It changes with the next round: to be written down before. The log is handed to its sink up to here. */
  checkpoint(): Checkpoint {
    return {
      round: this.round,
      log: this.#log.flush(),
      world: this.#world.save(),
      metrics: this.#metrics.save(),
      state: this.#world.state,
    };
  }

  /** What was found. The log is complete then. */
  result(): RunResult {
    const { scenario, replicate } = this;
    const world = this.#world;
    const metrics = this.#metrics;
    const { asked, made, short, capMerges, misstated, retried, swept, refused } = world.counts;
    const summary = metrics.summary(scenario.network.prices);
    for (const [metric, mean] of metrics.meanUtxos()) summary.set(metric, mean);
    summary.set('payments.asked', asked);
    summary.set('payments.made', made);
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
