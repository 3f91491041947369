/** Where a server says what it does, as facts with a name. Pino fits; left out, nobody is told. */
export interface Logger {
  info(facts: object, what: string): void;
  warn(facts: object, what: string): void;
  error(facts: object, what: string): void;
}

/** Tells nobody. */
export const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * A fault of ours without what it may quote of a request: its kind, where it happened, and what a broken invariant claims, which
 * is a sentence of ours.
 */
export function factsOf(error: unknown): object {
  if (!(error instanceof Error)) return { kind: typeof error };
  const claim = /^broken invariant: [^\n]*/.exec(error.message)?.[0];
  const at = [...(error.stack ?? '').matchAll(/^ +at (.+)$/gm)].map(([, place]) => place);
  return { kind: error.name, ...(claim === undefined ? {} : { claim }), at };
}
