import { ledgersSection } from '../testing/ledgers/page.ts';
import type { LedgerTrial } from '../testing/ledgers/trial.ts';
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
    '| Found by | Commands | Runs | Faults |',
    '| -------- | -------: | ---: | ------ |',
    ...groups(outcomes).map(row),
    '',
    '_Commands_ is the largest number after shrinking over all seeds. _Runs_ is the largest number of random sequences until the first failure.',
    '_Found by_ is the result of the first seed. `npm run faults` prints the same for each fault, with `--tell` also the failure.',
    'A fault replaces one text of a source file: [test/faults](../../test/faults/catalogue.ts). Each failure has a token that [repeats it](../guides/property-test-your-ledger.md#repeat-a-failure).',
    '',
    ...(ledgers.trials.length > 0 ? ledgersSection(ledgers.trials, ledgers.seeds) : []),
  ].join('\n');
}

function groups(outcomes: readonly Outcome[]): readonly (readonly [by: string, outcomes: readonly Outcome[]])[] {
  const byCheck = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const by = isCaught(outcome) ? (outcome.catches[0]?.found?.by ?? '') : '**not found**';
    byCheck.set(by, [...(byCheck.get(by) ?? []), outcome]);
  }
  return [...byCheck].sort(([, a], [, b]) => b.length - a.length);
}

function row([by, outcomes]: readonly [by: string, outcomes: readonly Outcome[]]): string {
  const catches = outcomes.flatMap((outcome) => outcome.catches);
  const commands = Math.max(...catches.map(({ found }) => found?.commands ?? 0));
  const runs = Math.max(...catches.map((one) => one.runs));
  return `| ${[by, commands, runs, outcomes.map(({ fault }) => `\`${fault.name}\``).join(', ')].join(' | ')} |`;
}
