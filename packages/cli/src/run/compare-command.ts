import { Amount } from '@coinlab/core';
import { compareChoices, type Choice, type RunResult, type Scenario } from '@coinlab/sim';
import { comparisonText } from './compare-text.js';
import { playReplicates } from './replicates.js';
import { subjectOf } from '../subject.js';
import { withWalletFlags } from '../wallet-flags.js';
import type { Terminal } from '../terminal.js';

/** The flags of `coinlab compare`, parsed. */
export interface CompareFlags {
  /** Selection policies; left out: those of the scenario. */
  readonly policy?: readonly string[];
  /** Merge habits; left out: those of the scenario. */
  readonly merge?: readonly string[];
  /** Groups whose wallets they concern; left out: all. Of a single one the figures are told, else of all parties. */
  readonly group?: readonly string[];
  readonly replicates: number;
  readonly seed?: number;
  readonly json?: true;
  readonly quiet?: true;
}

/**
 * `coinlab compare FILE`: plays a scenario under every selection policy with every merge habit. Replicate i of each is asked for the same
 * payments, so what is told of the differences is free of the payments' own luck.
 */
export async function compareCommand(file: string, flags: CompareFlags, terminal: Terminal): Promise<void> {
  const subject = await subjectOf(file, flags.seed);
  const { policy = [undefined], merge = [undefined], group } = flags;
  const choices: { readonly name: string; readonly scenario: Scenario }[] = policy.flatMap((select) =>
    merge.map((habit) => ({
      name:
        [select, habit === undefined ? undefined : `merge ${habit}`].filter((part) => part).join(', ') || 'as it is',
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
  // Where one group is asked about, its users are who should have few UTXOs.
  const [only, ...others] = group ?? [];
  const told = others.length === 0 ? (only ?? null) : null;
  const compared = compareChoices(played, told);
  if (flags.json) for (const row of compared) terminal.out(`${JSON.stringify(row)}\n`);
  else terminal.out(comparisonText(subject.scenario, told, flags.replicates, compared));
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
