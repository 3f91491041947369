import { ansContextOf, entryNamed } from '@coinlab/core/rules';
import { Amount, ContractId, contractsOf, Duration, type LedgerState, type PartyId } from '@coinlab/core';
import type { SubscriptionIdleState, SubscriptionPayment } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, jsonBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { createdIn } from './requests.js';
import { cidText, decimalText, rfc3339, timeText } from '../../wire/values.js';

const declared = { tags: ['wallet'], security: WALLET };
const wished = { name: z.string(), url: z.string(), description: z.string() };
const microsText = z.string().describe('Duration in microseconds.');
const entry = z
  .object({
    contractId: cidText,
    name: z.string(),
    amount: decimalText.describe('Price of one interval.'),
    unit: z.string(),
    expiresAt: timeText,
    paymentInterval: microsText,
    paymentDuration: microsText,
  })
  .openapi('AnsEntryResponse');

/** A name is paid as a subscription. Source: specification of the API §7.7 (ANS external). Assumption: A-101. */
export const registerEntry: Register<LedgerAccess> = (api, server) => {
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/entry/create',
      operationId: 'createAnsEntry',
      summary: 'Request a name',
      request: jsonBody(z.object(wished).openapi('CreateAnsEntryRequest')),
      responses: {
        200: answer(
          'The requested name and the subscription request that pays for it.',
          z
            .object({ entryContextCid: cidText, subscriptionRequestCid: cidText, ...wished })
            .openapi('CreateAnsEntryResponse'),
        ),
        ...problems(400, 401, 404, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const { name, url, description } = c.req.valid('json');
      const update = await submit(server, { type: 'RequestAnsEntry', user: party, name, url, description }, party);
      return c.json(
        {
          entryContextCid: ContractId.format(createdIn(update, 'AnsEntryContext')),
          subscriptionRequestCid: ContractId.format(createdIn(update, 'SubscriptionRequest')),
          name,
          url,
          description,
        },
        200,
      );
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: '/v0/entry/all',
      operationId: 'listAnsEntriesOfUser',
      summary: 'List the names of the caller',
      responses: {
        200: answer(
          "The caller's names, in alphabetical order.",
          z.object({ entries: z.array(entry) }).openapi('ListAnsEntriesResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const entries = subscriptionsOf(server.state, party)
        .flatMap((subscription) => entryOf(subscription, server))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      return c.json({ entries }, 200);
    },
  );
};

type Subscribed = SubscriptionIdleState | SubscriptionPayment;

function subscriptionsOf(state: LedgerState, party: PartyId): readonly Subscribed[] {
  const renewals = [...contractsOf(state, 'SubscriptionPayment', party)].filter(({ dueAt }) => dueAt !== null);
  return [...contractsOf(state, 'SubscriptionIdleState', party), ...renewals];
}

function entryOf({ terms, reference }: Subscribed, server: LedgerAccess): z.output<typeof entry>[] {
  const state = server.state;
  const name = ansContextOf(state, reference)?.name ?? '';
  const found = entryNamed(state, name, server.now());
  if (found?.user !== terms.sender) return [];
  return [
    {
      contractId: ContractId.format(found.id),
      name,
      amount: Amount.short(terms.paymentUsd),
      unit: 'USDUnit',
      expiresAt: rfc3339(found.expiresAt),
      paymentInterval: Duration.format(terms.paymentInterval),
      paymentDuration: Duration.format(terms.paymentDuration),
    },
  ];
}
