import type { Rejection, Result, Submission, Update } from '@coinlab/core';
import type { Finding } from './finding.js';
import type { LedgerSession, Skipped, SubmitAnswer } from './port.js';

export async function submitGuarded(
  session: LedgerSession,
  { command, context }: Submission,
  ours: () => Result<Update, Rejection>,
): Promise<SubmitAnswer | Skipped | Finding> {
  try {
    return await session.submit(command, context, ours);
  } catch (error) {
    return crashed(error);
  }
}

export function crashed(error: unknown): Finding {
  const [what = 'nothing', ...rest] = String(error instanceof Error ? error.message : error).split('\n');
  const evidence = rest.length > 0 ? ` (${rest.join(' ').slice(0, 200)})` : '';
  return { by: 'crash', what: `throws: ${what}${evidence}`, invariant: null };
}
