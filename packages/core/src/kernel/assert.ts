import { describeMalformed, type Malformed } from './malformed.js';
import type { Result } from './result.js';

/**
 * States what must hold if coinlab itself is right. Only a mistake of ours makes it throw; refusals of commands are values.
 * @param claim a positive sentence: `a holding has a positive amount`
 * @param subject argument of `evidence`, so that a check that runs for every transfer needs no closure
 */
export function invariant<Subject>(
  holds: boolean,
  claim: string,
  evidence?: (subject: Subject) => string,
  subject?: Subject,
): asserts holds {
  // Cast: evidence without a parameter ignores it.
  if (!holds) throw new Error(`broken invariant: ${claim}${evidence ? `\n${evidence(subject as Subject)}` : ''}`);
}

/** Closes a switch over a union: a new variant fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

/** The value that was read. Throws a TypeError that names the argument, the given value and what was expected. */
export function orThrow<Value>(read: Result<Value, Malformed>): Value {
  if (!read.ok) throw new TypeError(describeMalformed(read.error));
  return read.value;
}
