import { Amount } from '@coinlab/core';
import { compareChoices, type Choice, type RunResult } from '@coinlab/sim';
import { comparisonText } from './compare-text.js';
import { oneHistoryText } from './run-text.js';
import { playReplicates } from './replicates.js';
import { subjectWith } from './policy-subject.js';
import type { Terminal } from '../terminal.js';

export interface CompareFlags {
  readonly policy?: readonly string[];
  readonly merge?: readonly string[];
  readonly group?: readonly string[];
  readonly replicates: number;
  readonly minCompleted: number;
  readonly seed?: number;
  readonly json?: true;
  readonly quiet?: true;
}

export async function compareCommand(file: string, flags: CompareFlags, terminal: Terminal): Promise<void> {
  const { policy = [undefined], merge = [undefined], group } = flags;
  const choices = policy.flatMap((select) => merge.map((habit) => ({ select, habit })));
  // All are read first: a mistake in the last one is found before the first runs.
  const subjects = await Promise.all(
    choices.map(async ({ select, habit }) => ({
      name:
        [select, habit === undefined ? undefined : `merge ${habit}`].filter((part) => part).join(', ') || 'unchanged',
      subject: await subjectWith(file, flags.seed, {
        ...(select !== undefined && { policy: select }),
        ...(habit !== undefined && { merge: habit }),
        ...(group && { group }),
      }),
    })),
  );
  const [first] = subjects;
  const played = subjects.map(({ name, subject }): Choice => ({
    name,
    results: playReplicates(subject, { count: flags.replicates, label: name, isQuiet: flags.quiet === true }, terminal),
  }));
  if (flags.json) for (const choice of played) terminal.out(replicateLines(choice));
  // With a single group, the target of ten UTXOs applies to its users.
  const [only, ...others] = group ?? [];
  const told = others.length === 0 ? (only ?? null) : null;
  const compared = compareChoices(played, told);
  if (flags.json) for (const row of compared) terminal.out(`${JSON.stringify(row)}\n`);
  else if (first)
    terminal.out(
      comparisonText(compared, {
        scenario: first.subject.scenario,
        group: told,
        replicates: flags.replicates,
        minCompleted: flags.minCompleted,
        oneHistory: oneHistoryText(played[0]?.results ?? []),
      }),
    );
}

function replicateLines({ name, results }: Choice): string {
  const line = ({ replicate, summary }: RunResult): string =>
    JSON.stringify({
      choice: name,
      replicate,
      metrics: Object.fromEntries(
        [...summary].map(([metric, value]) => [metric, typeof value === 'bigint' ? Amount.format(value) : value]),
      ),
    });
  return results.map((result) => `${line(result)}\n`).join('');
}
