import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { amount, contractId, duration, instant, nullable, party, record, text, type Shape } from '../kernel/shape.js';
import type { Duration, Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** Price and lifetime of names. Source: specification §2.6, §3.19. */
export interface AnsConfig {
  /** Length of the renewal window before an entry's end. */
  readonly renewalDuration: Duration;
  /** How long one payment extends the entry. */
  readonly entryLifetime: Duration;
  readonly entryFeeUsd: Amount;
  /** Prefix of the description of the subscription that pays for an entry. */
  readonly descriptionPrefix: string;
}

/** The rules of the name service: at most one is active. Source: specification §3.19. */
export interface AnsRules extends ContractBase {
  readonly template: 'AnsRules';
  readonly config: AnsConfig;
}

/** Terms of a subscription; the prices stay as they were when it was requested. */
export interface SubscriptionTerms {
  readonly sender: PartyId;
  readonly description: string;
  readonly paymentUsd: Amount;
  /** How long one payment extends the subscription. */
  readonly paymentInterval: Duration;
  /** Length of the window before the end in which the next payment is made. */
  readonly paymentDuration: Duration;
}

/** A subscription that the user has not paid for yet. Source: specification §3.19. */
export interface SubscriptionRequest extends ContractBase {
  readonly template: 'SubscriptionRequest';
  readonly terms: SubscriptionTerms;
}

/** The terms of a name until its subscription is paid; it lasts as long as the subscription. Source: specification §3.19. */
export interface AnsEntryContext extends ContractBase {
  readonly template: 'AnsEntryContext';
  readonly user: PartyId;
  readonly name: string;
  readonly url: string;
  readonly description: string;
  /** Id of the SubscriptionRequest that began the subscription. It identifies the subscription after the request was archived. */
  readonly reference: ContractId;
}

/** A payment whose coin is locked until the DSO collects or rejects it. Source: specification §3.19. */
export interface SubscriptionPayment extends ContractBase {
  readonly template: 'SubscriptionPayment';
  readonly terms: SubscriptionTerms;
  readonly reference: ContractId;
  readonly lockedHolding: ContractId;
  /** End of the time paid for so far; null for the first payment. */
  readonly dueAt: Instant | null;
  /** When the lock ends: from then on the user may take the payment back. */
  readonly lockedUntil: Instant;
}

/** A paid subscription between two payments. Source: specification §3.19. */
export interface SubscriptionIdleState extends ContractBase {
  readonly template: 'SubscriptionIdleState';
  readonly terms: SubscriptionTerms;
  readonly reference: ContractId;
  readonly nextPaymentDueAt: Instant;
}

/** A name bound to a party. Source: specification §3.19. */
export interface AnsEntry extends ContractBase {
  readonly template: 'AnsEntry';
  readonly user: PartyId;
  readonly name: string;
  readonly url: string;
  readonly description: string;
  /** Exclusive end of the name: from then on another party can take it. */
  readonly expiresAt: Instant;
}

export const ansConfig: Shape<AnsConfig> = record<AnsConfig>({
  renewalDuration: duration,
  entryLifetime: duration,
  entryFeeUsd: amount,
  descriptionPrefix: text,
});

const terms: Shape<SubscriptionTerms> = record<SubscriptionTerms>({
  sender: party,
  description: text,
  paymentUsd: amount,
  paymentInterval: duration,
  paymentDuration: duration,
});

export const ansRulesTemplate: TemplateDeclaration<AnsRules> = {
  fields: { config: ansConfig },
  signatories: (_, dso) => [dso],
};

export const subscriptionRequestTemplate: TemplateDeclaration<SubscriptionRequest> = {
  fields: { terms },
  signatories: ({ terms: { sender } }, dso) => [sender, dso],
};

export const ansEntryContextTemplate: TemplateDeclaration<AnsEntryContext> = {
  fields: { user: party, name: text, url: text, description: text, reference: contractId },
  signatories: ({ user }, dso) => [dso, user],
  keys: ({ reference }) => [`reference:${reference}`],
};

export const subscriptionPaymentTemplate: TemplateDeclaration<SubscriptionPayment> = {
  fields: { terms, reference: contractId, lockedHolding: contractId, dueAt: nullable(instant), lockedUntil: instant },
  signatories: ({ terms: { sender } }, dso) => [sender, dso],
  dueAt: ({ lockedUntil }) => lockedUntil,
};

export const subscriptionIdleStateTemplate: TemplateDeclaration<SubscriptionIdleState> = {
  fields: { terms, reference: contractId, nextPaymentDueAt: instant },
  signatories: ({ terms: { sender } }, dso) => [sender, dso],
  dueAt: ({ nextPaymentDueAt }) => nextPaymentDueAt,
};

export const ansEntryTemplate: TemplateDeclaration<AnsEntry> = {
  fields: { user: party, name: text, url: text, description: text, expiresAt: instant },
  signatories: ({ user }, dso) => [user, dso],
  dueAt: ({ expiresAt }) => expiresAt,
  keys: ({ name }) => [`name:${name}`],
};
