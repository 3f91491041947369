/* Evaluates Stryker's reports: selects mutants for a second round, merges two rounds, and prints a table. */
import { nameOf, survivorsOf } from './accepted.mjs';

const COUNTED = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];

/**
 * Returns the places of mutants that did not meet all tests that reach them and are not accepted, and of those that
 * timed out.
 */
export function leftOver({ files }) {
  const places = Object.entries(files).flatMap(([file, report]) =>
    survivorsOf(file, report)
      .filter(({ why }) => why === null)
      .map(({ mutant }) => mutant)
      .filter(({ testsCompleted = 0, coveredBy = [] }) => testsCompleted < coveredBy.length)
      .concat(report.mutants.filter(({ status }) => status === 'Timeout'))
      .map(({ location: { start, end } }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`),
  );
  return [...new Set(places)];
}

/** Returns the first report with the results of the second for the same mutants. */
export function merged(first, second) {
  const keyOf = ({ location: { start, end }, mutatorName, replacement }) =>
    [start.line, start.column, end.line, end.column, mutatorName, replacement].join(':');
  const files = Object.entries(first.files).map(([file, report]) => {
    const again = new Map((second.files[file]?.mutants ?? []).map((mutant) => [keyOf(mutant), mutant]));
    const mutants = report.mutants.map((mutant) => {
      const other = again.get(keyOf(mutant));
      return other && COUNTED.includes(other.status) && mutant.status !== 'Killed'
        ? { ...other, id: mutant.id }
        : mutant;
    });
    return [file, { ...report, mutants }];
  });
  return { ...first, files: Object.fromEntries(files) };
}

/** Prints the survivors that are not accepted, with places and changes, then a line for each file and for all. */
export function tell(reports) {
  const files = reports.flatMap((report) => Object.entries(report.files));
  const rowOf = (name, some) => {
    const left = some.flatMap(([file, report]) => survivorsOf(file, report));
    const open = left.filter(({ why }) => why === null);
    return { name, counts: countsOf(some.flatMap(([, { mutants }]) => mutants)), left, open };
  };
  const rows = [...files.map((entry) => rowOf(nameOf(entry[0]), [entry])), rowOf('all', files)];
  for (const {
    file,
    at,
    line,
    change,
    mutant: { status },
  } of rows.at(-1).open)
    console.log(`${file}:${at.line}:${at.column} ${status}\n    ${line}\n    ${change}`);
  console.log('| File | Mutants | Killed | Without end | Survived | of these open | Score |');
  for (const { name, counts, left, open } of rows) {
    const { mutants, Killed, Timeout } = counts;
    if (mutants === 0) continue;
    const score = (((Killed + Timeout) / mutants) * 100).toFixed(1);
    console.log(`| ${[name, mutants, Killed, Timeout, left.length, open.length, `${score} %`].join(' | ')} |`);
  }
}

/** Counts mutants by result; those that act only during module loading are excluded. */
export function countsOf(mutants) {
  const counts = Object.fromEntries(
    COUNTED.map((status) => [status, mutants.filter((mutant) => mutant.status === status).length]),
  );
  return { ...counts, mutants: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}
