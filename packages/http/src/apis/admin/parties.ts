import { createRoute, z } from '@hono/zod-openapi';
import { isKnownParty, PartyId } from '@coinlab/core';
import type { MiddlewareHandler } from 'hono';
import { ownGate } from '../../gates/gate.js';
import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { participantHosting, type Hosting } from '../../network/hosting.js';
import { Problem } from '../../problem.js';
import { answer, OPERATOR } from '../../route-parts.js';
import { requireOperator, type TokenCheck } from '../../gates/caller.js';
import { cantonErrorSchema, invalidArgument, partyNotKnown, redacted } from '../../wire/canton-error.js';

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
const refusal = answer("An error in the ledger's format.", cantonErrorSchema);

export type PartiesNeeds = Hosting & TokenCheck & Configured<'strictPartyLookup'>;

/** The party lookup of the JSON Ledger API. Source: specification of the API §8.1. */
export const registerParties: Register<PartiesNeeds> = (api, server) => {
  api.on('GET', '/v2/parties/:party', ownGate(refuseInLedgerFormat(server)));
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/parties/{party}',
      operationId: 'getV2PartiesParty',
      summary: 'Look up parties by id',
      tags: ['ledger'],
      security: OPERATOR,
      request: { params: z.object({ party: z.string() }), query },
      responses: {
        200: answer('Details of the requested parties that exist, sorted by id.', response),
        400: {
          description: 'A party id or a parameter is malformed.',
          content: { 'application/json': { schema: cantonErrorSchema }, 'text/plain': { schema: z.string() } },
        },
        401: refusal,
        403: refusal,
        404: refusal,
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
        if (!id.ok) return c.json(invalidArgument(`Invalid party id ${text}: expected ${id.error.expected}`), 400);
        ids.push(id.value);
      }
      const state = server.state;
      const known = ids.filter((id) => isKnownParty(state, id)).sort();
      if (known.length === 0 && server.config.strictPartyLookup) return c.json(partyNotKnown(asked), 404);
      // All parties belong to the default identity provider: none is local to another.
      const details = known.map((id) =>
        detailsOf(id, provider === '' && participantHosting(id, server) === server.participantId),
      );
      return c.json({ partyDetails: details }, 200);
    },
  );
};

/** Replaces 401 and 403 by errors in the ledger's format, without their reason. Source: specification of the API §8.2. */
function refuseInLedgerFormat(server: TokenCheck): MiddlewareHandler {
  return async (c, next) => {
    try {
      await requireOperator(c, server);
    } catch (problem) {
      if (!(problem instanceof Problem) || (problem.status !== 401 && problem.status !== 403)) throw problem;
      return c.json(redacted(problem.status), problem.status, problem.headers);
    }
    return next();
  };
}

function detailsOf(party: PartyId, isLocal: boolean): z.infer<typeof partyDetails> {
  return { party, isLocal, localMetadata: { resourceVersion: '0', annotations: {} }, identityProviderId: '' };
}
