import { isCaught, type Outcome } from './try-out.ts';

/** The reference page of a run of `npm run faults`. */
export function faultsPage(
  outcomes: readonly Outcome[],
  {
    seed,
    machine,
    date,
    of,
  }: { readonly seed: number; readonly machine: string; readonly date: string; readonly of: number },
): string {
  const caught = outcomes.filter(isCaught);
  const runs = outcomes.map((outcome) => outcome.runs).sort((a, b) => a - b);
  return [
    '# Planted faults',
    '',
    '<!-- Written by npm run faults -- --write -->',
    '',
    'Mistakes that a ledger could make, each planted in a copy of the core and looked for by the test kit with its default settings: `checkLedger`, and for automation `checkAutomation`, a',
    'thousand random runs each. The same checks find nothing in the core as it is. How to check your own ledger: [the guide](../guides/property-test-your-ledger.md).',
    '',
    `**${caught.length} of ${outcomes.length} found**${outcomes.length < of ? ` (the run was broken off; the catalogue has ${of})` : ''}, each in at most eight commands. Run on ${date} with seed ${seed} (${machine}); half of the faults took at most ${runs[Math.floor(runs.length / 2)]} runs, the slowest ${runs.at(-1)}.`,
    '',
    '| Fault | What the ledger does wrong | Found by | Commands | Runs | Seconds |',
    '| ----- | -------------------------- | -------- | -------: | ---: | ------: |',
    ...outcomes.map(row),
    '',
    'Commands are those that are left after shrinking; runs are the random sequences until the first that failed; seconds include copying, starting and shrinking.',
    'A fault is a text in a source file and another in its place: [test/faults](../../test/faults/catalogue.ts). Each failure has a token, with which the same sequence is played again (against',
    'the core as it is it shows nothing, of course).',
    '',
  ].join('\n');
}

function row({ fault: { name, what }, found, runs, seconds }: Outcome): string {
  const cells = found
    ? [foundBy(found), found.commands, runs, seconds.toFixed(0)]
    : ['**not found**', '', runs, seconds.toFixed(0)];
  return `| \`${name}\` | ${[what, ...cells].join(' | ')} |`;
}

/** The law, or who else disagreed and how, in one line without party ids. */
function foundBy({ by, what, invariant }: NonNullable<Outcome['found']>): string {
  const [line = ''] = what.split('\n');
  const short = line
    .replaceAll(/::1220[0-9a-f]+/g, '')
    .replace(/ \(\{.*$/, '')
    .replace(/:$/, '');
  return `${by}: ${short.replaceAll('|', '\\|')}${invariant === null ? '' : ` (${invariant})`}`;
}
