import { intervalOf, Streams, type Interval, type Stream } from '@coinlab/sim';
import { boundOf, drawnStream, streamsWithin, type Rows, type StreamLimits } from './limits.js';
import { neighbour } from './neighbour.js';

/** A figure of a stream; the greater, the worse. The same stream always has the same. */
export type Objective = (rows: Rows) => number;

/** A stream and its figure. */
export interface Scored {
  readonly rows: Rows;
  readonly value: number;
}

/** How long and from where a search goes. */
export interface SearchOptions {
  readonly limits: StreamLimits;
  readonly objective: Objective;
  /** Streams that are looked at, those of the baseline included. */
  readonly budget: number;
  /** Times that it begins anew. */
  readonly restarts: number;
  readonly seed: number;
  /** Told after every stream, with the worst so far. */
  readonly onProgress?: (looked: number, worst: number) => void;
}

/** What a search found. */
export interface Found {
  readonly worst: Scored;
  /** Drawn streams, before anything was searched: what is usual. */
  readonly baseline: Interval;
  /** The worst of the drawn ones. */
  readonly worstDrawn: number;
  /** Streams that were looked at. */
  readonly looked: number;
  /** Whether every stream within the limits was looked at, so that none is worse. */
  readonly isProven: boolean;
}

/** Drawn streams of the baseline, or a fifth of a small budget. */
const BASELINE = 100;

/**
 * Looks for the stream that is worst. When the budget allows, at every stream within the limits; else by simulated annealing from drawn
 * streams, the last time from the worst of all. The same options give the same stream. Throws a RangeError for limits that allow none.
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

/** Looks at streams and remembers the worst: of equal ones the first. */
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
  /** What counts as a large difference of figures. */
  readonly spread: number;
  readonly chance: Stream;
  readonly limits: StreamLimits;
  readonly watch: Watch;
}

/** From one stream to the next: to a worse one always, to a better one ever more seldom. */
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

/** The last temperature, as a part of the first. */
const COLDEST = 0.001;

function spreadOf(values: readonly number[]): number {
  const spread = Math.max(...values) - Math.min(...values);
  return spread > 0 ? spread / 2 : 1;
}
