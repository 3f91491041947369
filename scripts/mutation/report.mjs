/*
 * What Stryker's reports say: the mutants to be tried again, two rounds as one, and all of it as a table.
 */

const COUNTED = ['Killed', 'Timeout', 'Survived', 'NoCoverage'];

/** The lines of the mutants that had not met all the tests that reach them, or seemed to run without end. */
export function leftOver({ files }) {
  const lines = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(
        ({ status, testsCompleted = 0, coveredBy = [] }) =>
          status === 'Timeout' || (status === 'Survived' && testsCompleted < coveredBy.length),
      )
      .map(({ location: { start, end } }) => `${file}:${start.line}-${end.line}`),
  );
  return [...new Set(lines)];
}

/** The first report with what the second found out about the same mutants. */
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

/** Prints what survived, each with its place and change, and then a line for each file and for all. */
export function tell(reports) {
  const files = reports.flatMap((report) => Object.entries(report.files));
  for (const [file, { source, mutants }] of files) {
    const lines = source.split('\n');
    for (const { status, location, mutatorName, replacement } of mutants) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const line = lines[location.start.line - 1]?.trim();
      console.log(`${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}`);
      console.log(`    ${line}\n    → ${replacement?.split('\n')[0]}`);
    }
  }
  const rows = files.map(([file, { mutants }]) => [file.replace('packages/core/src/', ''), countsOf(mutants)]);
  rows.push(['all', countsOf(files.flatMap(([, { mutants }]) => mutants))]);
  console.log('| File | Mutants | Killed | Without end | Survived | Not reached | Score |');
  for (const [name, { mutants, Killed, Timeout, Survived, NoCoverage }] of rows) {
    if (mutants === 0) continue;
    const score = (((Killed + Timeout) / mutants) * 100).toFixed(1);
    console.log(`| ${[name, mutants, Killed, Timeout, Survived, NoCoverage, `${score} %`].join(' | ')} |`);
  }
}

function countsOf(mutants) {
  const counts = Object.fromEntries(
    COUNTED.map((status) => [status, mutants.filter((mutant) => mutant.status === status).length]),
  );
  return { ...counts, mutants: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}
