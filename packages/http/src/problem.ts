import { describeMalformed, type Malformed, type Result } from '@coinlab/core';
import { z } from '@hono/zod-openapi';

/** Statuses that an error of ours can have. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 501 | 503;

/** A request that is refused: thrown by handlers, answered as `{error}` by the app, and nowhere else. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ProblemStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** The body of every error. */
export const errorBody = z.object({ error: z.string() }).openapi('ErrorResponse');

const MEANING: { readonly [Status in ProblemStatus]: string } = {
  400: 'The request, or what it asks for, is not acceptable.',
  401: 'No token, or an invalid one.',
  403: 'The token may not do this.',
  404: 'There is no such thing, or no wallet for the caller.',
  408: 'The request took too long.',
  409: 'It exists already, or a rule of the ledger refused it.',
  413: 'The body is too large.',
  415: 'The body cannot be read.',
  429: 'Something like it is under way; try again.',
  431: 'The headers are too large.',
  500: 'A fault of the server.',
  501: 'This server does not do that.',
  503: 'Shutting down, or the log cannot be written.',
};

/** The error responses of a route, for its declaration. */
export function problems<Status extends ProblemStatus>(
  ...statuses: readonly Status[]
): { [Key in Status]: { description: string; content: { 'application/json': { schema: typeof errorBody } } } } {
  const entries = statuses.map((status) => [
    status,
    { description: MEANING[status], content: { 'application/json': { schema: errorBody } } },
  ]);
  // The library forgets which keys there are.
  return Object.fromEntries(entries) as {
    [Key in Status]: { description: string; content: { 'application/json': { schema: typeof errorBody } } };
  };
}

/** What was read from a request; 400 for what could not be. */
export function orProblem<Value>(read: Result<Value, Malformed>): Value {
  if (!read.ok) throw new Problem(400, describeMalformed(read.error));
  return read.value;
}
