import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { counted, type Figure } from './figure.js';

/** The ratios of the state of the repository; absolute times of other machines mean nothing here. */
const COMMITTED = 'bench/committed.json';
/** A ratio that grew by more than this is a regression. */
const SLACK = 1.25;

/** Measured beside a fixed time: a slower machine is no regression. */
const ABSOLUTE: readonly string[] = ['M1', 'S7'];

type Ratios = Readonly<Record<string, number>>;

/** Keeps the ratios of a run as those to compare with. */
export function commit(figures: readonly Figure[]): void {
  const kept = existsSync(COMMITTED) ? committed() : {};
  const ratios = { ...kept, ...ratiosOf(figures) };
  writeFileSync(COMMITTED, `${JSON.stringify(ratios, null, 2)}\n`);
}

/**
 * What became worse by more than a quarter since the committed ratios, as lines to print; none when nothing did. A figure that is measured
 * but was never committed is told too, so that a renamed one cannot slip through.
 */
export function regressions(figures: readonly Figure[], before: Ratios = committed()): readonly string[] {
  return Object.entries(ratiosOf(figures)).flatMap(([name, now]) => {
    const then = before[name];
    if (then === undefined) return [`${name}: not among the committed ratios; run npm run bench -- --commit`];
    return now > then * SLACK
      ? [`${name}: ratio ${now.toFixed(2)}, was ${then.toFixed(2)} (${counted((now / then - 1) * 100)} % worse)`]
      : [];
  });
}

function committed(): Ratios {
  return JSON.parse(readFileSync(COMMITTED, 'utf8')) as Ratios;
}

/** By goal and what was measured, without what stands in brackets and has figures. */
function ratiosOf(figures: readonly Figure[]): Ratios {
  return Object.fromEntries(
    figures
      .filter(({ goal }) => !ABSOLUTE.includes(goal))
      .map(({ goal, what, ratio }) => [
        `${goal} ${what.replace(/ \([^)]*\d[^)]*\)$/, '').replace(/, mean .*$/, '')}`,
        ratio,
      ]),
  );
}
