import type { RejectionCode } from '../kernel/rejection.js';

/** Codes that can refuse any command: malformed, before the ledger's time, before the ledger was opened, or unsigned. */
export const EARLY_REFUSALS = ['INVALID_ARGUMENT', 'TIME_IN_PAST', 'NOT_BOOTSTRAPPED', 'NOT_AUTHORISED'] as const;

/** Refusals that several commands share, each list in order of precedence. */
const REFUSAL_GROUPS = {
  /** The registry's checks after its administrator, and its round. Source: specification §3.11. */
  'registry terms': [
    'WRONG_INSTRUMENT',
    'NON_POSITIVE_AMOUNT',
    'REQUESTED_IN_FUTURE',
    'DEADLINE_PASSED',
    'NO_INPUTS',
    'INVALID_ARGUMENT',
    'DUPLICATE_TRACKING_ID',
    'ROUND_NOT_OPEN',
  ],
  /** Inputs that must be coins. Source: specification §5.2 step 2. */
  coins: ['DUPLICATE_INPUT', 'CONTRACT_NOT_FOUND', 'GROUP_MISMATCH', 'LOCK_NOT_EXPIRED'],
  'coins and coupons': [
    'DUPLICATE_INPUT',
    'CONTRACT_NOT_FOUND',
    'GROUP_MISMATCH',
    'LOCK_NOT_EXPIRED',
    'DEADLINE_PASSED',
    'ROUND_NOT_ISSUING',
  ],
  /** Inputs against outputs. Source: specification §5.2 step 4. */
  funds: ['MAX_INPUTS_EXCEEDED', 'MAX_OUTPUTS_EXCEEDED', 'INVALID_DECIMAL', 'INSUFFICIENT_FUNDS'],
  /** The fee of a preapproval, burned from coins and coupons. Source: specification §3.15, §5.6. */
  'preapproval fee': [
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
} as const;

type Groups = typeof REFUSAL_GROUPS;

/** A code, or the name of a list of codes. */
export type Refusal = RejectionCode | keyof Groups;

/** The codes of a list of refusals. */
export type CodeIn<Item> = Item extends keyof Groups ? Groups[Item][number] : Item extends RejectionCode ? Item : never;

/** The codes of a list of refusals, each once, in order of precedence. */
export function codesOf(refusals: readonly Refusal[]): readonly RejectionCode[] {
  return [
    ...new Set(refusals.flatMap((item): readonly RejectionCode[] => (isGroup(item) ? REFUSAL_GROUPS[item] : [item]))),
  ];
}

function isGroup(item: Refusal): item is keyof Groups {
  return item in REFUSAL_GROUPS;
}
