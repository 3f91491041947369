import { Histogram } from '../metrics/histogram.js';
import { Streams } from '../chance/streams.js';
import { batchedSlope, type Moment } from '../stats/batches.js';
import { intervalOf, pairedDifference, simultaneousLevel, tInterval } from '../stats/interval.js';
import { selectBest } from '../stats/select-best.js';
import { tQuantile } from '../stats/student-t.js';
import { verdictOfRuns } from '../stats/verdict.js';
import { mserCut } from '../stats/warmup.js';
import { exactly, within, type Check, type Range, type Subject } from './check.js';

export function* statisticsChecks(isQuick: boolean): Generator<Check> {
  yield* quantiles();
  yield* intervals();
  yield* slopes();
  yield* coverage(isQuick ? 500 : 2_000);
}

function subject(text: string): Subject {
  return { part: 'the lab', subject: text };
}

/** The inverse of the ECDF: of n samples the ⌈p·n⌉-th smallest. */
function* quantiles(): Generator<Check> {
  const of = subject('quantiles: the ⌈p·n⌉-th smallest of n');
  const upTo = (n: number): Histogram => Histogram.of(Array.from({ length: n + 1 }, (_, i) => (i === 0 ? 0 : 1)));
  for (const [n, share, expected] of [
    [100, 0.95, 95],
    [100, 0.05, 5],
    [20, 0.95, 19],
    [21, 0.95, 20],
    [10, 0.5, 5],
    [7, 0.99, 7],
  ] as const)
    yield exactly(of, `p${share * 100} of 1 to ${n}`, expected, upTo(n).quantile(share));
  const tied = Histogram.of([0, 19, 1]);
  yield exactly(of, 'p95 of nineteen 1 and one 2', 1, tied.quantile(0.95));
  yield exactly(of, 'share above 1 of nineteen 1 and one 2', 0.05, tied.shareAbove(1));
}

function* intervals(): Generator<Check> {
  const t = subject('intervals: Student’s t, published two-sided quantiles');
  for (const [degrees, at95, at99] of [
    [1, 12.706, 63.657],
    [4, 2.776, 4.604],
    [9, 2.262, 3.25],
    [29, 2.045, 2.756],
  ] as const) {
    yield within(t, `95 %, ${degrees} degrees of freedom`, near(at95, 0.0006), tQuantile(0.95, degrees), 4);
    yield within(t, `99 %, ${degrees} degrees of freedom`, near(at99, 0.0006), tQuantile(0.99, degrees), 4);
  }
  const hand = subject('intervals: by hand');
  yield within(hand, '1, 2, 3: half-width 4.3027 / √3', near(2.4841, 0.0001), tInterval([1, 2, 3]).halfWidth ?? 0, 4);
  const paired = pairedDifference([11, 32, 23, 54], [10, 30, 20, 50]);
  yield within(
    hand,
    '1, 2, 3, 4 by pairs: half-width 3.1824 · 1.2910 / 2',
    near(2.0543, 0.0001),
    paired.halfWidth ?? 0,
    4,
  );
  yield within(hand, 'level of each of 5 at 95 % together', near(0.99, 1e-9), simultaneousLevel(5), 4);
}

/** Forty batches of three points. The residuals +a, −a, … are negatively correlated, so only the margin 1/√40 widens the interval. */
function* slopes(): Generator<Check> {
  const of = subject('trends: the slope of forty batches, by hand');
  const moments = Array.from({ length: 120 }, (_, k): Moment => {
    const day = (k - 1) / 3;
    return [day, day * 0.5 + (Math.floor(k / 3) % 2 === 0 ? 1 : -1)];
  });
  const { slope, interval } = batchedSlope(moments);
  // Sums of 0 to 39: Σ(i − 19.5)² = 5330 and Σ(i − 19.5)·(±1) = −20.
  const expected = 0.5 - 20 / 5330;
  const residuals = 40 - 20 ** 2 / 5330;
  yield within(of, 'slope, ½ − 20 / 5330', near(expected, 1e-9), slope, 6);
  const widened = (1 + 1 / Math.sqrt(40)) / (1 - 1 / Math.sqrt(40));
  const halfWidth = 2.0518 * Math.sqrt((residuals / 38 / 5330) * widened);
  yield within(of, 'half-width, 27 degrees of freedom', near(halfWidth, 1e-5), interval?.halfWidth ?? 0, 6);
  const steps = Array.from({ length: 100 }, (_, i): number => (i < 25 ? i : 25));
  yield within(
    of,
    'points that MSER-5 cuts, filling until 25',
    { ...near(25, 0), most: 30, tolerance: '+ 5' },
    mserCut(steps) ?? -1,
    0,
  );
}

function* coverage(trials: number): Generator<Check> {
  const of = subject(`coverage of 95 % by counting, ${trials} samples`);
  const stream = new Streams(23).named('validate/coverage');
  const normal = (): number => Math.sqrt(-2 * Math.log1p(-stream.unit())) * Math.cos(2 * Math.PI * stream.unit());
  const exponential = (): number => -Math.log1p(-stream.unit());
  const share = (holds: () => boolean, times: number = trials): number => {
    let held = 0;
    for (let trial = 0; trial < times; trial++) if (holds()) held += 1;
    return held / times;
  };
  const covers = (values: readonly number[], truth: number): boolean => {
    const { low, high } = intervalOf(values);
    return low !== null && high !== null && low <= truth && truth <= high;
  };
  const sample = (size: number, draw: () => number): readonly number[] => Array.from({ length: size }, draw);
  const error = (times: number): number => 4 * Math.sqrt((0.95 * 0.05) / times);
  const nominal = (times: number): Range => ({ ...near(0.95, error(times)), tolerance: '4 s.e.' });
  yield within(
    of,
    'normal, n = 5',
    nominal(trials),
    share(() => covers(sample(5, normal), 0)),
  );
  yield within(
    of,
    'exponential, n = 20, skewed',
    nominal(trials / 4),
    share(() => covers(sample(20, exponential), 1), trials / 4),
  );
  const level = simultaneousLevel(4);
  const together = share(() =>
    [1, 2, 3, 4].every(() => {
      const { low, high } = tInterval(sample(8, normal), level);
      return low !== null && high !== null && low <= 0 && 0 <= high;
    }),
  );
  yield within(of, 'four intervals together', nominal(trials), together);
  const walk = (): readonly Moment[] => {
    let utxos = 5;
    return Array.from({ length: 400 }, (_, i): Moment => [i / 144, (utxos += normal())]);
  };
  yield within(
    of,
    'random walks called growing or draining',
    { expected: '0.00', least: 0, most: 0.03, tolerance: 'at most 0.03' },
    1 - share(() => verdictOfRuns([walk()])?.trend === 'undecided', 200),
  );
  const right = share(() => {
    const observe = (choice: number): number => (choice === 2 ? 0 : 0.5) + normal();
    return selectBest({ choices: 4, indifference: 0.5, observe, probability: 0.9 }).best === 2;
  }, 200);
  yield within(
    of,
    'best of 4, probability 0.9',
    { expected: '0.90', least: 0.83, most: 1, tolerance: 'at least, 3 s.e.' },
    right,
  );
}

function near(value: number, error: number): Range {
  return {
    expected: String(Number(value.toFixed(6))),
    least: value - error,
    most: value + error,
    tolerance: `± ${error}`,
  };
}
