import type { ValidatorIdentity } from '../../../host/hosted-parties.js';
import { externalBalanceOf } from '@coinlab/core/views';
import { find } from '@coinlab/core';
import { generateTopology } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerAccess } from '../../../gates/submit.js';
import type { Register } from '../../../request.js';
import { orProblem, Problem, problems } from '../../../problem.js';
import { answer, jsonBody, OPERATOR } from '../../../route-parts.js';
import { problemOf } from '../../../gates/status.js';
import { partyId, tenPlaces } from '../../../wire/values.js';

const declared = { tags: ['external party'], security: OPERATOR };
const hexKey = z.string().describe('Raw Ed25519 key of 32 bytes, in hex.');
const partyAnswer = z.object({ party_id: z.string() });
const topology = z
  .object({
    party_id: z.string(),
    topology_txs: z.array(
      z
        .object({
          topology_tx: z.string().describe('Base64. Send it unchanged with the signature.'),
          hash: z.string().describe('Multihash in hex; its bytes are signed.'),
        })
        .openapi('TopologyTx'),
    ),
  })
  .openapi('GenerateExternalPartyTopologyResponse');
const signedTopology = z
  .object({
    public_key: hexKey,
    signed_topology_txs: z.array(
      z
        .object({
          topology_tx: z.string(),
          signed_hash: z.string().describe('Ed25519 signature, r then s, 64 bytes in hex.'),
        })
        .openapi('SignedTopologyTx'),
    ),
  })
  .openapi('SubmitExternalPartyTopologyRequest');
const balance = z
  .object({
    party_id: z.string(),
    total_unlocked_coin: z.string(),
    total_locked_coin: z.string(),
    total_coin_holdings: z.string(),
    accumulated_holding_fees_unlocked: z.string(),
    accumulated_holding_fees_locked: z.string(),
    accumulated_holding_fees_total: z.string(),
    total_available_coin: z.string(),
    computed_as_of_round: z.number().int(),
  })
  .openapi('ExternalPartyBalanceResponse');

export const registerTopology: Register<LedgerAccess & ValidatorIdentity> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/admin/external-party/topology/generate',
      operationId: 'generateExternalPartyTopology',
      summary: 'Generate topology transactions for an external party',
      ...declared,
      request: jsonBody(
        z.object({ party_hint: z.string(), public_key: hexKey }).openapi('GenerateExternalPartyTopologyRequest'),
      ),
      responses: {
        200: answer("The topology transactions and the hashes that the party's key must sign.", topology),
        ...problems(400, 401, 403, 501),
      },
    }),
    (c) => {
      const { party_hint: hint, public_key: publicKey } = c.req.valid('json');
      const generated = orProblem(generateTopology({ hint, publicKey, participant: server.participantId }));
      const topology_txs = generated.transactions.map(({ transaction, hash }) => ({ topology_tx: transaction, hash }));
      return c.json({ party_id: generated.party, topology_txs }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/admin/external-party/topology/submit',
      operationId: 'submitExternalPartyTopology',
      summary: 'Submit signed topology transactions',
      ...declared,
      request: jsonBody(signedTopology),
      responses: {
        200: answer(
          'The id of the party, which is now allocated.',
          partyAnswer.openapi('SubmitExternalPartyTopologyResponse'),
        ),
        ...problems(400, 401, 403, 501, 503),
      },
    }),
    async (c) => {
      const { public_key: publicKey, signed_topology_txs: signed } = c.req.valid('json');
      const transactions = signed.map(({ topology_tx, signed_hash }) => ({
        transaction: topology_tx,
        signature: signed_hash,
      }));
      const { participantId: participant, host, validator } = server;
      const submitted = await host.submit({ type: 'SubmitTopology', publicKey, participant, transactions }, [
        validator,
      ]);
      // The party acts by its signatures.
      if (submitted.ok) return c.json({ party_id: submitted.value.update.actAs[0] ?? '' }, 200);
      const { error } = submitted;
      // Submitting the topology of a known party succeeds without effect. Its signatures were checked before.
      if (error.code === 'ALREADY_EXISTS' && error.contract !== null) {
        const known = find(server.state, 'KnownParty', error.contract);
        if (known) return c.json({ party_id: known.party }, 200);
      }
      // All other refusals are faults of the request.
      throw new Problem(400, problemOf(error).message);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/admin/external-party/balance',
      operationId: 'getExternalPartyBalance',
      summary: 'Get the balance of an external party',
      ...declared,
      request: { query: z.object({ party_id: partyId }) },
      responses: {
        200: answer("The party's balance as of the earliest open round.", balance),
        ...problems(400, 401, 403, 404, 501),
      },
    }),
    (c) => {
      const { party_id: party } = c.req.valid('query');
      const summary = externalBalanceOf(server.state, party, server.validator);
      if (!summary) throw new Problem(404, `no wallet of external party ${party} here, or no open round`);
      return c.json(
        {
          party_id: party,
          total_unlocked_coin: tenPlaces(summary.unlocked),
          total_locked_coin: tenPlaces(summary.locked),
          total_coin_holdings: tenPlaces(summary.total),
          accumulated_holding_fees_unlocked: tenPlaces(summary.feesUnlocked),
          accumulated_holding_fees_locked: tenPlaces(summary.feesLocked),
          accumulated_holding_fees_total: tenPlaces(summary.feesTotal),
          total_available_coin: tenPlaces(summary.available),
          computed_as_of_round: summary.asOfRound,
        },
        200,
      );
    },
  );
};
