import { Amount } from '@coinlab/core';
import { compareChoices, type Choice, type RunResult, type Scenario } from '@coinlab/sim';
import { comparisonText } from './compare-text.js';
import { oneHistoryText } from './run-text.js';
import { playReplicates } from './replicates.js';
import { subjectOf } from '../subject.js';
import { withWalletFlags } from '../wallet-flags.js';
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
  const subject = await subjectOf(file, flags.seed);
  const { policy = [undefined], merge = [undefined], group } = flags;
  const choices: { readonly name: string; readonly scenario: Scenario }[] = policy.flatMap((select) =>
    merge.map((habit) => ({
      name:
        [select, habit === undefined ? undefined : `merge ${habit}`].filter((part) => part).join(', ') || 'unchanged',
      scenario: withWalletFlags(
        subject.scenario,
        {
          ...(select !== undefined && { policy: select }),
          ...(habit !== undefined && { merge: habit }),
          ...(group && { group }),
        },
        subject.policies,
      ),
    })),
  );
  const played: Choice[] = choices.map(({ name, scenario }) => ({
    name,
    results: playReplicates(
      { ...subject, scenario },
      { count: flags.replicates, label: name, isQuiet: flags.quiet === true },
      terminal,
    ),
  }));
  if (flags.json) for (const choice of played) terminal.out(replicateLines(choice));
  // With a single group, the target of ten UTXOs applies to its users.
  const [only, ...others] = group ?? [];
  const told = others.length === 0 ? (only ?? null) : null;
  const compared = compareChoices(played, told);
  if (flags.json) for (const row of compared) terminal.out(`${JSON.stringify(row)}\n`);
  else
    terminal.out(
      comparisonText(compared, {
        scenario: subject.scenario,
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
