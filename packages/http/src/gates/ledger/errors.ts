import { Problem, type ProblemStatus } from '../../problem.js';
import {
  cantonError,
  redacted,
  statusOfCode,
  type CantonError,
  type CantonErrorCode,
  type CantonErrorDetails,
} from '../../wire/canton-error.js';

export class LedgerProblem extends Problem {
  readonly body: CantonError;

  constructor(code: CantonErrorCode, cause: string, details: CantonErrorDetails = {}) {
    super(statusOfCode(code), cause);
    this.body = cantonError(code, cause, details);
  }
}

/** Codes of problems that gates and shared code throw without a code of the ledger API. */
const CODE_OF = {
  400: 'INVALID_ARGUMENT',
  404: 'NOT_FOUND',
  408: 'REQUEST_REFUSED',
  409: 'ABORTED',
  413: 'REQUEST_REFUSED',
  415: 'REQUEST_REFUSED',
  429: 'ABORTED',
  431: 'REQUEST_REFUSED',
  500: 'INTERNAL_ERROR',
  501: 'UNIMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
} satisfies { readonly [Status in Exclude<ProblemStatus, 401 | 403>]: CantonErrorCode };

const CODES: ReadonlyMap<number, CantonErrorCode> = new Map(
  Object.entries(CODE_OF).map(([status, code]) => [Number(status), code]),
);

/** Responses with 401 and 403 give no reason. Source: specification of the API §8.2. */
export function cantonErrorOf(problem: Problem): CantonError {
  if (problem instanceof LedgerProblem) return problem.body;
  return cantonErrorWith(problem.status, problem.message);
}

export function cantonErrorWith(status: number, cause: string): CantonError {
  if (status === 401 || status === 403) return redacted(status);
  return cantonError(CODES.get(status) ?? (status < 500 ? 'REQUEST_REFUSED' : 'INTERNAL_ERROR'), cause);
}
