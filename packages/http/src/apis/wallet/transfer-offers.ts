import type { Configured } from '../../config.js';
import { contractsOf, ContractId, pendingTransfersOf, type PartyId } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerAccess } from '../../gates/submit.js';
import type { Register } from '../../request.js';
import { answerOffer, createOffer, offerBody, offerSeenBy, offerStatusOf, type OfferVerb } from './either-offer.js';
import { Problem, problems } from '../../problem.js';
import { answer, capitalised, emptyBody, jsonBody, WALLET } from '../../route-parts.js';
import { walletOf } from '../../gates/caller.js';
import { registerTrackingStatus } from './tracking-status.js';
import { createdIn, InFlight, refuseLongTexts, refuseUsed } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { contractId, contractIdOrNull, decimal, microseconds, partyId } from '../../wire/values.js';

const declared = { tags: ['wallet'], security: WALLET };
const createRequest = z
  .object({
    receiver_party_id: partyId,
    amount: decimal.describe('Amount of coin.'),
    description: z.string().describe('Shown to the receiver; fewer than 280 characters.'),
    expires_at: microseconds,
    tracking_id: z.string().describe('Unique in the wallet; fewer than 280 characters.'),
  })
  .openapi('CreateTransferOfferRequest');
const aboutContract = { transaction_id: z.string(), contract_id: z.string() };
const statusResponse = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('created'), ...aboutContract }).openapi('TransferOfferCreatedResponse'),
    z.object({ status: z.literal('accepted'), ...aboutContract }).openapi('TransferOfferAcceptedResponse'),
    z.object({ status: z.literal('completed'), ...aboutContract }).openapi('TransferOfferCompletedResponse'),
    z
      .object({
        status: z.literal('failed'),
        failure_kind: z.enum(['expired', 'rejected', 'withdrawn']),
        withdrawn_reason: z.string().optional(),
      })
      .openapi('TransferOfferFailedResponse'),
  ])
  .openapi('GetTransferOfferStatusResponse');
const named = z
  .object({ contract_id: contractId.optional(), offer_contract_id: contractId.optional() })
  .openapi('TransferOfferId');
const inPath = z.object({ contract_id: z.string() });
const acceptResponse = z.object({ accepted_offer_contract_id: z.string() }).openapi('AcceptTransferOfferResponse');

/**
 * By default an offer locks the coin; with `walletOffers: public` it locks nothing. Accept, reject and withdraw take ids of both
 * kinds with both settings.
 * Source: specification of the API §5.1 to §5.4, §6.2.
 */
export const registerTransferOffers: Register<LedgerAccess & Configured<'walletOffers'>> = (api, server) => {
  const inFlight = server.own(() => new InFlight());

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/transfer-offers',
      operationId: 'createTransferOffer',
      summary: 'Offer a transfer',
      ...declared,
      request: jsonBody(createRequest),
      responses: {
        200: answer(
          'The contract id of the offer.',
          z.object({ offer_contract_id: z.string() }).openapi('CreateTransferOfferResponse'),
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { receiver_party_id, amount, description, expires_at, tracking_id } = c.req.valid('json');
      const offer = {
        sender: party,
        receiver: receiver_party_id,
        amount,
        expiresAt: expires_at,
        description,
        trackingId: tracking_id,
      };
      refuseLongTexts({ description, tracking_id });
      refuseUsed(server, party, 'transfer', tracking_id);
      const id = await inFlight().alone([party, tracking_id], () => createOffer(server, offer));
      return c.json({ offer_contract_id: ContractId.format(id) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/transfer-offers',
      operationId: 'listTransferOffers',
      summary: 'List open transfer offers',
      ...declared,
      responses: {
        200: answer(
          'Open offers that the wallet made or received, oldest first.',
          z.object({ offers: z.array(contractSchema) }).openapi('ListTransferOffersResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const pending = pendingTransfersOf(server.state, party, server.now());
      const open = [
        ...pending.map(({ instruction }) => instruction),
        ...contractsOf(server.state, 'TransferOffer', party),
      ];
      return c.json({ offers: open.sort((a, b) => a.id - b.id).map((offer) => offerBody(server, offer)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/accepted-transfer-offers',
      operationId: 'listAcceptedTransferOffers',
      summary: 'List accepted, unpaid transfer offers',
      ...declared,
      responses: {
        200: answer(
          'Offers that were accepted and are not yet paid.',
          z.object({ accepted_offers: z.array(contractSchema) }).openapi('ListAcceptedTransferOffersResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const accepted = contractsOf(server.state, 'AcceptedTransferOffer', party);
      return c.json({ accepted_offers: Array.from(accepted, (offer) => contractOf(offer, server)) }, 200);
    },
  );

  registerTrackingStatus(api, server, {
    path: '/v0/wallet/transfer-offers',
    operationId: 'getTransferOfferStatus',
    subject: 'transfer',
    what: 'transfer offer',
    schema: statusResponse,
    statusOf: offerStatusOf,
  });
  registerAnswers(api, server);
};

const registerAnswers: Register<LedgerAccess & Configured<'walletOffers'>> = (api, server) => {
  for (const verb of ['accept', 'reject', 'withdraw'] as const) {
    const route = {
      method: 'post',
      ...declared,
      responses: {
        200:
          verb === 'accept'
            ? answer('The contract id of the accepted offer.', acceptResponse)
            : answer('The offer is archived.', emptyBody),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    } as const;
    const path = `/v0/wallet/transfer-offers/{contract_id}/${verb}` as const;
    const operationId = `${verb}TransferOffer`;
    const summary = `${capitalised(verb)} a transfer offer`;
    api.openapi(createRoute({ ...route, path, operationId, summary, request: { params: inPath } }), async (c) => {
      const { party } = walletOf(c);
      const id = contractIdOrNull(c.req.valid('param').contract_id);
      return c.json(await answered(server, party, verb, id), 200);
    });
    api.openapi(
      createRoute({
        ...route,
        path: `/v0/wallet/transfer-offers/${verb}`,
        operationId: `${operationId}InBody`,
        summary: `${summary} named in the body`,
        request: jsonBody(named),
      }),
      async (c) => {
        const { party } = walletOf(c);
        const { contract_id, offer_contract_id } = c.req.valid('json');
        const id = contract_id ?? offer_contract_id;
        if (id === undefined) throw new Problem(400, 'contract_id: is missing');
        return c.json(await answered(server, party, verb, id), 200);
      },
    );
  }
};

async function answered(
  server: LedgerAccess,
  party: PartyId,
  verb: OfferVerb,
  id: ContractId | null,
): Promise<{ accepted_offer_contract_id: string } | Record<never, never>> {
  const offer = offerSeenBy(server, party, id);
  const update = await answerOffer(server, party, verb, offer);
  if (verb !== 'accept') return {};
  const accepted = offer.template === 'TransferInstruction' ? offer.id : createdIn(update, 'AcceptedTransferOffer');
  return { accepted_offer_contract_id: ContractId.format(accepted) };
}
