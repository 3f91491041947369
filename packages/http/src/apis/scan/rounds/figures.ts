import type { LedgerView } from '../../../history/ledger-view.js';
import { Amount, Round } from '@coinlab/core';
import { RoundBooks } from '@coinlab/core/histories';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../../request.js';
import { LogFold } from '../../../history/log-fold.js';
import { Problem, problems } from '../../../problem.js';
import { answer, DEPRECATED } from '../../../route-parts.js';
import type { Api } from '../../../request.js';
import { wholeNumber } from '../../../wire/query.js';
import { decimalText, foundOr404, rfc3339, tenPlaces, timeText } from '../../../wire/values.js';
import { registerScanRoundTotals } from './totals.js';
import { registerScanTops, requireClosed } from './tops.js';

const count = z.number().int();
const declared = { ...DEPRECATED, method: 'get' as const, tags: ['scan'] };
const rate = z.object({ amount: decimalText, rate: decimalText }).openapi('RateStep');
const fees = z
  .object({
    amulet_create_fee: decimalText,
    holding_fee: decimalText,
    lock_holder_fee: decimalText,
    transfer_fee: z.object({ initial: decimalText, steps: z.array(rate) }).openapi('SteppedRate'),
  })
  .openapi('GetAmuletConfigForRoundResponse');

export const registerScanRoundFigures: Register<LedgerView> = (api, ledger) => {
  const books = ledger.own(() => new LogFold(ledger, () => new RoundBooks()));
  registerScanRoundTotals(api, books);
  registerLatest(api, books);
  registerScanTops(api, books);
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/amulet-config-for-round',
      operationId: 'getAmuletConfigForRound',
      summary: 'Get the coin configuration of a round',
      request: { query: z.object({ round: wholeNumber(0) }) },
      responses: { 200: answer('The fees in coin at the price of this round.', fees), ...problems(400, 404) },
    }),
    async (c) => {
      const { round } = c.req.valid('query');
      const config = foundOr404((await books().current()).feesOf(Round.of(round)), 'round', String(round));
      const steps = config.transferFeeSteps.map((step) => ({
        amount: tenPlaces(step.from),
        rate: tenPlaces(step.rate),
      }));
      return c.json(
        {
          amulet_create_fee: tenPlaces(config.createFee),
          holding_fee: tenPlaces(config.holdingFee),
          lock_holder_fee: tenPlaces(config.lockHolderFee),
          transfer_fee: { initial: tenPlaces(config.transferFeeInitialRate), steps },
        },
        200,
      );
    },
  );
};

function registerLatest(api: Api, books: () => LogFold<RoundBooks>): void {
  const none = 'no round is closed yet';
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/aggregated-rounds',
      operationId: 'getAggregatedRounds',
      summary: 'Get the range of aggregated rounds',
      responses: {
        200: answer(
          'The first and the last closed round.',
          z.object({ start: count, end: count }).openapi('GetAggregatedRoundsResponse'),
        ),
        ...problems(404),
      },
    }),
    async (c) => {
      const closed = (await books().current()).closedRounds();
      if (!closed) throw new Problem(404, none);
      return c.json({ start: closed.first, end: closed.last }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/round-of-latest-data',
      operationId: 'getRoundOfLatestData',
      summary: 'Get the last closed round',
      responses: {
        200: answer(
          'The last closed round and the time when it closed.',
          z.object({ round: count, effectiveAt: timeText }).openapi('GetRoundOfLatestDataResponse'),
        ),
        ...problems(404),
      },
    }),
    async (c) => {
      const found = await books().current();
      const last = found.closedRounds()?.last;
      const closedAt = last === undefined ? null : found.closedAt(last);
      if (last === undefined || closedAt === null) throw new Problem(404, none);
      return c.json({ round: last, effectiveAt: rfc3339(closedAt) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/rewards-collected',
      operationId: 'getRewardsCollected',
      summary: 'Get the total of collected rewards',
      request: { query: z.object({ round: wholeNumber(0).optional() }) },
      responses: {
        200: answer(
          'Minted app and validator rewards, of one round or up to the last closed round.',
          z.object({ amount: decimalText }).openapi('GetRewardsCollectedResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const { round } = c.req.valid('query');
      const found = await books().current();
      const last = requireClosed(found, round);
      const [totals] = found.totals(last, last);
      const { appRewards, validatorRewards } = foundOr404(
        round === undefined ? totals?.byEnd : totals?.inRound,
        'closed round',
        String(last),
      );
      return c.json({ amount: tenPlaces(Amount.add(appRewards, validatorRewards)) }, 200);
    },
  );
}
