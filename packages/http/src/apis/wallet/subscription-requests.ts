import { ContractId, contractsOf, find, type PartyId } from '@coinlab/core';
import { treasuryOf } from '@coinlab/automation';
import type { SubscriptionRequest } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, emptyBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit, submitFrom } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { createdIn, InFlight } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { cidText, contractIdOrNull, foundOr404 } from '../../wire/values.js';
import { isPaidBy } from './subscriptions.js';

const REQUESTS = '/v0/wallet/subscription-requests';

const declared = { tags: ['wallet'], security: WALLET };
const named = { params: z.object({ contract_id: z.string() }) };

export const registerSubscriptionRequests: Register<LedgerAccess> = (api, server) => {
  registerAnswers(api, server);
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: REQUESTS,
      operationId: 'listSubscriptionRequests',
      summary: 'List open subscription requests',
      responses: {
        200: answer(
          'Unpaid subscription requests, oldest first.',
          z.object({ subscription_requests: z.array(contractSchema) }).openapi('ListSubscriptionRequestsResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const requests = [...contractsOf(server.state, 'SubscriptionRequest', party)].filter(isPaidBy(party));
      return c.json({ subscription_requests: requests.map((one) => contractOf(one, server)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: `${REQUESTS}/{contract_id}`,
      operationId: 'getSubscriptionRequest',
      summary: 'Get a subscription request',
      request: named,
      responses: { 200: answer('The subscription request.', contractSchema), ...problems(401, 404) },
    }),
    (c) => {
      const { party } = walletOf(c);
      return c.json(contractOf(requestSeenBy(server, party, c.req.valid('param').contract_id), server), 200);
    },
  );
};

const registerAnswers: Register<LedgerAccess> = (api, server) => {
  const inFlight = server.own(() => new InFlight());
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${REQUESTS}/{contract_id}/accept`,
      operationId: 'acceptSubscriptionRequest',
      summary: 'Accept and pay a subscription request',
      request: named,
      responses: {
        200: answer(
          'The initial payment. It locks the coin until the provider collects it.',
          z.object({ initial_payment_contract_id: cidText }).openapi('AcceptSubscriptionRequestResponse'),
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { id } = requestSeenBy(server, party, c.req.valid('param').contract_id);
      const update = await inFlight().alone([party, ContractId.format(id)], () =>
        submitFrom(
          server,
          (state, now) => ({
            type: 'PayAnsSubscription',
            subscription: id,
            inputs: treasuryOf(state, party, now).inputs,
          }),
          party,
        ),
      );
      const payment = ContractId.format(createdIn(update, 'SubscriptionPayment'));
      return c.json({ initial_payment_contract_id: payment }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: `${REQUESTS}/{contract_id}/reject`,
      operationId: 'rejectSubscriptionRequest',
      summary: 'Reject a subscription request',
      request: named,
      responses: { 200: answer('The request is archived.', emptyBody), ...problems(401, 404, 409, 429, 503) },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { id } = requestSeenBy(server, party, c.req.valid('param').contract_id);
      await submit(server, { type: 'WithdrawAnsRequest', request: id }, party);
      return c.json({}, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'delete',
      path: `${REQUESTS}/{contract_id}`,
      operationId: 'cancelSubscriptionRequest',
      summary: 'Cancel a subscription',
      description: 'The subscription ends with the period that is already paid.',
      request: named,
      responses: {
        200: answer('The subscription is not renewed. The paid period stays valid.', emptyBody),
        ...problems(401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const text = c.req.valid('param').contract_id;
      const id = contractIdOrNull(text);
      const idle = id === null ? null : find(server.state, 'SubscriptionIdleState', id);
      const mine = foundOr404(idle && isPaidBy(party)(idle) ? idle : null, 'subscription of this wallet', text);
      await submit(server, { type: 'CancelAnsSubscription', subscription: mine.id }, party);
      return c.json({}, 200);
    },
  );
};

function requestSeenBy(server: LedgerAccess, party: PartyId, text: string): SubscriptionRequest {
  const id = contractIdOrNull(text);
  const request = id === null ? null : find(server.state, 'SubscriptionRequest', id);
  return foundOr404(request && isPaidBy(party)(request) ? request : null, 'subscription request of this wallet', text);
}
