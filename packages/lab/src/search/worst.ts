import { intervalOf, Streams, type Interval, type Stream } from '@coinlab/sim';
import { boundOf, drawnStream, streamsWithin, type Rows, type StreamLimits } from './limits.js';
import { neighbour } from './neighbour.js';

/** The figure of a stream that a search maximises. Must be deterministic. */
export type Objective = (rows: Rows) => number;

/** A stream and its value. */
export interface Scored {
  readonly rows: Rows;
  readonly value: number;
}

/** Limits, budget and seed of a search. */
export interface SearchOptions {
  readonly limits: StreamLimits;
  readonly objective: Objective;
  /** Largest number of evaluated streams, including the baseline. */
  readonly budget: number;
  readonly restarts: number;
  readonly seed: number;
  /** Called after every stream, with the worst value so far. */
  readonly onProgress?: (looked: number, worst: number) => void;
}

/** The result of a search. */
export interface Found {
  readonly worst: Scored;
  /** Mean value of random streams, drawn before the search. */
  readonly baseline: Interval;
  readonly worstDrawn: number;
  readonly looked: number;
  /** Whether the search was exhaustive, so that no stream within the limits is worse. */
  readonly isProven: boolean;
}

const BASELINE = 100;

/**
 * Searches the stream with the largest value. Exhaustive when the budget allows; otherwise simulated annealing from random
 * streams, with the last run starting from the worst stream so far. Deterministic. Throws a RangeError when no stream is within
 * the limits.
 */
export function searchWorst(options: SearchOptions): Found {
  const { limits, budget, restarts, seed } = options;
  const streams = new Streams(seed);
  const watch = new Watch(options);
  const draws = streams.named('search/baseline');
  const drawn: number[] = [];
  for (let i = 0; i < Math.max(2, Math.min(BASELINE, Math.floor(budget / 5))); i++)
    drawn.push(watch.look(drawnStream(limits, draws)));
  const worstDrawn = watch.worst.value;
  const isProven = boundOf(limits) <= budget - watch.looked;
  if (isProven) for (const rows of streamsWithin(limits)) watch.look(rows);
  else {
    const spread = spreadOf(drawn);
    for (let restart = 0; restart < restarts && watch.looked < budget; restart++) {
      const chance = streams.named(`search/restart-${restart}`);
      const isLast = restart === restarts - 1;
      const start = isLast && restart > 0 ? watch.worst.rows : drawnStream(limits, chance);
      const steps = Math.floor((budget - watch.looked) / (restarts - restart));
      anneal(start, { steps, spread, chance, limits, watch });
    }
  }
  return { worst: watch.worst, baseline: intervalOf(drawn), worstDrawn, looked: watch.looked, isProven };
}

class Watch {
  readonly #objective: Objective;
  readonly #onProgress: NonNullable<SearchOptions['onProgress']>;
  looked = 0;
  worst: Scored = { rows: [], value: -Infinity };

  constructor({ objective, onProgress = (): void => undefined }: SearchOptions) {
    this.#objective = objective;
    this.#onProgress = onProgress;
  }

  look(rows: Rows): number {
    const value = this.#objective(rows);
    this.looked += 1;
    if (value > this.worst.value) this.worst = { rows, value };
    this.#onProgress(this.looked, this.worst.value);
    return value;
  }
}

interface Annealing {
  readonly steps: number;
  readonly spread: number;
  readonly chance: Stream;
  readonly limits: StreamLimits;
  readonly watch: Watch;
}

function anneal(start: Rows, { steps, spread, chance, limits, watch }: Annealing): void {
  let rows = start;
  let value = watch.look(rows);
  for (let step = 1; step < steps; step++) {
    const candidate = neighbour(rows, limits, chance);
    const found = watch.look(candidate);
    const temperature = spread * COLDEST ** (step / steps);
    if (found < value && !chance.chance(Math.exp((found - value) / temperature))) continue;
    rows = candidate;
    value = found;
  }
}

const COLDEST = 0.001;

function spreadOf(values: readonly number[]): number {
  const spread = Math.max(...values) - Math.min(...values);
  return spread > 0 ? spread / 2 : 1;
}
