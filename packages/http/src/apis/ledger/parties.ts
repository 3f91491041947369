import { createRoute, z } from '@hono/zod-openapi';
import { isKnownParty, PartyId } from '@coinlab/core';
import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { participantHosting, type Hosting } from '../../network/hosting.js';
import { answer, OPERATOR } from '../../route-parts.js';
import { LedgerProblem } from '../../gates/ledger-errors.js';
import { cantonErrorSchema } from '../../wire/canton-error.js';
import { LEDGER, ledgerProblems } from './route.js';

const partyDetails = z
  .object({
    party: z.string(),
    isLocal: z.boolean(),
    localMetadata: z.object({ resourceVersion: z.string(), annotations: z.record(z.string(), z.string()) }),
    identityProviderId: z.string(),
  })
  .openapi('PartyDetails');
const response = z.object({ partyDetails: z.array(partyDetails) }).openapi('GetPartiesResponse');
const query = z.object({
  'identity-provider-id': z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({ type: 'string' }),
  parties: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({ type: 'array', items: { type: 'string' } })
    .describe('Ids of further parties to look up.'),
});

export type PartiesNeeds = Hosting & Configured<'strictPartyLookup'>;

/** The party lookup of the JSON Ledger API. Source: specification of the API §8.1. */
export const registerParties: Register<PartiesNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/parties/{party}',
      operationId: 'getV2PartiesParty',
      summary: 'Look up parties by id',
      ...LEDGER,
      security: OPERATOR,
      request: { params: z.object({ party: z.string() }), query },
      responses: {
        200: answer('Details of the requested parties that exist, sorted by id.', response),
        400: {
          description: 'A party id or a parameter is malformed.',
          content: { 'application/json': { schema: cantonErrorSchema }, 'text/plain': { schema: z.string() } },
        },
        ...ledgerProblems(401, 403, 404),
      },
    }),
    (c) => {
      const { party } = c.req.valid('param');
      const { 'identity-provider-id': provider = '', parties = [] } = c.req.valid('query');
      if (typeof provider !== 'string') return c.text('Invalid value for: query parameter identity-provider-id', 400);
      const asked = [...new Set([party, ...(typeof parties === 'string' ? [parties] : parties)])];
      const ids: PartyId[] = [];
      for (const text of asked) {
        const id = PartyId.parse(text);
        if (!id.ok)
          throw new LedgerProblem('INVALID_ARGUMENT', `Invalid party id ${text}: expected ${id.error.expected}`);
        ids.push(id.value);
      }
      const state = server.state;
      const known = ids.filter((id) => isKnownParty(state, id)).sort();
      if (known.length === 0 && server.config.strictPartyLookup)
        throw new LedgerProblem('PARTY_NOT_KNOWN_ON_LEDGER', `Parties not known on ledger: ${asked.join(', ')}`, {
          resources: asked.map((one) => ['PARTY', one] as const),
        });
      // All parties belong to the default identity provider: none is local to another.
      const details = known.map((id) =>
        detailsOf(id, provider === '' && participantHosting(id, server) === server.participantId),
      );
      return c.json({ partyDetails: details }, 200);
    },
  );
};

function detailsOf(party: PartyId, isLocal: boolean): z.infer<typeof partyDetails> {
  return { party, isLocal, localMetadata: { resourceVersion: '0', annotations: {} }, identityProviderId: '' };
}
