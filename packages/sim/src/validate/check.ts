/** Group of checks, in the order of the table. */
export type Part = 'conventions' | 'closed forms' | 'reference table' | 'published results' | 'the lab';

/** Outcome of a check; `open`: not attempted, with the reason in the note. */
export type Verdict = 'reproduced' | 'failed' | 'open';

/** A known figure and coinlab's result. */
export interface Check {
  readonly part: Part;
  readonly subject: string;
  readonly figure: string;
  /** Expected value, as the source or the closed form states it. */
  readonly expected: string;
  /** Allowed deviation; `exact` for none. */
  readonly tolerance: string;
  /** Empty when nothing was run. */
  readonly found: string;
  readonly verdict: Verdict;
  /** Reason why a figure is open, or a remark; may be empty. */
  readonly note: string;
}

export type Subject = Pick<Check, 'part' | 'subject'>;

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

export interface Range {
  readonly expected: string;
  readonly least: number;
  readonly most: number;
  readonly tolerance: string;
}

export function about(value: number, error: number, digits: number = 1): Range {
  return {
    expected: value.toFixed(digits),
    least: value - error,
    most: value + error,
    tolerance: `± ${error}`,
  };
}

export function within(of: Subject, figure: string, range: Range, found: number, digits: number = 3): Check {
  const { expected, tolerance, least, most } = range;
  const verdict = found >= least && found <= most ? 'reproduced' : 'failed';
  return { ...of, figure, expected, tolerance, found: found.toFixed(digits), verdict, note: '' };
}

export function open(of: Subject, figure: string, expected: string, note: string): Check {
  return { ...of, figure, expected, tolerance: '', found: '', verdict: 'open', note };
}

export type Tick = (updates: number) => void;
