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

/** Shares of trials; the last two are NaN without any such run. */
export interface TrendShares {
  /** Runs with an interval: replicates, or one run that is long enough and not too correlated. */
  readonly judged: number;
  readonly undecided: number;
  /** The verdict is that of the true slope. */
  readonly right: number;
  /** The verdict is decided, and not that of the true slope. */
  readonly wrong: number;
  /** Share of the intervals that contain the true slope. */
  readonly covered: number;
  /** The same of the runs with a decided verdict. */
  readonly decidedCovered: number;
}

export function trendShares(seed: number, one: TrendCase, trials: number, truth: Trend): TrendShares {
  const draws = new Draws(seed, `trends/${JSON.stringify(one)}`);
  const counts = { judged: 0, undecided: 0, right: 0, covered: 0, decidedCovered: 0 };
  for (let trial = 0; trial < trials; trial++) {
    const verdict = verdictOfRuns(Array.from({ length: one.replicates }, () => seriesOf(draws, one)));
    if (!verdict) throw new Error('a series without a verdict');
    const { trend, slope } = verdict;
    if (trend === 'undecided') counts.undecided += 1;
    if (trend === truth) counts.right += 1;
    if (slope.low === null || slope.high === null) continue;
    counts.judged += 1;
    if (slope.low > one.slope || one.slope > slope.high) continue;
    counts.covered += 1;
    if (trend !== 'undecided') counts.decidedCovered += 1;
  }
  const { judged, undecided, right, covered, decidedCovered } = counts;
  return {
    judged: judged / trials,
    undecided: undecided / trials,
    right: right / trials,
    wrong: (trials - undecided - right) / trials,
    covered: covered / judged,
    decidedCovered: decidedCovered / (trials - undecided),
  };
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
