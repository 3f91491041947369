/** What a part of a run writes down so that it can go on later: values of JSON, and big integers. */
export type Saved =
  null | boolean | number | string | bigint | readonly Saved[] | { readonly [field: string]: Saved | undefined };

/** One line of JSON; big integers as `{"n":"…"}`, a key that nothing saved uses. */
export function savedLine(saved: Saved): string {
  return JSON.stringify(saved, (_, value: unknown) => (typeof value === 'bigint' ? { n: String(value) } : value));
}

/** What {@link savedLine} wrote. Throws a SyntaxError for anything else. */
export function readSaved(line: string): Saved {
  // The reviver makes of JSON what `savedLine` was given.
  return JSON.parse(line, (_, value: unknown) => (isBigint(value) ? BigInt(value.n) : value)) as Saved;
}

function isBigint(value: unknown): value is { readonly n: string } {
  return typeof value === 'object' && value !== null && 'n' in value && Object.keys(value).length === 1;
}
