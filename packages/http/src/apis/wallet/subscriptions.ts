import { ContractId, contractsOf, type PartyId } from '@coinlab/core';
import type { SubscriptionIdleState, SubscriptionPayment, SubscriptionRequest } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerAccess } from '../../gates/submit.js';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, WALLET } from '../../route-parts.js';
import { walletOf } from '../../gates/caller.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { subscriptionPayload } from '../../wire/payloads/subscriptions.js';
import { networkId } from '../../wire/templates.js';

const INITIAL_PAYMENTS = '/v0/wallet/subscription-initial-payments';
const SUBSCRIPTIONS = '/v0/wallet/subscriptions';

const declared = { tags: ['wallet'], security: WALLET };
const subscription = z
  .object({
    subscription: contractSchema,
    state: z
      .union([
        z.object({ idle: contractSchema }).openapi('SubscriptionIdleState'),
        z.object({ payment: contractSchema }).openapi('SubscriptionPaymentState'),
      ])
      .openapi('SubscriptionState'),
  })
  .openapi('Subscription');

export const registerSubscriptions: Register<LedgerAccess> = (api, server) => {
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: INITIAL_PAYMENTS,
      operationId: 'listSubscriptionInitialPayments',
      summary: 'List uncollected initial payments',
      responses: {
        200: answer(
          'Initial payments that the provider has not yet collected, oldest first.',
          z.object({ initial_payments: z.array(contractSchema) }).openapi('ListSubscriptionInitialPaymentsResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const first = paymentsOf(server, party).filter(({ dueAt }) => dueAt === null);
      return c.json({ initial_payments: first.map((one) => contractOf(one, server)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: SUBSCRIPTIONS,
      operationId: 'listSubscriptions',
      summary: 'List active subscriptions',
      responses: {
        200: answer(
          'Active subscriptions, each either idle or with a payment in progress.',
          z.object({ subscriptions: z.array(subscription) }).openapi('ListSubscriptionsResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const idle = [...contractsOf(server.state, 'SubscriptionIdleState', party)].filter(isPaidBy(party));
      const paying = paymentsOf(server, party).filter(({ dueAt }) => dueAt !== null);
      const subscriptions = [
        ...idle.map((one) => ({ subscription: begunBy(one, server), state: { idle: contractOf(one, server) } })),
        ...paying.map((one) => ({ subscription: begunBy(one, server), state: { payment: contractOf(one, server) } })),
      ];
      return c.json({ subscriptions }, 200);
    },
  );
};

export function isPaidBy(
  party: PartyId,
): (one: SubscriptionRequest | SubscriptionIdleState | SubscriptionPayment) => boolean {
  return ({ terms: { sender } }) => sender === party;
}

function paymentsOf(server: LedgerAccess, party: PartyId): readonly SubscriptionPayment[] {
  return [...contractsOf(server.state, 'SubscriptionPayment', party)].filter(isPaidBy(party));
}

/** The ledger has no Subscription contract, so its id is that of the request. */
function begunBy(
  state: SubscriptionIdleState | SubscriptionPayment,
  server: LedgerAccess,
): z.output<typeof contractSchema> {
  return {
    ...contractOf(state, server),
    template_id: networkId('Splice.Wallet.Subscriptions:Subscription'),
    contract_id: ContractId.format(state.reference),
    payload: subscriptionPayload(state, server.state),
  };
}
