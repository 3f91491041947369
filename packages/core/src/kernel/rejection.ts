import type { Amount } from './amount.js';
import type { ContractId, PartyId } from './ids.js';
import type { Instant, Round } from './time.js';

/**
 * Why a command was refused. One closed vocabulary for the whole ledger; each code carries both sides of the broken condition.
 * A refused command appends nothing.
 * Source: specification §7.9; codes beyond it are listed in assumption A-05.
 */
export type Rejection =
  | { readonly code: 'CONTRACT_NOT_FOUND'; readonly contract: ContractId | null; readonly wanted: string }
  | {
      readonly code: 'GROUP_MISMATCH';
      readonly contract: ContractId | null;
      readonly field: string;
      readonly expected: string;
      readonly actual: string;
    }
  | { readonly code: 'NOT_AUTHORISED'; readonly actAs: readonly PartyId[]; readonly required: PartyId }
  | { readonly code: 'DSO_MISMATCH'; readonly expected: PartyId; readonly actual: PartyId }
  | { readonly code: 'ADMIN_MISMATCH'; readonly expected: PartyId; readonly actual: PartyId }
  | { readonly code: 'WRONG_INSTRUMENT'; readonly expected: string; readonly actual: string }
  | { readonly code: 'NON_POSITIVE_AMOUNT'; readonly field: string; readonly amount: Amount }
  | { readonly code: 'INVALID_DECIMAL'; readonly field: string; readonly units: bigint; readonly expected: string }
  | { readonly code: 'INVALID_ARGUMENT'; readonly field: string; readonly value: string; readonly expected: string }
  | { readonly code: 'REQUESTED_IN_FUTURE'; readonly requestedAt: Instant; readonly at: Instant }
  | { readonly code: 'DEADLINE_PASSED'; readonly deadline: Instant; readonly at: Instant }
  | { readonly code: 'DEADLINE_NOT_REACHED'; readonly deadline: Instant; readonly at: Instant }
  | { readonly code: 'PREAPPROVAL_EXPIRED'; readonly deadline: Instant; readonly at: Instant }
  | {
      readonly code: 'LOCK_NOT_EXPIRED';
      readonly contract: ContractId;
      readonly expiresAt: Instant;
      readonly at: Instant;
    }
  | { readonly code: 'LOCK_OUTLIVES_AMULET'; readonly lockExpiresAt: Instant; readonly dustAt: Instant | null }
  | { readonly code: 'NO_INPUTS' }
  | { readonly code: 'DUPLICATE_INPUT'; readonly contract: ContractId }
  | { readonly code: 'MAX_INPUTS_EXCEEDED'; readonly inputs: number; readonly limit: number }
  | { readonly code: 'MAX_OUTPUTS_EXCEEDED'; readonly outputs: number; readonly limit: number }
  | { readonly code: 'TOO_MANY_LOCK_HOLDERS'; readonly holders: number; readonly limit: number }
  | { readonly code: 'INSUFFICIENT_FUNDS'; readonly missing: Amount }
  | { readonly code: 'ROUND_NOT_OPEN'; readonly opensAt: Instant | null; readonly at: Instant }
  | {
      readonly code: 'ROUND_NOT_ISSUING';
      readonly round: Round;
      readonly opensAt: Instant | null;
      readonly at: Instant;
    }
  | {
      readonly code: 'NOT_DUST';
      readonly contract: ContractId;
      readonly expiresInRound: Round | null;
      readonly oldestRound: Round;
    }
  | { readonly code: 'NONCE_TOO_LOW'; readonly nonce: number; readonly nextNonce: number }
  | { readonly code: 'NONCE_TOO_HIGH'; readonly nonce: number; readonly nextNonce: number }
  | { readonly code: 'TOO_SOON'; readonly notBefore: Instant; readonly at: Instant }
  | { readonly code: 'TIME_IN_PAST'; readonly at: Instant; readonly ledgerTime: Instant }
  | { readonly code: 'MERGE_NOT_REDUCING'; readonly inputs: number; readonly outputs: number }
  | { readonly code: 'DEVNET_ONLY'; readonly choice: string }
  | { readonly code: 'UNKNOWN_SYNCHRONIZER'; readonly synchronizerId: string }
  | { readonly code: 'INSUFFICIENT_TOPUP_AMOUNT'; readonly requested: number; readonly minimum: number }
  | { readonly code: 'INSUFFICIENT_TRAFFIC'; readonly trafficBytes: number; readonly availableBytes: number }
  | { readonly code: 'DUPLICATE_TRACKING_ID'; readonly trackingId: string }
  | { readonly code: 'INVALID_SIGNATURE'; readonly party: PartyId }
  | { readonly code: 'ALREADY_EXISTS'; readonly what: string; readonly contract: ContractId | null }
  | { readonly code: 'VOTE_NOT_CLOSABLE'; readonly yes: number; readonly no: number; readonly required: number }
  | { readonly code: 'NOT_BOOTSTRAPPED' };

/** The name of a broken condition. */
export type RejectionCode = Rejection['code'];

/** The rejections with one of the given codes: what a workflow may answer. */
export type Rejected<Code extends RejectionCode> = Extract<Rejection, { readonly code: Code }>;

const CODES = {
  CONTRACT_NOT_FOUND: true,
  GROUP_MISMATCH: true,
  NOT_AUTHORISED: true,
  DSO_MISMATCH: true,
  ADMIN_MISMATCH: true,
  WRONG_INSTRUMENT: true,
  NON_POSITIVE_AMOUNT: true,
  INVALID_DECIMAL: true,
  INVALID_ARGUMENT: true,
  REQUESTED_IN_FUTURE: true,
  DEADLINE_PASSED: true,
  DEADLINE_NOT_REACHED: true,
  PREAPPROVAL_EXPIRED: true,
  LOCK_NOT_EXPIRED: true,
  LOCK_OUTLIVES_AMULET: true,
  NO_INPUTS: true,
  DUPLICATE_INPUT: true,
  MAX_INPUTS_EXCEEDED: true,
  MAX_OUTPUTS_EXCEEDED: true,
  TOO_MANY_LOCK_HOLDERS: true,
  INSUFFICIENT_FUNDS: true,
  ROUND_NOT_OPEN: true,
  ROUND_NOT_ISSUING: true,
  NOT_DUST: true,
  NONCE_TOO_LOW: true,
  NONCE_TOO_HIGH: true,
  TOO_SOON: true,
  TIME_IN_PAST: true,
  MERGE_NOT_REDUCING: true,
  DEVNET_ONLY: true,
  UNKNOWN_SYNCHRONIZER: true,
  INSUFFICIENT_TOPUP_AMOUNT: true,
  INSUFFICIENT_TRAFFIC: true,
  DUPLICATE_TRACKING_ID: true,
  INVALID_SIGNATURE: true,
  ALREADY_EXISTS: true,
  VOTE_NOT_CLOSABLE: true,
  NOT_BOOTSTRAPPED: true,
} satisfies Record<RejectionCode, true>;

/** Every code of the closed vocabulary, in the order of the specification's list. */
export const REJECTION_CODES: readonly RejectionCode[] = Object.keys(CODES) as RejectionCode[];
