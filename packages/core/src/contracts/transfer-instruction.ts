import type { Amount } from '../kernel/amount.js';
import type { ContractBase } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { amount, contractId, instant, mapOf, party, record, text, type Shape } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { TemplateDeclaration } from './template.js';

/** Terms of a two-step transfer. Source: specification §3.11. */
export interface TransferTerms {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly requestedAt: Instant;
  /** Exclusive deadline: acceptance needs `now < executeBefore`. */
  readonly executeBefore: Instant;
  /** Free texts such as the reason and the tracking id. */
  readonly meta: Readonly<Record<string, string>>;
}

/** A pending two-step transfer (the network's AmuletTransferInstruction); its coin is locked. Source: specification §3.12. */
export interface TransferInstruction extends ContractBase {
  readonly template: 'TransferInstruction';
  readonly transfer: TransferTerms;
  /** Id of the locked coin. The coin may be archived already: its owner can unlock it after the deadline, and dust can be expired. */
  readonly lockedHolding: ContractId;
}

const texts: Shape<Readonly<Record<string, string>>> = mapOf(text);

const transferTerms: Shape<TransferTerms> = record<TransferTerms>(
  { sender: party, receiver: party, amount, requestedAt: instant, executeBefore: instant, meta: texts },
  {
    pack(terms, to) {
      to.word(terms.sender);
      to.word(terms.receiver);
      to.amount(terms.amount);
      to.time(terms.requestedAt);
      to.time(terms.executeBefore);
      texts.pack(terms.meta, to);
    },
    make: (from) => ({
      sender: from.field(party),
      receiver: from.field(party),
      amount: from.field(amount),
      requestedAt: from.field(instant),
      executeBefore: from.field(instant),
      meta: from.field(texts),
    }),
  },
);

export const transferInstructionTemplate: TemplateDeclaration<TransferInstruction> = {
  fields: { transfer: transferTerms, lockedHolding: contractId },
  frequent: {
    pack(instruction, to) {
      to.contract(instruction.id);
      transferTerms.pack(instruction.transfer, to);
      to.contract(instruction.lockedHolding);
    },
    make: (from) => ({
      id: from.field(contractId),
      template: 'TransferInstruction',
      transfer: from.field(transferTerms),
      lockedHolding: from.field(contractId),
    }),
  },
  signatories: ({ transfer }, dso) => [dso, transfer.sender],
  observers: ({ transfer }) => [transfer.receiver],
  dueAt: ({ transfer }) => transfer.executeBefore,
};
