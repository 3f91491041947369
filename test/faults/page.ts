import { ledgersSection } from '../testing/ledgers/page.ts';
import type { LedgerTrial } from '../testing/ledgers/trial.ts';
import type { Catch } from './hunt.ts';
import { isCaught, type Outcome } from './try-out.ts';

/** Returns the reference page for a run of `npm run faults`. */
export function faultsPage(
  outcomes: readonly Outcome[],
  {
    seeds,
    machine,
    date,
    of,
    ledgers,
  }: {
    readonly seeds: readonly number[];
    readonly machine: string;
    readonly date: string;
    readonly of: number;
    readonly ledgers: { readonly trials: readonly LedgerTrial[]; readonly seeds: readonly number[] };
  },
): string {
  const caught = outcomes.filter(isCaught);
  const runs = outcomes.flatMap(({ catches }) => catches.map((one) => one.runs)).sort((a, b) => a - b);
  return [
    '# Planted faults',
    '',
    '<!-- Written by npm run faults -- --write -->',
    '',
    'Each planted fault is a mistake in a copy of the core. The test kit looks for it with its default settings:',
    '`checkConformance`, and for automation `checkAutomation`, a thousand random runs each.',
    'The same checks find nothing in the unchanged core. To check your own ledger, see [the guide](../guides/property-test-your-ledger.md).',
    '',
    `**${caught.length} of ${outcomes.length} found**${outcomes.length < of ? ` (the run was broken off; the catalogue has ${of})` : ''}, from every seed and in at most eight commands.`,
    `Run on ${date} with the seeds ${seeds.join(', ')} (${machine}); half of the hunts took at most ${runs[Math.floor(runs.length / 2)]} runs, the longest ${runs.at(-1)}.`,
    '',
    '| Fault | What the ledger does wrong | Found by | Commands | Runs |',
    '| ----- | -------------------------- | -------- | -------: | ---: |',
    ...outcomes.map(row),
    '',
    '_Commands_ is the largest number after shrinking over all seeds. _Runs_ is the number of random sequences until the first failure, per seed.',
    '_Found by_ is the result of the first seed.',
    'A fault replaces one text of a source file: [test/faults](../../test/faults/catalogue.ts). Each failure has a token that [repeats it](../guides/replay-a-failure.md).',
    '',
    ...(ledgers.trials.length > 0 ? ledgersSection(ledgers.trials, ledgers.seeds) : []),
  ].join('\n');
}

function row({ fault: { name, what }, catches }: Outcome): string {
  const [first] = catches;
  const by = catches.some(({ found }) => found === null) || !first?.found ? '**not found**' : foundBy(first.found);
  const commands = Math.max(...catches.map(({ found }) => found?.commands ?? 0));
  return `| \`${name}\` | ${[what, by, commands, catches.map(({ runs }) => runs).join(' · ')].join(' | ')} |`;
}

/** Returns the broken law or the disagreement as one line without party ids. */
function foundBy({ by, what, invariant }: NonNullable<Catch['found']>): string {
  const [line = ''] = what.split('\n');
  const short = line
    .replaceAll(/::1220[0-9a-f]+/g, '')
    .replace(/ \(\{.*$/, '')
    .replace(/:$/, '');
  return `${by}: ${short.replaceAll('|', '\\|')}${invariant === null ? '' : ` (${invariant})`}`;
}
