import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { counted, type Figure } from './figure.js';

/**
 * The file of committed ratios. Ratios are committed because absolute times of different machines are not
 * comparable.
 */
const COMMITTED = 'bench/committed.json';
/** A ratio that grew by more than this factor is a regression. */
const SLACK = 1.25;

/** Goals whose reference is a fixed time. They are not compared, because a slower machine is no regression. */
const ABSOLUTE: readonly string[] = ['M1', 'S7'];

/** Exponents are not compared: a ledger that gained more when small than when large has a larger one. The ratios of each size are. */
const isRatio = ({ what }: Figure): boolean => !what.includes('cost exponent');

type Ratios = Readonly<Record<string, number>>;

/** Writes the ratios of a run to the file of committed ratios. */
export function commit(figures: readonly Figure[]): void {
  const kept = existsSync(COMMITTED) ? committed() : {};
  const ratios = { ...kept, ...ratiosOf(figures) };
  writeFileSync(COMMITTED, `${JSON.stringify(ratios, null, 2)}\n`);
}

/**
 * Returns a line for each ratio that is more than a quarter worse than the committed one, and for each figure without a
 * committed ratio, so that a renamed figure cannot go unchecked.
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

/** Returns the ratios by goal and name. The bracketed part of a name is removed, because it contains figures. */
function ratiosOf(figures: readonly Figure[]): Ratios {
  return Object.fromEntries(
    figures
      .filter((figure) => !ABSOLUTE.includes(figure.goal) && isRatio(figure))
      .map(({ goal, what, ratio }) => [
        `${goal} ${what.replace(/ \([^)]*\d[^)]*\)$/, '').replace(/, mean .*$/, '')}`,
        ratio,
      ]),
  );
}
