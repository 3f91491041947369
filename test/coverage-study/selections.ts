import { selectBest } from '@coinlab/sim';
import { Draws } from './draws.ts';

export interface SelectionFigures {
  readonly right: number;
  /** Mean replicates of a choice. */
  readonly replicates: number;
}

/**
 * Measures how often `selectBest` finds the best of several choices when it is better than all others by exactly the indifference,
 * the hardest case.
 * @param shared share of the variance that replicates have in common
 */
export function selectionFigures(
  seed: number,
  { choices, shared, probability }: { readonly choices: number; readonly shared: number; readonly probability: number },
  trials: number,
): SelectionFigures {
  const draws = new Draws(seed, `selections/${choices}/${shared}`);
  let [right, used] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const luck: number[] = [];
    const { best, values } = selectBest({
      choices,
      indifference: 0.5,
      probability,
      observe: (choice, replicate) => {
        const common = (luck[replicate] ??= draws.normal());
        return (choice === 1 ? 0 : 0.5) + Math.sqrt(shared) * common + Math.sqrt(1 - shared) * draws.normal();
      },
    });
    if (best === 1) right += 1;
    used += values.reduce((sum, own) => sum + own.length, 0) / choices;
  }
  return { right: right / trials, replicates: used / trials };
}
