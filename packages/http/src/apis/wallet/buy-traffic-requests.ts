import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { ContractId, isKnownParty, type LedgerState, type PartyId } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { licenseOf, participantOf } from '@coinlab/core/rules';
import type { TrackingRecord } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { registerTrackingStatus } from './tracking-status.js';
import { createdIn, InFlight, refuseLongTexts, refuseUsed } from './requests.js';
import { cidText, microseconds, partyId } from '../../wire/values.js';
import { updateIdText } from '../../wire/update-id.js';

const declared = { tags: ['wallet'], security: WALLET };
const createRequest = z
  .object({
    receiving_validator_party_id: partyId.describe('The traffic goes to the participant that hosts this party.'),
    domain_id: partyId.describe('Id of the synchronizer.'),
    traffic_amount: z.int().min(1).describe('Amount of traffic in bytes.'),
    tracking_id: z.string(),
    expires_at: microseconds,
  })
  .openapi('CreateBuyTrafficRequest');
const statusResponse = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('created') }).openapi('BuyTrafficRequestCreatedResponse'),
    z
      .object({ status: z.literal('completed'), transaction_id: z.string() })
      .openapi('BuyTrafficRequestCompletedResponse'),
    z
      .object({
        status: z.literal('failed'),
        failure_reason: z.enum(['expired', 'rejected']),
        rejection_reason: z.string().optional(),
      })
      .openapi('BuyTrafficRequestFailedResponse'),
  ])
  .openapi('GetBuyTrafficRequestStatusResponse');

export const registerBuyTrafficRequests: Register<LedgerAccess & ValidatorIdentity> = (api, server) => {
  const inFlight = server.own(() => new InFlight());

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/buy-traffic-requests',
      operationId: 'createBuyTrafficRequest',
      summary: 'Request a purchase of traffic',
      ...declared,
      request: jsonBody(createRequest),
      responses: {
        200: answer(
          'The contract id of the request.',
          z.object({ request_contract_id: cidText }).openapi('CreateBuyTrafficRequestResponse'),
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { receiving_validator_party_id, domain_id, traffic_amount, tracking_id, expires_at } = c.req.valid('json');
      refuseLongTexts({ tracking_id });
      refuseUsed(server, party, 'traffic', tracking_id);
      const update = await inFlight().alone([party, tracking_id], () =>
        submit(
          server,
          {
            type: 'CreateTrafficRequest',
            endUser: party,
            memberId: participantHosting(server, receiving_validator_party_id),
            synchronizerId: domain_id,
            trafficBytes: traffic_amount,
            trackingId: tracking_id,
            expiresAt: expires_at,
          },
          party,
        ),
      );
      return c.json({ request_contract_id: ContractId.format(createdIn(update, 'BuyTrafficRequest')) }, 200);
    },
  );

  registerTrackingStatus(api, server, {
    path: '/v0/wallet/buy-traffic-requests',
    operationId: 'getBuyTrafficRequestStatus',
    subject: 'traffic',
    what: 'traffic request',
    schema: statusResponse,
    statusOf,
  });
};

function statusOf(
  server: LedgerAccess,
  { id, status, failure, reason }: TrackingRecord,
): z.infer<typeof statusResponse> {
  if (status === 'completed') return { status, transaction_id: updateIdText(server.created.updateOf(id).updateId) };
  if (status !== 'failed') return { status: 'created' };
  if (failure === 'expired') return { status, failure_reason: failure };
  return { status, failure_reason: 'rejected', ...(reason === null ? {} : { rejection_reason: reason }) };
}

function participantHosting(
  { state, validator, peers }: Pick<LedgerAccess, 'state'> & ValidatorIdentity,
  party: PartyId,
): string {
  if (!isKnownParty(state, party))
    throw new Problem(400, `receiving_validator_party_id: ${party} is hosted by no participant`);
  const operator = licenseOf(state, party) ? party : (walletValidatorOf(state, party) ?? validator);
  return peers.find((peer) => peer.validator === operator)?.participantId ?? participantOf(operator);
}

function walletValidatorOf(state: LedgerState, party: PartyId): PartyId | null {
  for (const { validator } of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`)) return validator;
  return null;
}
