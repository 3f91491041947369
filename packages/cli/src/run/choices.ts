import { subjectWith } from './policy-subject.js';
import type { Subject } from '../subject.js';

export interface ChoiceFlags {
  readonly policy?: readonly string[];
  readonly merge?: readonly string[];
  readonly group?: readonly string[];
  readonly seed?: number;
}

/** Reads the scenario for each combination, so a mistake in any of them is found before the first run. */
export function choicesOf(
  file: string,
  { policy = [], merge = [], group, seed }: ChoiceFlags,
): Promise<readonly { readonly name: string; readonly subject: Subject }[]> {
  const policies = policy.length === 0 ? [undefined] : policy;
  const habits = merge.length === 0 ? [undefined] : merge;
  const combined = policies.flatMap((select) => habits.map((habit) => ({ select, habit })));
  return Promise.all(
    combined.map(async ({ select, habit }) => ({
      name:
        [select, habit === undefined ? undefined : `merge ${habit}`].filter((part) => part).join(', ') || 'unchanged',
      subject: await subjectWith(file, seed, {
        ...(select !== undefined && { policy: select }),
        ...(habit !== undefined && { merge: habit }),
        ...(group && { group }),
      }),
    })),
  );
}
