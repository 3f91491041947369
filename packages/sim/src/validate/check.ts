/** What a check belongs to, in the order of the table. */
export type Part = 'conventions' | 'closed forms' | 'reference table' | 'published results';

/** How a check came out; `open`: not tried, for a reason that is told. */
export type Verdict = 'reproduced' | 'failed' | 'open';

/** A known figure beside what coinlab finds. */
export interface Check {
  readonly part: Part;
  /** What was run. */
  readonly subject: string;
  readonly figure: string;
  /** As its source states it, or as the closed form gives it. */
  readonly expected: string;
  /** What may lie between; `exact`: nothing. */
  readonly tolerance: string;
  /** Empty when nothing was run. */
  readonly found: string;
  readonly verdict: Verdict;
  /** Why a figure is open, or what has to be known to read it; empty: nothing. */
  readonly note: string;
}

/** Where a figure belongs. */
export type Subject = Pick<Check, 'part' | 'subject'>;

/** The figure has to be this one, to the last digit. */
export function exactly(of: Subject, figure: string, expected: string | number, found: string | number): Check {
  const [a, b] = [String(expected), String(found)];
  return {
    ...of,
    figure,
    expected: a,
    tolerance: 'exact',
    found: b,
    verdict: a === b ? 'reproduced' : 'failed',
    note: '',
  };
}

/** A range of numbers as it is told, such as `1.0 ± 0.1`. */
export interface Range {
  /** As the source states it. */
  readonly expected: string;
  readonly least: number;
  readonly most: number;
  readonly tolerance: string;
}

/** What a source states, give or take. */
export function about(value: number, error: number, digits: number = 1): Range {
  return {
    expected: value.toFixed(digits),
    least: value - error,
    most: value + error,
    tolerance: `± ${error}`,
  };
}

/** The figure has to lie in a range. */
export function within(of: Subject, figure: string, range: Range, found: number, digits: number = 3): Check {
  const { expected, tolerance, least, most } = range;
  const verdict = found >= least && found <= most ? 'reproduced' : 'failed';
  return { ...of, figure, expected, tolerance, found: found.toFixed(digits), verdict, note: '' };
}

/** A figure that is known and not reproduced, with the reason. */
export function open(of: Subject, figure: string, expected: string, note: string): Check {
  return { ...of, figure, expected, tolerance: '', found: '', verdict: 'open', note };
}

/** Told after so many rows or updates of the ledger. */
export type Tick = (updates: number) => void;
