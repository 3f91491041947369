import { at } from '@coinlab/core/workflows';
import { mean, sampleVariance } from 'simple-statistics';

/** Options of {@link selectBest}. */
export interface SelectionOptions {
  /** Number of choices, at least two. */
  readonly choices: number;
  /** Runs a replicate of a choice and returns its figure; less is better. Equal replicates share their random numbers. */
  readonly observe: (choice: number, replicate: number) => number;
  /** Smallest difference of means worth detecting; above zero. */
  readonly indifference: number;
  /** Probability of the right choice when the best is better by the indifference. Default 0.95. */
  readonly probability?: number;
  /** Number of replicates of every choice before the first choice can be dropped; at least two. Default 10. */
  readonly firstStage?: number;
  /** Number of replicates of a choice after which the selection gives up. Default 1,000. */
  readonly most?: number;
}

/** The result of a selection. */
export interface Selection {
  /** Index of the selected choice; null when `most` replicates did not separate the choices. */
  readonly best: number | null;
  /** Figures of each choice by replicate; a dropped choice has fewer. */
  readonly values: readonly (readonly number[])[];
  /** Choices still in the selection at its end; one unless it gave up. */
  readonly remaining: readonly number[];
}

/**
 * Selects the choice with the least mean. With at least the stated probability it is the best one, when the best is better than
 * the others by the indifference; otherwise it is within the indifference of the best with that probability. Fully sequential:
 * drops a choice as soon as its replicates show that another one is better. Figures are assumed normal; shared random numbers are allowed.
 * Source: Kim and Nelson, ACM Transactions on Modeling and Computer Simulation 11 (2001) 251, with c = 1.
 */
export function selectBest({
  choices,
  observe,
  indifference,
  probability = 0.95,
  firstStage = 10,
  most = 1_000,
}: SelectionOptions): Selection {
  const values = Array.from({ length: choices }, (_, choice) =>
    Array.from({ length: firstStage }, (__, replicate) => observe(choice, replicate)),
  );
  const eta = ((2 * (1 - probability)) / (choices - 1)) ** (-2 / (firstStage - 1)) / 2 - 0.5;
  const factor = (2 * eta * (firstStage - 1)) / indifference ** 2;
  // Replicates after which a pair is decided, from the variance of its differences in the first stage.
  const limits = values.map((own) =>
    values.map((other) => factor * sampleVariance(own.map((value, i) => value - at(other, i)))),
  );
  let remaining = values.map((_, choice) => choice);
  for (let replicates = firstStage; ; replicates++) {
    const means = values.map((own) => mean(own.slice(0, replicates)));
    const slack = (i: number, j: number): number =>
      Math.max(0, (indifference / (2 * replicates)) * (at(at(limits, i), j) - replicates));
    const before = remaining;
    remaining = before.filter((i) => before.every((j) => i === j || at(means, i) <= at(means, j) + slack(i, j)));
    const isDecided = remaining.every((i) => remaining.every((j) => i === j || at(at(limits, i), j) < replicates));
    const [best] = remaining.toSorted((i, j) => at(means, i) - at(means, j));
    if (best !== undefined && (remaining.length === 1 || isDecided)) return { best, values, remaining: [best] };
    if (replicates >= most) return { best: null, values, remaining };
    for (const choice of remaining) at(values, choice).push(observe(choice, replicates));
  }
}
