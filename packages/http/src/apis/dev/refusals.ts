import { describeFaults, REJECTION_CODES, type Malformed, type Rejection, type RejectionCode } from '@coinlab/core';
import { z } from '@hono/zod-openapi';
import { evidenceOf, problemOf } from '../../gates/status.js';
import { errorBody, Problem, problemsWith, type ProblemResponses, type ProblemStatus } from '../../problem.js';

const refusalBody = errorBody
  .extend({ code: z.enum(REJECTION_CODES).optional().describe('Rejection code; absent for a malformed request.') })
  .loose()
  .openapi('DevErrorResponse', {
    description: 'An error. A refused command adds the code of the rejection and its evidence.',
    example: {
      error: 'INSUFFICIENT_FUNDS: 2.5 is missing: the inputs are worth less than the outputs and fees.',
      code: 'INSUFFICIENT_FUNDS',
      missing: '2.5000000000',
    },
  });

export function devProblems<Status extends ProblemStatus>(
  ...statuses: readonly Status[]
): ProblemResponses<Status, typeof refusalBody> {
  return problemsWith(refusalBody, ...statuses);
}

export function refusedCommand(rejection: Rejection): Problem {
  const { status, message } = problemOf(rejection);
  // Only here the caller may choose the time.
  const isTimeOfCaller = rejection.code === 'TIME_IN_PAST';
  return new Problem(isTimeOfCaller ? 409 : status, message, {
    details: { code: rejection.code, ...evidenceOf(rejection) },
  });
}

/** A decimal out of range has its own code, as for a command that a program submits with this amount. */
export function malformedCommand(faults: readonly Malformed[]): Problem {
  const code: RejectionCode = faults.every(isDecimalOutOfRange) ? 'INVALID_DECIMAL' : 'INVALID_ARGUMENT';
  return new Problem(400, describeFaults(faults), { details: { code, ...faults[0] } });
}

function isDecimalOutOfRange({ value, expected }: Malformed): boolean {
  return expected.startsWith('a decimal text') && /^"?-?\d+(\.\d+)?"?$/.test(value);
}
