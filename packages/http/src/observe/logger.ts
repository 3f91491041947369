/** Receives log messages with structured facts; Pino fits. Default: messages are dropped. */
export interface Logger {
  info(facts: object, what: string): void;
  warn(facts: object, what: string): void;
  error(facts: object, what: string): void;
}

export const SILENT: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Does not quote the request. The claim of a broken invariant contains no user data. */
export function factsOf(error: unknown): object {
  if (!(error instanceof Error)) return { kind: typeof error };
  const claim = /^broken invariant: [^\n]*/.exec(error.message)?.[0];
  const at = [...(error.stack ?? '').matchAll(/^ +at (.+)$/gm)].map(([, place]) => place);
  return { kind: error.name, ...(claim === undefined ? {} : { claim }), at };
}
