import { serialize } from 'node:v8';

/** The tag of a small integer in V8's serialization; a double has another, also when it holds a whole number. */
const SMALL_INTEGER = 'I'.codePointAt(0);
const LIMIT = 2 ** 31;

/** Paths of the small whole numbers in a value that V8 holds as doubles. Objects with one are slow: their ids become doubles too. */
export function boxedNumbersIn(value: unknown, path: string = ''): readonly string[] {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < LIMIT && serialize(value)[2] !== SMALL_INTEGER ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => boxedNumbersIn(inner, `${path}.${key}`));
}
