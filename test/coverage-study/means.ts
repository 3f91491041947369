import { bootstrapEnds, intervalOf, LEVEL, pairedDifference, simultaneousLevel, tInterval } from '@coinlab/sim';
import { Draws, type Source } from './draws.ts';

export const METHODS = ['t', 'percentile', 'BCa', 'bootstrap-t', 'used'] as const;
type Method = (typeof METHODS)[number];

/** Shares of trials in which an interval contains the true mean. */
export interface MeanCoverage {
  readonly source: string;
  readonly size: number;
  readonly covered: Readonly<Record<Method, number>>;
  /** Median width of the interval that coinlab uses, as a multiple of Student's t. */
  readonly width: number;
}

export function meanCoverage(seed: number, source: number, size: number, trials: number): MeanCoverage {
  const draws = new Draws(seed, `means/${source}/${size}`);
  const { name, mean, draw } = draws.sources()[source] as Source;
  const hits = new Map<Method, number>(METHODS.map((method) => [method, 0]));
  const widths: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const values = Array.from({ length: size }, draw);
    const t = tInterval(values);
    const used = intervalOf(values);
    const { percentile, bca, studentized } = bootstrapEnds(values, LEVEL);
    const ends: Readonly<Record<Method, readonly [number | null, number | null]>> = {
      t: [t.low, t.high],
      percentile,
      BCa: bca,
      'bootstrap-t': studentized,
      used: [used.low, used.high],
    };
    for (const method of METHODS) {
      const [low, high] = ends[method];
      if (low !== null && high !== null && low <= mean && mean <= high) hits.set(method, (hits.get(method) ?? 0) + 1);
    }
    widths.push((used.halfWidth ?? 0) / (t.halfWidth ?? 1));
  }
  widths.sort((a, b) => a - b);
  const covered = Object.fromEntries(METHODS.map((method) => [method, (hits.get(method) ?? 0) / trials]));
  return { source: name, size, covered: covered as Record<Method, number>, width: widths[trials >> 1] ?? 1 };
}

/** Returns the share of trials in which all intervals of differences to a first choice contain the true ones. */
export function jointCoverage(seed: number, choices: number, replicates: number, trials: number): number {
  const draws = new Draws(seed, `joint/${choices}`);
  const level = simultaneousLevel(choices - 1);
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const shared = Array.from({ length: replicates }, () => 3 * draws.normal());
    const values = Array.from({ length: choices }, (_, i) => shared.map((luck) => luck + i + draws.normal()));
    const baseline = values[0] ?? [];
    const isHeld = values.slice(1).every((own, i) => {
      const { low, high } = pairedDifference(own, baseline, level);
      return low !== null && high !== null && low <= i + 1 && i + 1 <= high;
    });
    if (isHeld) held += 1;
  }
  return held / trials;
}
