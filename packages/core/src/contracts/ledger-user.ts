import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { bool, integer, list, mapOf, nullable, party, record, tagged, text, type Shape } from '../kernel/shape.js';
import { type TemplateDeclaration } from './template.js';

/** A right of a participant's user: to administer the participant, or to act, read or execute for one party or for any party. Assumption: A-117. */
export type LedgerRight =
  | { readonly kind: (typeof GENERAL_RIGHTS)[number] }
  | { readonly kind: (typeof PARTY_RIGHTS)[number]; readonly party: PartyId };

/** The kinds of rights without a party. */
export const GENERAL_RIGHTS = [
  'ParticipantAdmin',
  'IdentityProviderAdmin',
  'CanReadAsAnyParty',
  'CanExecuteAsAnyParty',
] as const;

/** The kinds of rights for one party. */
export const PARTY_RIGHTS = ['CanActAs', 'CanReadAs', 'CanExecuteAs'] as const;

/** The fields of a user that its administrators may change. */
export interface LedgerUserProfile {
  readonly primaryParty: PartyId | null;
  /** True: the user keeps its rights and may use none of them. */
  readonly isDeactivated: boolean;
  /** Free texts by name. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** A user of a participant's ledger API, with its rights. A record, not a contract of the network; each change replaces it. */
export interface LedgerUser extends ContractBase, LedgerUserProfile {
  readonly template: 'LedgerUser';
  /** Party of the participant's operator, who administers its users. */
  readonly operator: PartyId;
  /** Participant of the user, such as `PAR::participant::1220…`. */
  readonly participant: string;
  /** Id of the user, unique at the participant. */
  readonly userId: string;
  /** Version of the profile: the number of its changes so far. */
  readonly resourceVersion: number;
  /** Each right once, in the order in which they were granted. */
  readonly rights: readonly LedgerRight[];
}

const withParty = record<{ readonly party: PartyId }>({ party });
const withoutParty = record<object>({});

export const ledgerRight: Shape<LedgerRight> = tagged<LedgerRight>(
  'kind',
  Object.fromEntries([
    ...GENERAL_RIGHTS.map((kind) => [kind, withoutParty] as const),
    ...PARTY_RIGHTS.map((kind) => [kind, withParty] as const),
  ]),
);

/** Returns whether two rights are equal. */
export function isSameRight(one: LedgerRight, other: LedgerRight): boolean {
  return one.kind === other.kind && partyOf(one) === partyOf(other);
}

function partyOf(right: LedgerRight): PartyId | null {
  return 'party' in right ? right.party : null;
}

/** Returns the lookup key of a user at a participant. */
export function ledgerUserKey(participant: string, userId: string): string {
  return `user:${participant}:${userId}`;
}

/** Returns the lookup key of all users of a participant. */
export function ledgerUsersKey(participant: string): string {
  return `users:${participant}`;
}

export const ledgerUserTemplate: TemplateDeclaration<LedgerUser> = {
  fields: {
    operator: party,
    participant: text,
    userId: text,
    primaryParty: nullable(party),
    isDeactivated: bool,
    annotations: mapOf(text),
    resourceVersion: integer,
    rights: list(ledgerRight),
  },
  signatories: ({ operator }) => [operator],
  keys: ({ participant, userId }) => [ledgerUserKey(participant, userId), ledgerUsersKey(participant)],
  isRecord: true,
};
