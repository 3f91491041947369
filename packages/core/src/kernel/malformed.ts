import { err, type Err } from './result.js';

/** Why a text or JSON value could not be read: which field, what stood there, and what should have. */
export interface Malformed {
  /** Path of the field: `amount`, `inputs[3]`, `lock.expiresAt`. */
  readonly field: string;
  /** The offending value, as text. */
  readonly value: string;
  /** What is accepted, in words. */
  readonly expected: string;
}

/** A refusal to read `value` as the named field. */
export function malformed(field: string, value: unknown, expected: string): Err<Malformed> {
  return err({ field, value: shown(value), expected });
}

/** One line a person can act on. */
export function describeMalformed({ field, value, expected }: Malformed): string {
  return `${field}: got ${value}, expected ${expected}`;
}

/** A value as text for an error message: strings quoted, long values cut. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'bigint'
      ? String(value)
      : typeof value === 'function' || typeof value === 'symbol' || value === undefined
        ? typeof value
        : (JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner)) ??
          typeof value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
