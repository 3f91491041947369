import { Amount } from '@coinlab/core';
import { compareChoices, type Choice, type RunResult, type WantedWidth } from '@coinlab/sim';
import { requireOutFolder } from '../out-folder.js';
import { comparisonText } from './compare-text.js';
import { oneHistoryText } from './run-text.js';
import { isEnough, playReplicate, refuseUnknownMetrics, tooFewText } from './replicates.js';
import { choicesOf, type ChoiceFlags } from './choices.js';
import type { Terminal } from '../terminal.js';

export interface CompareFlags extends ChoiceFlags {
  readonly replicates: number;
  readonly precision?: readonly WantedWidth[];
  readonly maxReplicates: number;
  readonly minCompleted: number;
  readonly out?: string;
  readonly overwrite?: true;
  readonly format: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function compareCommand(file: string, flags: CompareFlags, terminal: Terminal): Promise<void> {
  const { group, out, precision: wanted = [] } = flags;
  const output = out === undefined ? null : await import('./comparison-folder.js');
  if (output && out !== undefined) requireOutFolder('--out', out, flags.overwrite ? [] : [output.COMPARISON_FILE]);
  const formats = output?.formatsOf(flags.format) ?? [];
  const subjects = await choicesOf(file, flags);
  for (const { subject } of subjects) refuseUnknownMetrics(wanted, subject);
  const played = playedTogether(subjects, flags, terminal);
  if (flags.json) for (const choice of played) terminal.out(replicateLines(choice));
  // With a single group, the target of ten UTXOs applies to its users.
  const [only, ...others] = group ?? [];
  const told = others.length === 0 ? (only ?? null) : null;
  const compared = compareChoices(played, told);
  const replicates = played[0]?.results.length ?? 0;
  const [first] = subjects;
  if (flags.json) for (const row of compared) terminal.out(`${JSON.stringify(row)}\n`);
  else if (first)
    terminal.out(
      comparisonText(compared, {
        scenario: first.subject.scenario,
        group: told,
        replicates,
        minCompleted: flags.minCompleted,
        oneHistory: oneHistoryText(played[0]?.results ?? []),
      }),
    );
  if (output && out !== undefined)
    output.writeComparison(
      subjects.map(({ name, subject }, i) => ({ name, subject, results: played[i]?.results ?? [] })),
      compared,
      { out, formats, file },
    );
  if (wanted.length > 0 && !played.every(({ results }) => isEnough(wanted, results)))
    terminal.err(tooFewText(replicates));
}

function playedTogether(
  subjects: Awaited<ReturnType<typeof choicesOf>>,
  flags: CompareFlags,
  terminal: Terminal,
): readonly Choice[] {
  const { precision: wanted = [] } = flags;
  const count = wanted.length > 0 ? flags.maxReplicates : flags.replicates;
  const played = subjects.map(({ name }) => ({ name, results: Array<RunResult>() }));
  const isDone = (): boolean => wanted.length > 0 && played.every(({ results }) => isEnough(wanted, results));
  for (let replicate = 0; replicate < count && !isDone(); replicate++)
    for (const [i, { name, subject }] of subjects.entries())
      played[i]?.results.push(
        playReplicate(subject, {
          replicate,
          label: `${name} ${replicate + 1}/${count}`,
          isShown: terminal.isInteractive && flags.quiet !== true,
        }),
      );
  return played;
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
