import type { Amount } from './amount.js';
import type { ContractId, PartyId } from './ids.js';
import type { Instant, Round } from './time.js';

/**
 * The reason why a command was refused: one closed vocabulary for the whole ledger; each code carries both sides of
 * the broken condition. A refused command appends nothing.
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
  | { readonly code: 'UNKNOWN_PARTY'; readonly party: PartyId }
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
  | {
      readonly code: 'DUPLICATE_COMMAND';
      readonly commandId: string;
      readonly submissionId: string;
      readonly offset: number;
    }
  | { readonly code: 'ALREADY_EXISTS'; readonly what: string; readonly contract: ContractId | null }
  | { readonly code: 'VOTE_NOT_CLOSABLE'; readonly yes: number; readonly no: number; readonly required: number }
  | { readonly code: 'ROUND_NOT_EMPTY'; readonly round: Round; readonly coupon: ContractId }
  | { readonly code: 'NOT_BOOTSTRAPPED' }
  | { readonly code: 'CONTRACT_IN_TRANSIT'; readonly contracts: readonly ContractId[] };

/** The name of the condition that a refused command violates. */
export type RejectionCode = Rejection['code'];

/** The rejections with one of the given codes. Workflows list their codes in order of precedence. */
export type Rejected<Code extends RejectionCode> = Extract<Rejection, { readonly code: Code }>;

/**
 * Whether submitting again can help:
 * - `later`: the same command can succeed once time has passed or another party has acted.
 * - `refreshed`: it can succeed with fresh facts: other inputs, the current time, the next nonce.
 * - `never`: only a different command, or other authority, can succeed.
 */
export type Retry = 'later' | 'refreshed' | 'never';

/** The meaning of a code, and whether submitting again can help. */
export interface RejectionInfo {
  readonly meaning: string;
  readonly retry: Retry;
}

const later = (meaning: string): RejectionInfo => ({ meaning, retry: 'later' });
const refreshed = (meaning: string): RejectionInfo => ({ meaning, retry: 'refreshed' });
const never = (meaning: string): RejectionInfo => ({ meaning, retry: 'never' });

/** Every code with its meaning and its {@link Retry}, in the order of the specification's list. */
export const REJECTIONS: Readonly<Record<RejectionCode, RejectionInfo>> = {
  CONTRACT_NOT_FOUND: refreshed(
    'a contract that the command names or needs is not active, or is of another kind than `wanted`',
  ),
  GROUP_MISMATCH: never('a contract that the command names belongs to another party, round or network than it must'),
  NOT_AUTHORISED: never('a party whose authority is needed does not act'),
  DSO_MISMATCH: never('the DSO that the command expects is not the one of this ledger'),
  ADMIN_MISMATCH: never('the instrument administrator that the command expects is not the DSO of this ledger'),
  WRONG_INSTRUMENT: never('the transfer is about another instrument than the coin of this ledger'),
  NON_POSITIVE_AMOUNT: never('an amount that must be above zero is not'),
  INVALID_DECIMAL: never('an amount, or a sum on the way to one, needs more than 38 digits'),
  INVALID_ARGUMENT: never('a field has a value that its type allows and this command does not'),
  UNKNOWN_PARTY: later('the receiver is not allocated, on a ledger that requires known parties'),
  REQUESTED_IN_FUTURE: later('the request says that it was made after the ledger time'),
  DEADLINE_PASSED: never('the ledger time has reached an exclusive deadline'),
  DEADLINE_NOT_REACHED: later('the command is allowed only once a deadline has passed'),
  PREAPPROVAL_EXPIRED: refreshed('the ledger time has reached the end of the preapproval'),
  LOCK_NOT_EXPIRED: later('the coin is still locked'),
  LOCK_OUTLIVES_AMULET: never('the lock would end after the coin could have become dust'),
  NO_INPUTS: never('a command that consumes contracts names none'),
  DUPLICATE_INPUT: never('a contract is named twice'),
  MAX_INPUTS_EXCEEDED: never('the transfer consumes more inputs, coupons included, than its round allows'),
  MAX_OUTPUTS_EXCEEDED: never('the transfer creates more outputs than its round allows'),
  TOO_MANY_LOCK_HOLDERS: never('a lock has more holders than its round allows'),
  INSUFFICIENT_FUNDS: refreshed(
    'the inputs are worth less than the outputs and fees; `missing` is the exact difference',
  ),
  ROUND_NOT_OPEN: later('no open round is usable at the ledger time'),
  ROUND_NOT_ISSUING: later("a coupon's round is not being issued: not yet, or not any more"),
  NOT_DUST: later('the coin is still worth more than the holding fee it has accrued'),
  NONCE_TOO_LOW: refreshed('the nonce of a transfer command has been used already'),
  NONCE_TOO_HIGH: later('the nonce of a transfer command is above the next nonce'),
  TOO_SOON: later('the least interval since the last time has not passed'),
  TIME_IN_PAST: refreshed("the command's time lies before the ledger time, which never decreases"),
  MERGE_NOT_REDUCING: refreshed('a merge would not leave fewer coins than it consumes'),
  DEVNET_ONLY: never('the command exists on a DevNet only'),
  UNKNOWN_SYNCHRONIZER: never('traffic is bought for a synchronizer that the network does not require'),
  INSUFFICIENT_TOPUP_AMOUNT: never('less traffic is bought than the least amount'),
  INSUFFICIENT_TRAFFIC: later('neither the base rate nor the extra traffic suffices for the message'),
  DUPLICATE_TRACKING_ID: never('the tracking id has been used already'),
  INVALID_SIGNATURE: never("a signature does not fit the prepared transaction and the party's key"),
  DUPLICATE_COMMAND: never('the user submitted a command with this id, and it took effect'),
  ALREADY_EXISTS: never('what the command would create exists already'),
  VOTE_NOT_CLOSABLE: later('a vote has neither the majority to pass nor enough votes against it'),
  ROUND_NOT_EMPTY: later('a closed round still has coupons that were neither minted nor expired'),
  NOT_BOOTSTRAPPED: later('the ledger has not been opened, or its rounds have not been bootstrapped'),
  CONTRACT_IN_TRANSIT: later(
    'a contract that the transaction uses is moving between synchronizers; only servers refuse with it',
  ),
};

/** Every code of the closed vocabulary, in the order of the specification's list. */
export const REJECTION_CODES: readonly RejectionCode[] = Object.keys(REJECTIONS) as RejectionCode[];
