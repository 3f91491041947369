import { Amount } from '@coinlab/core';
import { LARGEST_SEED, MOST_INPUTS, POLICY_NAMES, type PolicyName } from '@coinlab/sim';
import { InvalidArgumentError } from 'commander';

/** A value that may be left out by name. The word stays a word until all flags are read: Commander takes null for an empty text. */
export type OrNone<Value> = Value | 'none';

/** The value, or null for `none`. */
export function nullForNone<Value>(given: OrNone<Value>): Value | null {
  return given === 'none' ? null : given;
}

/** `none`, or a whole number in a range. */
export function countOrNone(least: number, most: number = MOST_INPUTS): (text: string) => OrNone<number> {
  return (text) => (text === 'none' ? text : whole(text, least, most, `'none' or `));
}

/** A seed: 32 bits. */
export function seed(text: string): number {
  return whole(text, 0, LARGEST_SEED);
}

/** A port; 0 takes a free one. */
export function port(text: string): number {
  return whole(text, 0, 65_535);
}

/** The place of an update in a log. */
export function offset(text: string): number {
  return whole(text, 1, Number.MAX_SAFE_INTEGER);
}

/** How a server's time passes: by itself, by hand, or so many times as fast. */
export function clockSpeed(text: string): 'real' | 'manual' | number {
  if (text === 'real' || text === 'manual') return text;
  const factor = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (!(factor > 0)) throw new InvalidArgumentError("Expected 'real', 'manual' or a number above zero.");
  return factor;
}

/** Coin above zero, as a decimal with at most ten places. */
export function coin(text: string): Amount {
  const parsed = Amount.parse(text);
  if (!parsed.ok || parsed.value <= 0n)
    throw new InvalidArgumentError('Expected coin above zero, a decimal with at most ten places.');
  return parsed.value;
}

/** Coin above zero, or `none`. */
export function coinOrNone(text: string): OrNone<Amount> {
  return text === 'none' ? text : coin(text);
}

/** The names of policies, separated by commas; `all` for all of them. */
export function policies(text: string): readonly PolicyName[] {
  if (text === 'all') return POLICY_NAMES;
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!POLICY_NAMES.includes(name as PolicyName))
      throw new InvalidArgumentError(`Got '${name}', expected 'all' or some of ${POLICY_NAMES.join(', ')}.`);
  }
  if (new Set(names).size < names.length) throw new InvalidArgumentError('A policy is named twice.');
  return names as PolicyName[];
}

function whole(text: string, least: number, most: number, orElse: string = ''): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= most))
    throw new InvalidArgumentError(`Expected ${orElse}a whole number from ${least} to ${most}.`);
  return number;
}
