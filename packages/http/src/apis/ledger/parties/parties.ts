import { createRoute, z } from '@hono/zod-openapi';
import { isKnownParty, PartyId } from '@coinlab/core';
import { allOf } from '@coinlab/core/views';
import type { Configured } from '../../../config.js';
import { callerOf } from '../../../gates/caller.js';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { requireAdmin, rightsOf } from '../../../gates/ledger/rights.js';
import { StateCache } from '../../../host/state-cache.js';
import type { Register } from '../../../request.js';
import { ADMIN, answer, jsonBody, USER } from '../../../route-parts.js';
import { cantonErrorSchema } from '../../../wire/canton-error.js';
import { defaultProvider, partyIn } from '../../../wire/ledger/users.js';
import { LARGEST_PARTY_PAGE, pageOf, pageQuery } from '../paging.js';
import { annotationsOf, detailsOf, partyDetails } from './details.js';
import { allocation, allocateParty, type AllocationNeeds } from './allocation.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { fieldsOf, mergedAnnotations, updateMask } from '../update-mask.js';
import { userProblem } from '../users/changes.js';

const params = z.object({ party: z.string() });
const several = z.object({ partyDetails: z.array(partyDetails) }).openapi('GetPartiesResponse');
const one = z.object({ partyDetails });
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
const update = z.object({ partyDetails, updateMask }).openapi('UpdatePartyDetailsRequest');
const UPDATABLE = ['localMetadata', 'localMetadata.annotations', 'localMetadata.resourceVersion', 'party'];

export type PartiesNeeds = AllocationNeeds & Configured<'strictPartyLookup'>;

/** Source: specification of the API §8.1, §8.3. Assumption: A-118. */
export const registerParties: Register<PartiesNeeds> = (api, server) => {
  const sortedParties = new StateCache<readonly PartyId[]>();

  // Before the route of one party, which would match it.
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/parties/participant-id',
      operationId: 'getV2PartiesParticipant-id',
      summary: 'Get the id of the participant',
      ...LEDGER,
      security: USER,
      responses: {
        200: answer(
          'The id without the prefix `PAR::`.',
          z.object({ participantId: z.string() }).openapi('GetParticipantIdResponse'),
        ),
        ...ledgerProblems(401, 403),
      },
    }),
    (c) => c.json({ participantId: server.participantId.replace(/^PAR::/, '') }, 200),
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/parties',
      operationId: 'getV2Parties',
      summary: 'List the known parties',
      ...LEDGER,
      security: USER,
      request: {
        query: z.object({
          'identity-provider-id': defaultProvider,
          'filter-party': z.string().optional().describe('Beginning of the party ids.'),
          ...pageQuery,
        }),
      },
      responses: {
        200: answer(
          'A page of parties, sorted by id. The caller must administer the participant or be allowed to read as any party.',
          z
            .object({ partyDetails: z.array(partyDetails), nextPageToken: z.string() })
            .openapi('ListKnownPartiesResponse'),
        ),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => {
      const rights = rightsOf(callerOf(c));
      if (!rights.readsAsAny) requireAdmin(rights);
      const { 'filter-party': start = '', ...page } = c.req.valid('query');
      const { state } = server;
      const all = sortedParties.get(state, start, () =>
        Array.from(allOf(state, 'KnownParty'), ({ party }) => party)
          .filter((party) => party.startsWith(start))
          .sort(),
      );
      const { ids, nextPageToken } = pageOf(all, page, LARGEST_PARTY_PAGE);
      return c.json({ partyDetails: ids.map((id) => detailsOf(partyIn(id, 'party'), server)), nextPageToken }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/parties',
      operationId: 'postV2Parties',
      summary: 'Allocate a party of the participant',
      ...LEDGER,
      security: USER,
      request: jsonBody(allocation),
      responses: {
        200: answer(
          'The new party. The user `userId` may act as it. A caller who does not administer the participant can allocate for itself only.',
          one.openapi('AllocatePartyResponse'),
        ),
        ...ledgerProblems(400, 401, 403, 404, 503),
      },
    }),
    async (c) => {
      const request = c.req.valid('json');
      const caller = callerOf(c);
      if (request.userId !== caller.user) requireAdmin(rightsOf(caller));
      return c.json({ partyDetails: detailsOf(await allocateParty(request, server), server) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/parties/{party}',
      operationId: 'getV2PartiesParty',
      summary: 'Look up parties by id',
      ...LEDGER,
      security: USER,
      request: { params, query },
      responses: {
        200: answer('Details of the requested parties that exist, sorted by id.', several),
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
      const known = asked
        .map(partyNamed)
        .filter((id) => isKnownParty(server.state, id))
        .sort();
      if (known.length === 0 && server.config.strictPartyLookup)
        throw new LedgerProblem('PARTY_NOT_KNOWN_ON_LEDGER', `Parties not known on ledger: ${asked.join(', ')}`, {
          resources: asked.map((id) => ['PARTY', id] as const),
        });
      // All parties belong to the default identity provider: none is local to another.
      return c.json({ partyDetails: known.map((id) => detailsOf(id, server, provider === '')) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/v2/parties/{party}',
      operationId: 'patchV2PartiesParty',
      summary: 'Replace annotations of a party',
      ...LEDGER,
      security: ADMIN,
      request: { params, ...jsonBody(update) },
      responses: {
        200: answer('The changed details of the party.', one.openapi('UpdatePartyDetailsResponse')),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      const party = partyNamed(c.req.valid('param').party);
      await annotate(party, c.req.valid('json'), server);
      return c.json({ partyDetails: detailsOf(party, server) }, 200);
    },
  );
};

function partyNamed(text: string): PartyId {
  const id = PartyId.parse(text);
  if (id.ok) return id.value;
  throw new LedgerProblem('INVALID_ARGUMENT', `Invalid party id ${text}: expected ${id.error.expected}`);
}

async function annotate(
  party: PartyId,
  { partyDetails: details, updateMask: mask }: z.infer<typeof update>,
  { host, state: visible, validator: operator, participantId: participant }: PartiesNeeds,
): Promise<void> {
  if (details.party !== party)
    throw new LedgerProblem('INVALID_ARGUMENT', `partyDetails.party: got ${details.party}, expected ${party}`);
  fieldsOf(mask, UPDATABLE, 'INVALID_PARTY_DETAILS_UPDATE_REQUEST');
  if (!isKnownParty(visible, party))
    throw new LedgerProblem('PARTY_NOT_FOUND', `party ${party} is unknown`, { resources: [['PARTY', party]] });
  const { resourceVersion = '', annotations: changes = {} } = details.localMetadata ?? {};
  const submitted = await host.submitFrom(
    (state) => {
      const before = annotationsOf(party, state, participant);
      if (resourceVersion !== '' && resourceVersion !== String(before?.resourceVersion ?? 0))
        throw new LedgerProblem(
          'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
          `party ${party} has changed since version ${resourceVersion}`,
        );
      const annotations = mergedAnnotations(before?.annotations ?? {}, changes);
      return { type: 'AnnotateParty', operator, participant, party, annotations };
    },
    [operator],
  );
  if (!submitted.ok) throw userProblem(submitted.error);
}
