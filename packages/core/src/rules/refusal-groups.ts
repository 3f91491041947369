import type { RejectionCode } from '../kernel/rejection.js';

/** Refusals of any command: it is malformed, its time is before the ledger's, the ledger is not open, or a signature is missing. */
export const EARLY_REFUSALS = ['INVALID_ARGUMENT', 'TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED'] as const;

/** A check of a command: the code with which it refuses, and the section of the specification that defines it. */
export interface CommandCheck {
  readonly code: RejectionCode;
  readonly source: string;
}

const VOCABULARY = '§7.9';

/** These checks run before those of the command itself. NOT_AUTHORISED refuses unsigned commands of parties with a key. */
export const EARLY_CHECKS: readonly CommandCheck[] = (
  ['TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED', 'INVALID_ARGUMENT'] as const
).map((code) => ({ code, source: VOCABULARY }));

/** A group without a source has that of the command. */
const REFUSAL_GROUPS = {
  /** The contract of a choice is not active, or its controller does not act. */
  choice: { source: null, codes: ['CONTRACT_NOT_FOUND', 'NOT_AUTHORISED'] },
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
  funds: {
    source: '§5.2',
    codes: ['MAX_INPUTS_EXCEEDED', 'MAX_OUTPUTS_EXCEEDED', 'INVALID_DECIMAL', 'INSUFFICIENT_FUNDS'],
  },
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

/** Returns the checks in order of precedence. A code appears once for each check that refuses with it. */
export function checksOf(refusals: readonly Refusal[], source: string): readonly CommandCheck[] {
  return refusals.flatMap((item): readonly CommandCheck[] => {
    if (!isGroup(item)) return [{ code: item, source: item === 'UNKNOWN_PARTY' ? VOCABULARY : source }];
    const group = REFUSAL_GROUPS[item];
    return group.codes.map((code) => ({ code, source: group.source ?? source }));
  });
}

function isGroup(item: Refusal): item is keyof Groups {
  return item in REFUSAL_GROUPS;
}
