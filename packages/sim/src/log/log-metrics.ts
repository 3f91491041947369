import { Duration, type Amount, type Entry, type Instant } from '@coinlab/core';
import type { Histogram } from '../metrics/histogram.js';
import type { Registry } from '../metrics/party-figures.js';
import { ScenarioMetrics } from '../metrics/scenario-metrics.js';
import type { Table } from '../metrics/table.js';
import { ROUNDS_PER_DAY, type Scenario } from '../scenario/scenario.js';

/** The parts of a scenario that metrics depend on: prices and limits, warm-up and sampling. */
export type Measured = Pick<Scenario, 'network' | 'warmup' | 'metrics'>;

/** The metrics computed from a log. */
export interface LogFigures {
  readonly rounds: number;
  /** Metrics by name. Those about requested payments are missing, because a refusal leaves no update. */
  readonly summary: ReadonlyMap<string, number | Amount>;
  readonly series: Table;
  readonly histograms: ReadonlyMap<string, Histogram>;
  /** UTXOs of each party at the end, by party number. */
  readonly utxos: Int32Array;
}

const ROUND = Duration.days(1) / BigInt(ROUNDS_PER_DAY);

/**
 * Computes the metrics of a run from its log alone. Rounds follow from ledger time: the first begins one tick after the first
 * update; earlier updates found the network.
 */
export class LogMetrics {
  readonly #metrics: ScenarioMetrics;
  readonly #measured: Measured;
  #begun = 0;
  #first: Instant | null = null;

  constructor(registry: Registry, measured: Measured) {
    this.#metrics = new ScenarioMetrics(registry, measured);
    this.#measured = measured;
  }

  take(entry: Entry): void {
    this.#first ??= entry.recordTime;
    const begun = Number((entry.recordTime - this.#first) / ROUND);
    while (this.#begun < begun) this.#next();
    this.#metrics.fold(entry);
  }

  /** Ends the last round and returns the figures; `take` is invalid afterwards. */
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
