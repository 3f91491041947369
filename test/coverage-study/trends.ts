import { steadyStateOf, verdictOfRuns, type Moment, type Trend } from '@coinlab/sim';
import { Draws } from './draws.ts';

export interface TrendCase {
  readonly days: number;
  readonly perDay: number;
  readonly phi: number;
  /** UTXOs per party and day. */
  readonly slope: number;
  /** Standard deviation of UTXOs per party about the line. */
  readonly deviation: number;
  readonly replicates: number;
}

/** Shares of trials. */
export interface TrendShares {
  readonly undecided: number;
  /** The verdict has the wrong direction, or its interval misses the true slope. */
  readonly missed: number;
  /** The verdict is that of the true slope. */
  readonly right: number;
}

export function trendShares(seed: number, one: TrendCase, trials: number, truth: Trend): TrendShares {
  const draws = new Draws(seed, `trends/${JSON.stringify(one)}`);
  const counts = { undecided: 0, missed: 0, right: 0 };
  for (let trial = 0; trial < trials; trial++) {
    const verdict = verdictOfRuns(Array.from({ length: one.replicates }, () => seriesOf(draws, one)));
    if (!verdict) throw new Error('a series without a verdict');
    const { trend, slope, doubt } = verdict;
    if (trend === 'undecided') counts.undecided += 1;
    if (trend === truth) counts.right += 1;
    const isInside = slope.low === null || slope.high === null || (slope.low <= one.slope && one.slope <= slope.high);
    if (doubt !== 'few' && doubt !== 'correlated' && !isInside) counts.missed += 1;
  }
  const share = (count: number): number => count / trials;
  return { undecided: share(counts.undecided), missed: share(counts.missed), right: share(counts.right) };
}

function seriesOf(draws: Draws, { days, perDay, phi, slope, deviation }: TrendCase): readonly Moment[] {
  const noise = draws.autoregressive(phi);
  return Array.from({ length: days * perDay }, (_, i): Moment => {
    const day = i / perDay;
    return [day, 5 + slope * day + deviation * noise.next().value];
  });
}

/** Mean days that MSER-5 removes, and the error of the mean before and after, when a wallet fills from 1 to 5 UTXOs. */
export interface WarmupFigures {
  readonly cutDays: number;
  readonly before: number;
  readonly after: number;
  readonly unreached: number;
}

/** @param fillDays time constant of the filling; the runs have 30 days */
export function warmupFigures(seed: number, fillDays: number, trials: number): WarmupFigures {
  const draws = new Draws(seed, `warmup/${fillDays}`);
  let [cut, before, after, unreached] = [0, 0, 0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const noise = draws.autoregressive(0.9);
    const series = Array.from({ length: 30 * 24 }, (_, i): Moment => {
      const day = i / 24;
      return [day, 5 - 4 * Math.exp(-day / fillDays) + 0.3 * noise.next().value];
    });
    const steady = steadyStateOf([series]);
    if (!steady) {
      unreached += 1;
      continue;
    }
    cut += steady.cutDays;
    before += series.reduce((sum, [, utxos]) => sum + utxos, 0) / series.length - 5;
    after += steady.mean.mean - 5;
  }
  const reached = Math.max(1, trials - unreached);
  return { cutDays: cut / reached, before: before / reached, after: after / reached, unreached: unreached / trials };
}
