import type { RejectionCode } from '@coinlab/core';
import { describe, it } from 'vitest';

export type Fault<Plan> = readonly [code: RejectionCode, change: Partial<Plan>, what?: string];

/**
 * Tests the rejections of a command in their order of precedence. Case i commits fault i and every fault below it, so the code
 * of the first one must be reported; where two faults change the same part of the plan, the upper one's change wins.
 */
export function precedence<Plan extends object>(
  good: Plan,
  faults: readonly Fault<Plan>[],
  refuses: (code: RejectionCode, plan: Plan) => void,
): void {
  describe('a command with several faults', () => {
    it.each(faults.map(([code, , what], i) => [what ? `${code} (${what})` : code, code, i] as const))(
      'is refused with the code of the first failed check: %s',
      (_, code, i) => {
        const changes = faults
          .slice(i)
          .map(([, change]) => change)
          .reverse();
        refuses(code, Object.assign({}, good, ...changes) as Plan);
      },
    );
  });
}
