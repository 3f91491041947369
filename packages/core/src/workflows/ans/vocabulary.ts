import type { Amount } from '../../kernel/amount.js';
import type { ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/time.js';
import type { FeesPaid, RewardsUsed } from '../../rules/transfer/transfer.js';
import type { Decision } from '../../rules/workflow.js';

/**
 * The name service: a user requests a name and pays for it by subscription. A payment locks coin for the DSO, which
 * burns it and creates or renews the entry, or returns it. An entry that is not renewed in time expires, and its name
 * is free again.
 * Source: specification §3.19, §2.6. Assumption: A-19.
 */
export type AnsCommand =
  | RequestAnsEntry
  | WithdrawAnsRequest
  | PayAnsSubscription
  | CollectAnsPayment
  | RejectAnsPayment
  | ReclaimAnsPayment
  | CancelAnsSubscription
  | ExpireAnsSubscription
  | ExpireAnsEntry;

/** Requests a name. Acts as the user. */
export interface RequestAnsEntry {
  readonly type: 'RequestAnsEntry';
  readonly user: PartyId;
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/** Withdraws an unpaid request. Acts as the user. */
export interface WithdrawAnsRequest {
  readonly type: 'WithdrawAnsRequest';
  readonly request: ContractId;
}

/** Pays for a requested subscription, or for its next interval. Acts as the user. */
export interface PayAnsSubscription {
  readonly type: 'PayAnsSubscription';
  /** A SubscriptionRequest, or the SubscriptionIdleState of a paid one. */
  readonly subscription: ContractId;
  readonly inputs: readonly ContractId[];
}

/** Burns a payment, and creates or renews the entry. Acts as the DSO or any super validator. */
export interface CollectAnsPayment {
  readonly type: 'CollectAnsPayment';
  readonly payment: ContractId;
}

/** Returns a payment for a name that is taken. Acts as the DSO. */
export interface RejectAnsPayment {
  readonly type: 'RejectAnsPayment';
  readonly payment: ContractId;
}

/** Takes back a payment that was not collected while it was locked. Acts as the user. */
export interface ReclaimAnsPayment {
  readonly type: 'ReclaimAnsPayment';
  readonly payment: ContractId;
}

/** Ends a paid subscription; the entry stays until it expires. Acts as the user. */
export interface CancelAnsSubscription {
  readonly type: 'CancelAnsSubscription';
  readonly subscription: ContractId;
}

/** Removes a subscription whose next payment is overdue. Acts as the DSO, any super validator or the user. */
export interface ExpireAnsSubscription {
  readonly type: 'ExpireAnsSubscription';
  readonly subscription: ContractId;
}

/** Removes an entry that was not renewed. Acts as the DSO, any super validator or the user. */
export interface ExpireAnsEntry {
  readonly type: 'ExpireAnsEntry';
  readonly entry: ContractId;
}

export interface AnsDetail extends ValueDetail {
  readonly user: PartyId;
  readonly name: string;
  /** Id of the original SubscriptionRequest, which identifies the subscription. */
  readonly reference: ContractId;
}

export interface AnsPaymentDetail extends AnsDetail {
  readonly payment: ContractId;
  readonly amount: Amount;
  readonly isFirst: boolean;
}

export interface AnsDetails {
  readonly AnsEntryRequested: AnsDetail;
  readonly AnsRequestWithdrawn: AnsDetail;
  readonly AnsPaymentMade: AnsPaymentDetail & {
    readonly inputs: number;
    readonly lockedHolding: ContractId;
    readonly change: ContractId | null;
    readonly rewards: RewardsUsed | null;
    /** Fees of the payment; null in profiles without fees. */
    readonly fees: FeesPaid | null;
  };
  readonly AnsPaymentCollected: AnsPaymentDetail & { readonly entry: ContractId; readonly expiresAt: Instant };
  /** `holding`: the returned coin; null when it was archived already. */
  readonly AnsPaymentRejected: AnsPaymentDetail & { readonly holding: ContractId | null };
  readonly AnsPaymentReclaimed: AnsPaymentDetail & { readonly holding: ContractId | null };
  readonly AnsSubscriptionCancelled: AnsDetail;
  readonly AnsSubscriptionExpired: AnsDetail;
  readonly AnsEntryExpired: ValueDetail & { readonly entry: ContractId; readonly user: PartyId; readonly name: string };
}

export type AnsDecision = Decision<AnsDetails>;
