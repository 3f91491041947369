import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { party, text } from '../kernel/shape.js';
import { type TemplateDeclaration } from './template.js';

/** A party known to the ledger. A record, not a contract of the network. Source: specification §1, §9.5. */
export interface KnownParty extends ContractBase {
  readonly template: 'KnownParty';
  readonly party: PartyId;
  /** Free text for people; empty when none was given. */
  readonly displayName: string;
}

export const knownPartyTemplate: TemplateDeclaration<KnownParty> = {
  fields: { party, displayName: text },
  signatories: ({ party: self }) => [self],
  // The DSO is not indexed as a stakeholder, but it is a known party too.
  subject: 'party',
  isRecord: true,
};

/** While active, every command refuses receivers that are not known parties. A record, not a contract of the network. */
export interface KnownPartiesRequired extends ContractBase {
  readonly template: 'KnownPartiesRequired';
}

export const knownPartiesRequiredTemplate: TemplateDeclaration<KnownPartiesRequired> = {
  fields: {},
  signatories: (_, dso) => [dso],
  isRecord: true,
};
