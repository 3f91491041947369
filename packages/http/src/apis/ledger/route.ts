import { problemsWith, type ProblemResponses, type ProblemStatus } from '../../problem.js';
import { LEDGER_TAG } from '../../route-parts.js';
import { cantonErrorSchema } from '../../wire/canton-error.js';

export const LEDGER: { readonly tags: string[] } = { tags: [LEDGER_TAG] };

export function ledgerProblems<Status extends ProblemStatus>(
  ...statuses: readonly Status[]
): ProblemResponses<Status, typeof cantonErrorSchema> {
  return problemsWith(cantonErrorSchema, ...statuses);
}
