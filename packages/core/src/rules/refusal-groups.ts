import type { RejectionCode } from '../kernel/rejection.js';

/** Refusals of any command: it is malformed, its time is before the ledger's, the ledger is not open, or a signature is missing. */
export const EARLY_REFUSALS = ['INVALID_ARGUMENT', 'TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED'] as const;

/** A check of a command: the code with which it refuses, and the section of the specification that defines it. */
export interface CommandCheck {
  readonly code: RejectionCode;
  readonly source: string;
}

const VOCABULARY = '§7.9';

/**
 * Checks that run before the checks of the command itself. The NOT_AUTHORISED check refuses unsigned commands of
 * parties with a key.
 */
export const EARLY_CHECKS: readonly CommandCheck[] = (
  ['TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED', 'INVALID_ARGUMENT'] as const
).map((code) => ({ code, source: VOCABULARY }));

const REFUSAL_GROUPS = {
  /** Refusals of the registry after the checks of its administrator, and of its round. Source: specification §3.11. */
  'registry terms': {
    source: '§3.11',
    codes: [
      'WRONG_INSTRUMENT',
      'NON_POSITIVE_AMOUNT',
      'REQUESTED_IN_FUTURE',
      'DEADLINE_PASSED',
      'NO_INPUTS',
      'INVALID_ARGUMENT',
      'DUPLICATE_TRACKING_ID',
      'ROUND_NOT_OPEN',
    ],
  },
  /** Refusals of inputs that must be coins. Source: specification §5.2 step 2. */
  coins: { source: '§5.2', codes: ['DUPLICATE_INPUT', 'CONTRACT_NOT_FOUND', 'GROUP_MISMATCH', 'LOCK_NOT_EXPIRED'] },
  'coins and coupons': {
    source: '§5.2',
    codes: [
      'DUPLICATE_INPUT',
      'CONTRACT_NOT_FOUND',
      'GROUP_MISMATCH',
      'LOCK_NOT_EXPIRED',
      'DEADLINE_PASSED',
      'ROUND_NOT_ISSUING',
    ],
  },
  /** Refusals when the inputs do not cover the outputs. Source: specification §5.2 step 4. */
  funds: {
    source: '§5.2',
    codes: ['MAX_INPUTS_EXCEEDED', 'MAX_OUTPUTS_EXCEEDED', 'INVALID_DECIMAL', 'INSUFFICIENT_FUNDS'],
  },
  /**
   * Refusals of the payment of a preapproval's fee, which is burned from coins and coupons. Source: specification
   * §3.15, §5.6.
   */
  'preapproval fee': {
    source: '§3.15, §5.6',
    codes: [
      'NOT_BOOTSTRAPPED',
      'ROUND_NOT_OPEN',
      'NO_INPUTS',
      'DUPLICATE_INPUT',
      'CONTRACT_NOT_FOUND',
      'GROUP_MISMATCH',
      'LOCK_NOT_EXPIRED',
      'DEADLINE_PASSED',
      'ROUND_NOT_ISSUING',
      'MAX_INPUTS_EXCEEDED',
      'MAX_OUTPUTS_EXCEEDED',
      'INVALID_DECIMAL',
      'INSUFFICIENT_FUNDS',
    ],
  },
} as const;

type Groups = typeof REFUSAL_GROUPS;

export type Refusal = RejectionCode | keyof Groups;

export type CodeIn<Item> = Item extends keyof Groups
  ? Groups[Item]['codes'][number]
  : Item extends RejectionCode
    ? Item
    : never;

/**
 * Returns the checks of a list of refusals, in order of precedence. A code appears once for each check that refuses
 * with it.
 */
export function checksOf(refusals: readonly Refusal[], source: string): readonly CommandCheck[] {
  return refusals.flatMap((item): readonly CommandCheck[] => {
    if (!isGroup(item)) return [{ code: item, source: item === 'UNKNOWN_PARTY' ? VOCABULARY : source }];
    const group = REFUSAL_GROUPS[item];
    return group.codes.map((code) => ({ code, source: group.source }));
  });
}

function isGroup(item: Refusal): item is keyof Groups {
  return item in REFUSAL_GROUPS;
}
