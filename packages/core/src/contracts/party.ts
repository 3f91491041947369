import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { party, text } from '../kernel/shape.js';
import { none, type Template } from './template.js';

/** A party that the ledger knows. A record, not a contract of the network. Source: specification §1, §9.5. */
export interface KnownParty extends ContractBase {
  readonly template: 'KnownParty';
  readonly party: PartyId;
  /** Free text for people; empty when none was given. */
  readonly displayName: string;
}

export const knownPartyTemplate: Template<KnownParty> = {
  fields: { party, displayName: text },
  signatories: ({ party: self }) => [self],
  observers: none,
  dueAt: () => null,
  // A key of its own, because the DSO is no key of anything, and the DSO is a known party too.
  keys: ({ party: self }) => [`party:${self}`],
  isRecord: true,
};

/** While it is active, every command with a receiver refuses one that is not a known party. A record, not a contract of the network. */
export interface KnownPartiesRequired extends ContractBase {
  readonly template: 'KnownPartiesRequired';
}

export const knownPartiesRequiredTemplate: Template<KnownPartiesRequired> = {
  fields: {},
  signatories: (_, dso) => [dso],
  observers: none,
  dueAt: () => null,
  isRecord: true,
};
