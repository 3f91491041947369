import { err, type Err } from './result.js';

/** Why a text or JSON value could not be read: the field, its value and the expected form. */
export interface Malformed {
  /** Path of the field: `amount`, `inputs[3]`, `lock.expiresAt`. */
  readonly field: string;
  readonly value: string;
  readonly expected: string;
}

/** Returns a refusal of `value` for the named field. */
export function malformed(field: string, value: unknown, expected: string): Err<Malformed> {
  return err({ field, value: shown(value), expected });
}

/** Returns a fault as one line: field, value and expected form. */
export function describeMalformed({ field, value, expected }: Malformed): string {
  return `${field}: got ${value}, expected ${expected}`;
}

export function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function textOf(value: unknown): string {
  const type = typeof value;
  if (type === 'bigint' || type === 'number') return String(value);
  if (type === 'function' || type === 'symbol' || type === 'undefined') return type;
  const seen = new Set<unknown>();
  const json = JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return inner.toString();
    if (typeof inner !== 'object' || inner === null) return inner;
    if (seen.has(inner)) return '(again)'; // an object may contain itself
    seen.add(inner);
    return inner;
  });
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  return isDate ? `a Date, ${json}` : (json ?? type);
}
