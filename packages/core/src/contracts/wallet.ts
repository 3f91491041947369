import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { amount, instant, integer, oneOf, party, text, type Fields } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';
import { trafficMember, type TrafficMember } from './traffic.js';

/** Lets a validator act for a user of its wallet; while it is active the wallet is installed. Source: specification §3.14. */
export interface WalletAppInstall extends ContractBase {
  readonly template: 'WalletAppInstall';
  readonly validator: PartyId;
  /** Name of the user at that validator: unique there. */
  readonly endUserName: string;
  readonly endUser: PartyId;
}

/** Unit of an amount: coin, or USD, converted at the price of the round of the payment. Source: specification §3.14. */
export type WalletUnit = 'coin' | 'usd';

/** Terms of a wallet offer. Source: specification §3.14. */
export interface WalletOfferTerms {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly unit: WalletUnit;
  /** Exclusive deadline: acceptance and completion need `now < expiresAt`. */
  readonly expiresAt: Instant;
  readonly trackingId: string;
}

/** The wallet's offer to pay; it locks no coin. Source: specification §3.14, §7.4. */
export interface TransferOffer extends ContractBase, WalletOfferTerms {
  readonly template: 'TransferOffer';
  readonly description: string;
}

/** An offer that its receiver has accepted and the sender's wallet has yet to pay. Source: specification §3.14, §7.4. */
export interface AcceptedTransferOffer extends ContractBase, WalletOfferTerms {
  readonly template: 'AcceptedTransferOffer';
}

/** A user's request to buy traffic for a member. Source: specification §3.14, §7.5. */
export interface BuyTrafficRequest extends ContractBase, TrafficMember {
  readonly template: 'BuyTrafficRequest';
  readonly endUser: PartyId;
  /** Exclusive deadline: completion needs `now < expiresAt`. */
  readonly expiresAt: Instant;
  readonly trackingId: string;
  readonly trafficBytes: number;
}

export const walletOfferTerms: Fields<WalletOfferTerms> = {
  sender: party,
  receiver: party,
  amount,
  unit: oneOf(['coin', 'usd']),
  expiresAt: instant,
  trackingId: text,
};

/** Returns the lookup key of the open offers from one party to another. */
export function offersBetweenKey(sender: PartyId, receiver: PartyId): string {
  return `from:${sender} to:${receiver}`;
}

/** Returns the lookup key of a wallet: its validator and the name of its user. */
export function walletUserKey(validator: PartyId, endUserName: string): string {
  return `user:${validator}:${endUserName}`;
}

export const walletAppInstallTemplate: TemplateDeclaration<WalletAppInstall> = {
  fields: { validator: party, endUserName: text, endUser: party },
  signatories: ({ validator, endUser }) => (validator === endUser ? [endUser] : [endUser, validator]),
  subject: 'endUser',
  keys: ({ validator, endUserName }) => [walletUserKey(validator, endUserName)],
};

export const transferOfferTemplate: TemplateDeclaration<TransferOffer> = {
  fields: { ...walletOfferTerms, description: text },
  signatories: ({ sender }) => [sender],
  observers: ({ receiver }) => [receiver],
  dueAt: ({ expiresAt }) => expiresAt,
  keys: ({ sender, receiver }) => [offersBetweenKey(sender, receiver)],
};

export const acceptedTransferOfferTemplate: TemplateDeclaration<AcceptedTransferOffer> = {
  fields: walletOfferTerms,
  signatories: ({ sender, receiver }) => (sender === receiver ? [sender] : [sender, receiver]),
  dueAt: ({ expiresAt }) => expiresAt,
  keys: ({ sender, receiver }) => [offersBetweenKey(sender, receiver)],
};

export const buyTrafficRequestTemplate: TemplateDeclaration<BuyTrafficRequest> = {
  fields: { endUser: party, ...trafficMember, trafficBytes: integer, expiresAt: instant, trackingId: text },
  signatories: ({ endUser }) => [endUser],
  dueAt: ({ expiresAt }) => expiresAt,
};
