import type { Trend } from '@coinlab/sim';
import { percent } from './draws.ts';
import { jointCoverage, meanCoverage, METHODS } from './means.ts';
import { selectionFigures } from './selections.ts';
import { trendShares, warmupFigures, type TrendCase, type TrendShares } from './trends.ts';

const SIZES = [5, 10, 20, 40, 80];
const SOURCES = [0, 1, 2, 3, 4, 5, 6];
const SLOPES = [
  [0, 'stable'],
  [0.05, 'growing'],
] as const satisfies readonly (readonly [number, Trend])[];
const PHIS = [0, 0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1];
const TRENDS: readonly Omit<TrendCase, 'phi' | 'slope'>[] = [
  { days: 60, perDay: 144, deviation: 1, replicates: 1 },
  { days: 60, perDay: 24, deviation: 1, replicates: 1 },
  { days: 7, perDay: 144, deviation: 1, replicates: 1 },
  { days: 7, perDay: 144, deviation: 1, replicates: 5 },
];

/**
 * Runs the studies and returns the reference page.
 * @param isWhole also the methods that coinlab does not use, and series with hardly any judged run
 */
export function coveragePage(seed: number, trials: number, isWhole: boolean, onPart: (part: string) => void): string {
  const part = (title: string, rows: () => readonly (readonly (string | number)[])[]): string => {
    onPart(title);
    return rows()
      .map(
        (row, i) =>
          `| ${row.join(' | ')} |${i === 0 ? `\n|${row.map((_, k) => (k === 0 ? '---|' : '---:|')).join('')}` : ''}`,
      )
      .join('\n');
  };
  return `# Coverage of intervals and verdicts

<!-- Written by npm run coverage-study -- --write -->

Each table draws samples or series whose truth is known and counts how often coinlab is right: ${trials} trials a row, seed ${seed}.
The standard error of a share near 95 % is ${percent(Math.sqrt((0.95 * 0.05) / trials))} percentage points. \`npm run coverage-study -- --write\` repeats the study.

## Means

Share of 95 % intervals, in percent, that contain the true mean, by the number of observations: of Student's t, then of the method that coinlab
selects. That is bootstrap-t for at least ten observations whose skewness exceeds √(6/n), and Student's t otherwise.
Bootstrap-t covers a skewed mean best at every size from ten on. The percentile bootstrap and BCa never cover better than bootstrap-t there:
\`npm run coverage-study -- --whole\` prints their columns and the widths.

${part('means', () => (isWhole ? wholeMeans(seed, trials) : shortMeans(seed, trials)))}

Simultaneous intervals of paired differences, ten replicates with shared noise: share of trials in which all contain the truth.

${part('simultaneous intervals', () => [
  ['choices', 'all hold, %'],
  ...[2, 5, 10].map((choices) => [choices, percent(jointCoverage(seed, choices, 10, trials))]),
])}

## Trends

UTXOs per party follow a line with AR(1) noise of standard deviation 1 (φ of neighbouring samples; φ = 1 is a random walk).
Shares of runs in percent, for the slope 0 and the slope 0.05: \`judged\` have an interval (a single run that is short or correlated has none),
\`undecided\` have no verdict, \`wrong\` have another verdict than that of the true slope (\`stable\` for 0, \`growing\` for 0.05).
\`covers\` is the share of the intervals that contain the true slope, and \`decided covers\` that of the runs with a decided verdict: with few
of them it says little, because only the runs with the largest errors are decided. The table leaves out series with at most 1 % of judged runs.

${part('trends', () => [
  ['days × samples a day, replicates', 'φ', 'judged', 'covers', 'decided covers', 'undecided', 'wrong'],
  ...TRENDS.flatMap((one) =>
    PHIS.map((phi) => ({
      one,
      phi,
      shares: SLOPES.map(([slope, truth]) => trendShares(seed, { ...one, phi, slope }, Math.ceil(trials / 4), truth)),
    })),
  )
    .filter(({ shares }) => isWhole || shares.some(({ judged }) => judged > 0.01))
    .map(({ one, phi, shares }) => {
      const both = (share: (of: TrendShares) => number): string => shares.map((of) => percent(share(of))).join('/');
      return [
        `${one.days} × ${one.perDay}, ${one.replicates}`,
        phi,
        both(({ judged }) => judged),
        both(({ covered }) => covered),
        both(({ decidedCovered }) => decidedCovered),
        both(({ undecided }) => undecided),
        both(({ wrong }) => wrong),
      ];
    }),
])}

These rows have a quarter of the trials.

## Warm-up

Runs of 30 days with 24 samples a day fill from 1 to 5 UTXOs with a time constant; φ = 0.9, standard deviation 0.3.
MSER-5 removes days from the start; the errors are those of the mean before and after. \`unreached\`: it found no steady state in the first half.

${part('warm-up', () => [
  ['time constant, days', 'days removed', 'error before', 'error after', 'unreached, %'],
  ...[0.2, 1, 3, 20].map((fill) => {
    const { cutDays, before, after, unreached } = warmupFigures(seed, fill, Math.ceil(trials / 4));
    return [fill, cutDays.toFixed(1), before.toFixed(3), after.toFixed(3), percent(unreached)];
  }),
])}

## Selection of the best

\`selectBest\` with a probability of 95 %; the best choice is better than all others by exactly the indifference, half a standard deviation.
\`shared\` is the share of the variance that replicates have in common.

${part('selections', () => [
  ['choices', 'shared', 'right, %', 'replicates of a choice'],
  ...[2, 5, 10].flatMap((choices) =>
    [0, 0.8].map((shared) => {
      const { right, replicates } = selectionFigures(
        seed,
        { choices, shared, probability: 0.95 },
        Math.ceil(trials / 4),
      );
      return [choices, shared, percent(right), replicates.toFixed(0)];
    }),
  ),
])}
`;
}

type Rows = readonly (readonly (string | number)[])[];

/** A row for each distribution and size, with all methods. */
function wholeMeans(seed: number, trials: number): Rows {
  const rows = SOURCES.flatMap((source) =>
    SIZES.map((size) => {
      const { source: name, covered, width } = meanCoverage(seed, source, size, trials);
      return [name, size, ...METHODS.map((method) => percent(covered[method])), width.toFixed(2)];
    }),
  );
  return [['distribution', 'n', ...METHODS, 'width'], ...rows];
}

/** A row for each distribution: Student's t, and the selected method where the shares differ. */
function shortMeans(seed: number, trials: number): Rows {
  const rows = SOURCES.map((source) => {
    const bySize = SIZES.map((size) => meanCoverage(seed, source, size, trials));
    const cells = bySize.map(({ covered: { t, used } }) => [...new Set([t, used].map(percent))].join('→'));
    return [bySize[0]?.source ?? '', ...cells];
  });
  return [['distribution', ...SIZES.map((size) => `n = ${size}`)], ...rows];
}
