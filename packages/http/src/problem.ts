import { describeMalformed, type Malformed, type Result } from '@coinlab/core';
import { z } from '@hono/zod-openapi';

export type ProblemStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 429 | 431 | 500 | 501 | 503;

interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Facts for lists of refusals. Default: the details. */
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** Handlers throw it; the app answers it as `{error, ...details}`. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly evidence: Readonly<Record<string, unknown>>;

  constructor(
    status: ProblemStatus,
    message: string,
    { headers = {}, details = {}, evidence = details }: ProblemOptions = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.details = details;
    this.evidence = evidence;
  }
}

export const errorBody = z.object({ error: z.string() }).openapi('ErrorResponse');

const MEANING: { readonly [Status in ProblemStatus]: string } = {
  400: 'A field of the request is missing, malformed or out of range.',
  401: 'The token is missing or invalid.',
  403: 'The token or the origin of the request does not grant access to this endpoint.',
  404: 'The resource does not exist, or the caller has no wallet.',
  408: 'The request arrived too slowly.',
  409: 'The resource already exists, is moving between synchronizers, or a rule of the ledger refused the command.',
  413: 'The body is too large.',
  415: 'The content type or encoding of the body is not supported.',
  429: 'A conflicting request is in progress, or the participant has too little traffic. Retry later.',
  431: 'The request headers are too large.',
  500: 'The server failed because of a bug or damaged data.',
  501: 'The server does not implement this feature.',
  503: 'The server is shutting down, cannot write its log, cannot fetch the keys of the issuer, or has too many unfinished bodies.',
};

export type ProblemResponses<Status extends ProblemStatus, Schema> = {
  [Key in Status]: { description: string; content: { 'application/json': { schema: Schema } } };
};

export function problems<Status extends ProblemStatus>(
  ...statuses: readonly Status[]
): ProblemResponses<Status, typeof errorBody> {
  return problemsWith(errorBody, ...statuses);
}

export function problemsWith<Status extends ProblemStatus, Schema>(
  schema: Schema,
  ...statuses: readonly Status[]
): ProblemResponses<Status, Schema> {
  const entries = statuses.map((status) => [
    status,
    { description: MEANING[status], content: { 'application/json': { schema } } },
  ]);
  // Cast: Object.fromEntries loses the keys.
  return Object.fromEntries(entries) as ProblemResponses<Status, Schema>;
}

export function orProblem<Value>(read: Result<Value, Malformed>): Value {
  if (!read.ok) throw new Problem(400, describeMalformed(read.error));
  return read.value;
}
