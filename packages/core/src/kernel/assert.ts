import { describeMalformed, shown, type Malformed } from './malformed.js';
import type { Result } from './result.js';

/**
 * Throws unless a condition holds. Only a bug of coinlab or a damaged log makes it throw; refused commands are
 * values.
 * @param claim a positive sentence: `a holding has a positive amount`
 * @param subject argument of `evidence`, so that a check that runs for every transfer needs no closure
 */
export function invariant<Subject>(
  holds: boolean,
  claim: string,
  evidence?: (subject: Subject) => string,
  subject?: Subject,
): asserts holds {
  if (!holds) broken(claim, evidence, subject);
}

/** Not a part of {@link invariant}: V8 puts a short function in the place of every call. */
function broken<Subject>(claim: string, evidence?: (subject: Subject) => string, subject?: Subject): never {
  // Cast: evidence without a parameter ignores it.
  throw new Error(`broken invariant: ${claim}${evidence ? `\n${evidence(subject as Subject)}` : ''}`);
}

/** Closes a switch over a union, so that a new variant fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

export function orThrow<Value>(read: Result<Value, Malformed>, example?: string): Value {
  if (!read.ok) throw new TypeError(`${describeMalformed(read.error)}${example ? `, such as ${example}` : ''}`);
  return read.value;
}

/**
 * @param argument with its function: `Round.of(number)`
 * @param type `typeof` of valid values: a value of that type gives a RangeError, any other a TypeError; null: always a
 * TypeError
 */
export function requireArgument(
  fits: boolean,
  argument: string,
  value: unknown,
  type: 'bigint' | 'number' | 'string' | null,
  expected: string,
): asserts fits {
  if (!fits) failArgument(describeMalformed({ field: argument, value: shown(value), expected }), typeof value !== type);
}

export function failArgument(message: string, hasWrongType: boolean): never {
  throw hasWrongType ? new TypeError(message) : new RangeError(message);
}
