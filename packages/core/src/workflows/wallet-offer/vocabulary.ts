import type { WalletOfferTerms } from '../../contracts/wallet.js';
import type { ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { TransferDetail } from '../../rules/transfer-detail.js';
import type { Decision } from '../../rules/workflow.js';

/**
 * The wallet's transfer offer. It locks no coin: the receiver accepts, and the sender's wallet pays when it can, or
 * aborts. Both sides find its outcome under its tracking id.
 * Source: specification §3.14, §7.4. Assumptions: A-11 (tracking ids), A-16 (what the receiver's withdrawal shows).
 */
export type WalletOfferCommand =
  | CreateWalletOffer
  | AcceptWalletOffer
  | RejectWalletOffer
  | WithdrawWalletOffer
  | CompleteWalletOffer
  | AbortWalletOffer
  | WithdrawAcceptedWalletOffer
  | ExpireWalletOffer;

/** Offers to pay. Acts as the sender. Funds and deadline are not checked. */
export interface CreateWalletOffer extends WalletOfferTerms {
  readonly type: 'CreateWalletOffer';
  /** Text that is shown to the receiver; like the tracking id, shorter than 280 characters. */
  readonly description: string;
}

/** Accepts the offer. Acts as the receiver, before the offer expires. */
export interface AcceptWalletOffer {
  readonly type: 'AcceptWalletOffer';
  readonly offer: ContractId;
}

/** Rejects the offer. Acts as the receiver, at any time. */
export interface RejectWalletOffer {
  readonly type: 'RejectWalletOffer';
  readonly offer: ContractId;
}

/** Withdraws the offer. Acts as the sender, at any time. */
export interface WithdrawWalletOffer {
  readonly type: 'WithdrawWalletOffer';
  readonly offer: ContractId;
  readonly reason: string;
}

/** Pays an accepted offer. Acts as the sender and the provider of its wallet, before the offer expires. */
export interface CompleteWalletOffer {
  readonly type: 'CompleteWalletOffer';
  readonly accepted: ContractId;
  readonly walletProvider: PartyId;
  readonly inputs: readonly ContractId[];
}

/** Aborts the payment of an accepted offer. Acts as the sender, at any time. */
export interface AbortWalletOffer {
  readonly type: 'AbortWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Withdraws from an accepted offer. Acts as the receiver, at any time. */
export interface WithdrawAcceptedWalletOffer {
  readonly type: 'WithdrawAcceptedWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Removes an expired offer, accepted or not. Acts as the sender or the receiver. */
export interface ExpireWalletOffer {
  readonly type: 'ExpireWalletOffer';
  readonly offer: ContractId;
}

export interface WalletOfferCreatedDetail extends ValueDetail, WalletOfferTerms {
  readonly offer: ContractId;
  readonly description: string;
}

export interface WalletOfferAcceptedDetail extends ValueDetail, WalletOfferTerms {
  readonly offer: ContractId;
  readonly accepted: ContractId;
}

/** The detail of an offer's payment; `amount` is in coin, also for offers in USD. */
export interface WalletOfferCompletedDetail extends TransferDetail {
  readonly accepted: ContractId;
  readonly walletProvider: PartyId;
  readonly trackingId: string;
}

export interface WalletOfferEndedDetail extends ValueDetail {
  /** The ended offer, accepted or not. */
  readonly offer: ContractId;
  readonly wasAccepted: boolean;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly trackingId: string;
  readonly reason: string | null;
}

export interface WalletOfferDetails {
  readonly WalletOfferCreated: WalletOfferCreatedDetail;
  readonly WalletOfferAccepted: WalletOfferAcceptedDetail;
  readonly WalletOfferCompleted: WalletOfferCompletedDetail;
  readonly WalletOfferRejected: WalletOfferEndedDetail;
  readonly WalletOfferWithdrawn: WalletOfferEndedDetail;
  readonly WalletOfferAborted: WalletOfferEndedDetail;
  readonly WalletOfferExpired: WalletOfferEndedDetail;
}

export type Answer = Decision<WalletOfferDetails>;
