import {
  LARGEST_SEED,
  MOST_INPUTS,
  parseWantedWidth,
  POLICY_NAMES,
  SELECTION_NAMES,
  type SelectionName,
  type WantedWidth,
} from '@coinlab/sim';
import { InvalidArgumentError, Option } from 'commander';
import { whole, type OrNone } from './flags.js';

/** Enough for confidence intervals and for a verdict on the trend. */
export const DEFAULT_REPLICATES = 5;

export function countOrNone(least: number, most: number = MOST_INPUTS): (text: string) => OrNone<number> {
  return (text) => (text === 'none' ? text : whole(text, least, most, `'none' or `));
}

export type MergeThreshold = number | 'never';

export function nullForNever(merge: MergeThreshold): number | null {
  return merge === 'never' ? null : merge;
}

/** `compare` and `shrink` take any merge policy of a scenario instead. */
export function mergeThresholdOption(): Option {
  return new Option('--merge <threshold>', "number of UTXOs above which a wallet merges its smallest ones, or 'never'")
    .argParser((text): MergeThreshold => (text === 'never' ? text : whole(text, 1, MOST_INPUTS, "'never' or ")))
    .default('never');
}

export function seed(text: string): number {
  return whole(text, 0, LARGEST_SEED);
}

export function policies(text: string): readonly SelectionName[] {
  if (text === 'all') return POLICY_NAMES;
  const names = text.split(',').map((word) => {
    const name = SELECTION_NAMES.find((known) => known === word.trim());
    if (!name)
      throw new InvalidArgumentError(`Got '${word.trim()}', expected 'all' or some of ${SELECTION_NAMES.join(', ')}.`);
    return name;
  });
  if (new Set(names).size < names.length) throw new InvalidArgumentError('The list names a policy twice.');
  return names;
}

export function wantedWidths(text: string, before: readonly WantedWidth[] = []): readonly WantedWidth[] {
  const wanted = parseWantedWidth(text);
  if (!wanted)
    throw new InvalidArgumentError('Expected a metric and a width, such as utxosPerParty.mean=0.1 or transfers=2%.');
  return [...before, wanted];
}
