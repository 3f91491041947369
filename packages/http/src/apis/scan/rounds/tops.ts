import { Round, type PartyId } from '@coinlab/core';
import type { RoundAccount, RoundBooks } from '@coinlab/core/histories';
import { createRoute, z } from '@hono/zod-openapi';
import type { LogFold } from '../../../history/log-fold.js';
import { Problem, problems } from '../../../problem.js';
import { answer, DEPRECATED } from '../../../route-parts.js';
import type { Api } from '../../../request.js';
import { wholeNumber } from '../../../wire/query.js';
import { decimalText, partyText, tenPlaces } from '../../../wire/values.js';

const PAGE_LIMIT = 1000;

const count = z.number().int();
const declared = { ...DEPRECATED, method: 'get' as const, tags: ['scan'] };
const top = { query: z.object({ round: wholeNumber(0), limit: wholeNumber(1, PAGE_LIMIT) }) };
const rewarded = z.object({ provider: partyText, rewards: decimalText }).openapi('PartyAndRewards');
const purchased = z
  .object({
    validator: partyText,
    numPurchases: count,
    totalTrafficPurchased: count,
    totalCcSpent: decimalText,
    lastPurchasedInRound: count,
  })
  .openapi('ValidatorPurchasedTraffic');

export function registerScanTops(api: Api, books: () => LogFold<RoundBooks>): void {
  const leaders = async (
    { round, limit }: { readonly round: number; readonly limit: number },
    of: (account: RoundAccount) => bigint,
  ): Promise<readonly (readonly [PartyId, RoundAccount])[]> => {
    const found = await books().current();
    const accounts = [...found.partiesBy(requireClosed(found, round))].filter(([, account]) => of(account) > 0n);
    if (accounts.length === 0) throw new Problem(404, `no party has any up to the end of round ${round}`);
    const bySize = accounts.sort(([a, one], [b, other]) => {
      const difference = of(other) - of(one);
      return difference === 0n ? (a < b ? -1 : 1) : difference < 0n ? -1 : 1;
    });
    return bySize.slice(0, limit);
  };

  for (const { path, operationId, summary, key, schema, rewards } of [
    {
      path: '/v0/top-providers-by-app-rewards',
      operationId: 'getTopProvidersByAppRewards',
      summary: 'Rank providers by app rewards',
      key: 'providersAndRewards',
      schema: 'GetTopProvidersByAppRewardsResponse',
      rewards: ({ appRewards }: RoundAccount) => appRewards,
    },
    {
      path: '/v0/top-validators-by-validator-rewards',
      operationId: 'getTopValidatorsByValidatorRewards',
      summary: 'Rank validators by validator rewards',
      key: 'validatorsAndRewards',
      schema: 'GetTopValidatorsByValidatorRewardsResponse',
      rewards: ({ validatorRewards }: RoundAccount) => validatorRewards,
    },
  ] as const)
    api.openapi(
      createRoute({
        ...declared,
        path,
        operationId,
        summary,
        request: top,
        responses: {
          200: answer(
            'Parties by rewards minted up to the end of this closed round, highest first.',
            z.object({ [key]: z.array(rewarded) }).openapi(schema),
          ),
          ...problems(400, 404),
        },
      }),
      async (c) => {
        const found = await leaders(c.req.valid('query'), rewards);
        const list = found.map(([provider, account]) => ({ provider, rewards: tenPlaces(rewards(account)) }));
        return c.json({ [key]: list }, 200);
      },
    );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/top-validators-by-purchased-traffic',
      operationId: 'getTopValidatorsByPurchasedTraffic',
      summary: 'Rank validators by purchased traffic',
      request: top,
      responses: {
        200: answer(
          'Validators by traffic purchased up to the end of this closed round, highest first.',
          z
            .object({ validatorsByPurchasedTraffic: z.array(purchased) })
            .openapi('GetTopValidatorsByPurchasedTrafficResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const found = await leaders(c.req.valid('query'), ({ trafficBytes }) => BigInt(trafficBytes));
      const validatorsByPurchasedTraffic = found.map(([validator, account]) => ({
        validator,
        numPurchases: account.purchases,
        totalTrafficPurchased: account.trafficBytes,
        totalCcSpent: tenPlaces(account.trafficCost),
        lastPurchasedInRound: account.lastPurchase ?? 0,
      }));
      return c.json({ validatorsByPurchasedTraffic }, 200);
    },
  );
}

export function requireClosed(books: RoundBooks, round: number | undefined): Round {
  const closed = books.closedRounds();
  const wanted = round ?? closed?.last ?? 0;
  if (!closed || wanted < closed.first || wanted > closed.last) throw new Problem(404, `round ${wanted} is not closed`);
  return Round.of(wanted);
}
