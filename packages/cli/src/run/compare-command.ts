import { Amount } from '@coinlab/core';
import { compareChoices, type Choice, type RunResult } from '@coinlab/sim';
import { choicesOf, type ChoiceFlags } from './choices.js';
import { comparisonText } from './compare-text.js';
import { oneHistoryText } from './run-text.js';
import { playReplicates } from './replicates.js';
import type { Terminal } from '../terminal.js';

export interface CompareFlags extends ChoiceFlags {
  readonly replicates: number;
  readonly minCompleted: number;
  readonly json?: true;
  readonly quiet?: true;
}

export async function compareCommand(file: string, flags: CompareFlags, terminal: Terminal): Promise<void> {
  const subjects = await choicesOf(file, flags);
  const [first] = subjects;
  const played = subjects.map(({ name, subject }): Choice => ({
    name,
    results: playReplicates(subject, { count: flags.replicates, label: name, isQuiet: flags.quiet === true }, terminal),
  }));
  if (flags.json) for (const choice of played) terminal.out(replicateLines(choice));
  // With a single group, the target of ten UTXOs applies to its users.
  const [only, ...others] = flags.group ?? [];
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
