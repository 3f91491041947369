import { REJECTION_CODES, UPDATE_KINDS } from '@coinlab/core';
import { TEMPLATE_NAMES } from '@coinlab/core/contracts';
import { plain } from './failure.js';

/** A snapshot serializer for `expect.addSnapshotSerializer` of vitest and Jest. */
export interface SnapshotSerializer {
  /** Returns whether the serializer can print a value. */
  test(value: unknown): boolean;
  /** Returns the value as text; `print` is the runner's printer. */
  print(value: unknown, print: (value: unknown) => string): string;
}

/**
 * Prints contracts, updates, rejections and balances with amounts as `5.0`, times as
 * `2026-01-01T00:00:00.000000Z` and parties as `bob`. Bigints in other values keep the runner's format.
 */
export const ledgerSerializer: SnapshotSerializer = {
  test: (value) => (typeof value === 'string' ? plain(value) !== value : isLedgerValue(value) && isRaw(value)),
  print: (value, print) => print(plain(value)),
};

const WORDS: { readonly [field: string]: ReadonlySet<string> } = {
  template: new Set(TEMPLATE_NAMES),
  kind: new Set(UPDATE_KINDS),
  code: new Set(REJECTION_CODES),
};

function isLedgerValue(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const isBalance = 'unlocked' in value && 'locked' in value && 'total' in value;
  return (
    isBalance ||
    Object.entries(value).some(([name, word]) => typeof word === 'string' && WORDS[name]?.has(word) === true)
  );
}

/**
 * Returns whether a value still has bigints or long party ids. A printed value has none, so it is not printed again.
 */
function isRaw(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRaw);
  return typeof value === 'bigint' || (typeof value === 'string' && plain(value) !== value);
}
