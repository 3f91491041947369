import { Instant, PartyId } from '@coinlab/core';
import { shortUnits } from './units.js';

/**
 * The error that assertions of the test kit throw. The message shows the differences. `expected` and `actual`
 * have both values as plain JSON, for runners that print their own comparison.
 */
export class LedgerAssertionError extends Error {
  override readonly name: string = 'LedgerAssertionError';
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(message: string, expected?: unknown, actual?: unknown) {
    super(message);
    this.expected = plain(expected);
    this.actual = plain(actual);
  }
}

export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

/** Compares only the expected fields of records, but all items of lists and everything else exactly. */
export function differencesOf(expected: unknown, actual: unknown, path: string = ''): readonly Difference[] {
  if (Object.is(expected, actual)) return [];
  if (isRecord(expected) && isRecord(actual))
    return Object.entries(expected).flatMap(([name, inner]) =>
      differencesOf(inner, actual[name], path === '' ? name : `${path}.${name}`),
    );
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((inner, i) => differencesOf(inner, actual[i], `${path}[${i}]`));
  return [{ path, expected: text(expected, path), actual: text(actual, path) }];
}

export function diffText(differences: readonly Difference[]): string {
  return differences
    .flatMap(({ path, expected, actual }) => [`  ${path || 'value'}`, `    - ${expected}`, `    + ${actual}`])
    .join('\n');
}

export function plain(value: unknown, name: string = ''): unknown {
  if (typeof value === 'bigint') return bigText(value, name);
  if (typeof value === 'string') return withShortParties(value);
  if (Array.isArray(value)) return value.map((inner) => plain(inner, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner, key)]));
}

function withShortParties(text: string): string {
  return text.replaceAll(/([\w.-]{1,185})::1220[0-9a-f]{64}\b/g, (party, hint: string) =>
    party === PartyId.of(hint) ? hint : `${party.slice(0, hint.length + 10)}…${party.slice(-4)}`,
  );
}

function text(value: unknown, path: string): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(plain(value, path.slice(path.lastIndexOf('.') + 1))) ?? typeof value;
}

/** By the name of the field, because amounts, times and durations are all bigints. */
function bigText(value: bigint, name: string): string {
  // Cast: a bigint in a field with the name of a time is an instant.
  if (/At$|^at$|asOf|Before$|After$|From$|deadline|time$|until$/i.test(name)) return Instant.format(value as Instant);
  if (/duration$|lifetime$|interval$/i.test(name)) return `${value} µs`;
  return shortUnits(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
