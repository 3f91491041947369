/**
 * Saved state of a part of a run: JSON values and big integers. Parts declare their state as type aliases, because interfaces are not
 * assignable to this type.
 */
export type Saved =
  null | boolean | number | string | bigint | readonly Saved[] | { readonly [field: string]: Saved | undefined };

/** Big integers become `{"n":"…"}`, a key that saved values never use. */
export function savedLine(saved: Saved): string {
  return JSON.stringify(saved, (_, value: unknown) => (typeof value === 'bigint' ? { n: String(value) } : value));
}

export function readSaved(line: string): Saved {
  // The reviver inverts `savedLine`.
  return JSON.parse(line, (_, value: unknown) => (isBigint(value) ? BigInt(value.n) : value)) as Saved;
}

function isBigint(value: unknown): value is { readonly n: string } {
  return typeof value === 'object' && value !== null && 'n' in value && Object.keys(value).length === 1;
}
