import type { WalletOfferTerms } from '../../contracts/wallet.js';
import type { ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { TransferDetail } from '../../rules/transfer-detail.js';
import type { Decision } from '../../rules/workflow.js';

/**
 * The wallet's transfer offer. It locks no coin: the receiver accepts, and the sender's wallet pays when it can, or aborts.
 * What became of it is found under its tracking id, by either side.
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

/** Offers to pay. Acts as the sender. Whether it has the coin, and whether the deadline lies ahead, is not looked at. */
export interface CreateWalletOffer extends WalletOfferTerms {
  readonly type: 'CreateWalletOffer';
  /** Shown to the receiver; fewer than 280 characters, as the tracking id. */
  readonly description: string;
}

/** Agrees to be paid. Acts as the receiver, before the offer expires. */
export interface AcceptWalletOffer {
  readonly type: 'AcceptWalletOffer';
  readonly offer: ContractId;
}

/** Refuses to be paid. Acts as the receiver, at any time. */
export interface RejectWalletOffer {
  readonly type: 'RejectWalletOffer';
  readonly offer: ContractId;
}

/** Takes the offer back. Acts as the sender, at any time. */
export interface WithdrawWalletOffer {
  readonly type: 'WithdrawWalletOffer';
  readonly offer: ContractId;
  readonly reason: string;
}

/** Pays an accepted offer. Acts as the sender and the provider of its wallet, before the offer expires. */
export interface CompleteWalletOffer {
  readonly type: 'CompleteWalletOffer';
  readonly accepted: ContractId;
  /** Credited with app rewards, where there are any. */
  readonly walletProvider: PartyId;
  /** The sender's coins and coupons that pay. */
  readonly inputs: readonly ContractId[];
}

/** Gives up paying an accepted offer. Acts as the sender, at any time. */
export interface AbortWalletOffer {
  readonly type: 'AbortWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Changes one's mind about an accepted offer. Acts as the receiver, at any time. */
export interface WithdrawAcceptedWalletOffer {
  readonly type: 'WithdrawAcceptedWalletOffer';
  readonly accepted: ContractId;
  readonly reason: string;
}

/** Removes an offer, accepted or not, once it has expired. Acts as the sender or the receiver. */
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

/** What the payment of an offer carries; `amount` is in coin, whatever the unit of the offer. */
export interface WalletOfferCompletedDetail extends TransferDetail {
  readonly accepted: ContractId;
  readonly walletProvider: PartyId;
  readonly trackingId: string;
}

export interface WalletOfferEndedDetail extends ValueDetail {
  /** The offer that ended, accepted or not. */
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
