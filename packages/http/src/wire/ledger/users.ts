import { z } from '@hono/zod-openapi';
import { describeMalformed, PartyId } from '@coinlab/core';
import { GENERAL_RIGHTS, PARTY_RIGHTS, type LedgerRight } from '@coinlab/core/contracts';
import type { Caller } from '../../request.js';
import { Problem } from '../../problem.js';

export const objectMeta = z
  .object({ resourceVersion: z.string(), annotations: z.record(z.string(), z.string()) })
  .partial()
  .openapi('ObjectMeta');

/** The default identity provider has the empty name; the server has no other one. */
export const defaultProvider = z
  .literal('', { error: 'expected an empty text: the server has the default identity provider only' })
  .optional()
  .openapi({ type: 'string' });

const general = z.object({ value: z.object({}) });
const ofParty = z.object({ value: z.object({ party: z.string() }) });
const expected = `expected an object with one of the keys ${[...PARTY_RIGHTS, ...GENERAL_RIGHTS].join(', ')}`;

const kind = z.union(
  [
    z.strictObject({ CanActAs: ofParty }),
    z.strictObject({ CanReadAs: ofParty }),
    z.strictObject({ CanExecuteAs: ofParty }),
    z.strictObject({ ParticipantAdmin: general }),
    z.strictObject({ IdentityProviderAdmin: general }),
    z.strictObject({ CanReadAsAnyParty: general }),
    z.strictObject({ CanExecuteAsAnyParty: general }),
  ],
  { error: expected },
);

export const rightSchema = z.object({ kind }).openapi('Right');

type RightJson = z.infer<typeof rightSchema>;

export function rightIn({ kind: named }: RightJson): LedgerRight {
  for (const [name, content] of Object.entries(named)) {
    const { value }: { readonly value: { readonly party?: string } } = content;
    const withoutParty = GENERAL_RIGHTS.find((one) => one === name);
    if (withoutParty) return { kind: withoutParty };
    const withParty = PARTY_RIGHTS.find((one) => one === name);
    if (withParty) return { kind: withParty, party: partyIn(value.party ?? '', `${name}.value.party`) };
  }
  throw new Problem(400, `kind: ${expected}`);
}

export function rightJson(right: LedgerRight): RightJson {
  const value = 'party' in right ? { party: right.party } : {};
  // cast: the kind decides whether the value has a party.
  return { kind: { [right.kind]: { value } } } as RightJson;
}

export function partyIn(text: string, field: string): PartyId {
  const party = PartyId.parse(text, field);
  if (!party.ok) throw new Problem(400, describeMalformed(party.error));
  return party.value;
}

export const userSchema = z
  .object({
    id: z.string(),
    primaryParty: z.string().optional().describe('Party of the user; empty for a user without one.'),
    isDeactivated: z.boolean().optional(),
    metadata: objectMeta.optional(),
    identityProviderId: defaultProvider,
    primaryPartyAuthentication: z.boolean().optional().describe('Always false.'),
  })
  .openapi('User');

export const userAnswer = z.object({ user: userSchema });

/** A user without a record has the party of its wallet as its primary party. */
export function userJson({ user, party, ledgerUser }: Caller): z.infer<typeof userSchema> {
  return {
    id: user,
    primaryParty: (ledgerUser ? ledgerUser.primaryParty : party) ?? '',
    isDeactivated: ledgerUser?.isDeactivated ?? false,
    metadata: {
      resourceVersion: String(ledgerUser?.resourceVersion ?? 0),
      annotations: { ...ledgerUser?.annotations },
    },
    identityProviderId: '',
    primaryPartyAuthentication: false,
  };
}
