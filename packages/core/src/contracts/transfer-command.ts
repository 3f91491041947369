import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { amount, instant, integer, nullable, party, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** Number of a sender's TransferCommands that have taken effect. Source: specification §3.13. */
export interface TransferCommandCounter extends ContractBase {
  readonly template: 'TransferCommandCounter';
  readonly sender: PartyId;
  /** Nonce of the command that may take effect next; from 0. */
  readonly nextNonce: number;
}

/** An external party's order to pay a receiver with a preapproval; `delegate` executes it. Source: specification §3.13. */
export interface TransferCommand extends ContractBase {
  readonly template: 'TransferCommand';
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly delegate: PartyId;
  readonly amount: Amount;
  /** Exclusive deadline: the transfer needs `now < expiresAt`. */
  readonly expiresAt: Instant;
  /** Orders the commands of a sender; each takes effect at most once. */
  readonly nonce: number;
  readonly description: string | null;
}

export const transferCommandCounterTemplate: TemplateDeclaration<TransferCommandCounter> = {
  fields: { sender: party, nextNonce: integer },
  signatories: (_, dso) => [dso],
  observers: ({ sender }) => [sender],
  subject: 'sender',
};

export const transferCommandTemplate: TemplateDeclaration<TransferCommand> = {
  fields: {
    sender: party,
    receiver: party,
    delegate: party,
    amount,
    expiresAt: instant,
    nonce: integer,
    description: nullable(text),
  },
  signatories: ({ sender }, dso) => [sender, dso],
  observers: ({ delegate }) => [delegate],
  dueAt: ({ expiresAt }) => expiresAt,
  subject: 'delegate',
};
