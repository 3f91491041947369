import { at } from '@coinlab/core/workflows';
import { completionOf, intervalOf, knownMetrics, nearestText, numberOf, selectBest, shareOf } from '@coinlab/sim';
import { BadInput, RunsFailed } from '../exit-code.js';
import { intervalText } from '../interval-text.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { choicesOf, type ChoiceFlags } from './choices.js';
import { playReplicate } from './replicates.js';

export interface BestFlags extends ChoiceFlags {
  readonly metric: string;
  readonly indifference: number;
  readonly probability: number;
  readonly maxReplicates: number;
  readonly minCompleted: number;
  readonly quiet?: true;
}

export async function bestCommand(file: string, flags: BestFlags, terminal: Terminal): Promise<void> {
  const { metric, indifference, probability, maxReplicates } = flags;
  const choices = await choicesOf(file, flags);
  if (choices.length < 2)
    throw new BadInput(`best: got ${choices.length} choice, expected at least two: name policies or merge habits`);
  const known = knownMetrics(choices[0]?.subject.scenario.groups ?? []);
  if (!known.includes(metric))
    throw new BadInput(
      `--metric: got '${metric}', expected a name of docs/reference/metrics.md${nearestText(metric, known)}`,
    );
  const played = choices.map(() => ({ requested: 0, completed: 0 }));
  const { best, values, remaining } = selectBest({
    choices: choices.length,
    indifference,
    probability,
    most: maxReplicates,
    observe: (choice, replicate) => {
      const { name, subject } = at(choices, choice);
      const isShown = terminal.isInteractive && flags.quiet !== true;
      const result = playReplicate(subject, { replicate, label: `${name}, replicate ${replicate + 1}`, isShown });
      const { requested, completed } = completionOf([result]);
      const sums = at(played, choice);
      sums.requested += requested;
      sums.completed += completed;
      return numberOf(result.summary.get(metric) ?? 0);
    },
  });
  const isStarved = (choice: number): boolean => shareOf(at(played, choice)) < flags.minCompleted;
  const rows = choices.map(({ name }, i) => ({ name, i, own: at(values, i) }));
  terminal.out(
    `${table(
      [
        { title: 'choice', cell: ({ name }) => name },
        { title: metric, cell: ({ own }) => intervalText(intervalOf(own)) },
        { title: 'replicates', cell: ({ own }) => String(own.length) },
        { title: ' ', cell: ({ i }) => (isStarved(i) ? 'starved' : i === best ? '✓' : '') },
      ],
      rows,
    )}\n`,
  );
  const starved = rows.filter(({ i }) => isStarved(i)).map(({ name }) => name);
  if (starved.length > 0)
    throw new RunsFailed(
      `no choice: ${starved.join('; ')} did not make its payments, so its figures mean nothing; leave it out`,
    );
  if (best === null)
    throw new RunsFailed(
      `${maxReplicates} replicates do not separate ${remaining.map((i) => at(choices, i).name).join(' and ')}; increase --max-replicates or --indifference`,
    );
  terminal.out(
    `The best is ${at(choices, best).name}, with a probability of ${probability * 100} % if it is better by at least ${indifference}.\n`,
  );
}
