import { Duration, type Amount, type Instant, type Update } from '@coinlab/core';
import type { Histogram } from '../metrics/histogram.js';
import type { Registry } from '../metrics/party-figures.js';
import { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { Table } from '../metrics/table.js';
import { ROUNDS_PER_DAY, type Scenario } from '../scenario/scenario.js';

/** What of a scenario its metrics depend on. */
export type Measured = Pick<Scenario, 'network' | 'warmup' | 'metrics'>;

/** What a log tells. */
export interface LogFigures {
  /** Rounds that the log reaches into. */
  readonly rounds: number;
  /** Every metric of the log by name; those of payments that were asked for are not in it, since a refusal leaves no update. */
  readonly summary: ReadonlyMap<string, number | Amount>;
  /** One row per sample and group. */
  readonly series: Table;
  readonly histograms: ReadonlyMap<string, Histogram>;
  /** UTXOs of each party at the end, by number. */
  readonly utxos: Int32Array;
}

/** Ledger time of a round. */
const ROUND = Duration.days(1) / BigInt(ROUNDS_PER_DAY);

/**
 * The metrics of a run from its log alone. A round is known by its time: the first begins a tick after the log's first update, and
 * everything before founds the network.
 */
export class LogMetrics {
  readonly #metrics: ScenarioMetrics;
  readonly #measured: Measured;
  /** Rounds that have begun; the last of them is still going on. */
  #begun = 0;
  #first: Instant | null = null;

  constructor(registry: Registry, measured: Measured) {
    this.#metrics = new ScenarioMetrics(registry, measured);
    this.#measured = measured;
  }

  /** Takes the next update. */
  take(update: Update): void {
    this.#first ??= update.recordTime;
    const begun = Number((update.recordTime - this.#first) / ROUND);
    while (this.#begun < begun) this.#next();
    this.#metrics.fold(update);
  }

  /** The last round ends with the log. Nothing may follow. */
  figures(): LogFigures {
    this.#end();
    return {
      rounds: this.#begun,
      summary: this.#metrics.summary(this.#measured.network.prices),
      series: this.#metrics.series,
      histograms: this.#metrics.histograms(),
      utxos: this.#metrics.counts,
    };
  }

  #next(): void {
    this.#end();
    if (this.#begun === this.#measured.warmup) this.#metrics.reset();
    this.#begun += 1;
  }

  #end(): void {
    const { warmup, metrics } = this.#measured;
    if (this.#begun > warmup && (this.#begun - warmup) % metrics.every === 0) this.#metrics.sample(this.#begun);
  }
}
