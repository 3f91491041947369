import type { ClosedRoundPartyTotals, ClosedRoundTotals, RoundBooks } from '@coinlab/core/histories';
import { Round } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { LogFold } from '../../../history/log-fold.js';
import { Problem, problems } from '../../../problem.js';
import { answer, DEPRECATED, jsonBody } from '../../../route-parts.js';
import type { Api } from '../../../request.js';
import { decimalText, partyText, rfc3339, tenPlaces, timeText } from '../../../wire/values.js';

const MOST_ROUNDS = 200;
const MOST_ROUNDS_OF_PARTIES = 50;

const count = z.number().int();
const span = { start_round: count.min(0), end_round: count.min(0) };
const totals = z
  .object({
    closed_round: count,
    closed_round_effective_at: timeText,
    app_rewards: decimalText,
    validator_rewards: decimalText,
    change_to_initial_amount_as_of_round_zero: decimalText,
    change_to_holding_fees_rate: decimalText,
    cumulative_app_rewards: decimalText,
    cumulative_validator_rewards: decimalText,
    cumulative_change_to_initial_amount_as_of_round_zero: decimalText,
    cumulative_change_to_holding_fees_rate: decimalText,
    total_amulet_balance: decimalText,
  })
  .openapi('RoundTotals');
const partyTotals = z
  .object({
    closed_round: count,
    party: partyText,
    app_rewards: decimalText,
    validator_rewards: decimalText,
    traffic_purchased: count,
    traffic_purchased_cc_spent: decimalText,
    traffic_num_purchases: count,
    cumulative_app_rewards: decimalText,
    cumulative_validator_rewards: decimalText,
    cumulative_change_to_initial_amount_as_of_round_zero: decimalText,
    cumulative_change_to_holding_fees_rate: decimalText,
    cumulative_traffic_purchased: count,
    cumulative_traffic_purchased_cc_spent: decimalText,
    cumulative_traffic_num_purchases: count,
  })
  .openapi('RoundPartyTotals');

const declared = { ...DEPRECATED, tags: ['scan'] };

export function registerScanRoundTotals(api: Api, books: () => LogFold<RoundBooks>): void {
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/round-totals',
      operationId: 'listRoundTotals',
      summary: 'List totals of closed rounds',
      request: jsonBody(z.object(span).openapi('ListRoundTotalsRequest')),
      responses: {
        200: answer(
          `Totals of the requested closed rounds. A request covers at most ${MOST_ROUNDS} rounds.`,
          z.object({ entries: z.array(totals) }).openapi('ListRoundTotalsResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const found = await books().current();
      const { from, to } = closedSpan(found, c.req.valid('json'), MOST_ROUNDS);
      return c.json({ entries: found.totals(from, to).map(totalsOf) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/round-party-totals',
      operationId: 'listRoundPartyTotals',
      summary: 'List totals of closed rounds by party',
      request: jsonBody(z.object(span).openapi('ListRoundPartyTotalsRequest')),
      responses: {
        200: answer(
          `Totals per party and closed round in which the party was active. A request covers at most ${MOST_ROUNDS_OF_PARTIES} rounds.`,
          z.object({ entries: z.array(partyTotals) }).openapi('ListRoundPartyTotalsResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const found = await books().current();
      const { from, to } = closedSpan(found, c.req.valid('json'), MOST_ROUNDS_OF_PARTIES);
      return c.json({ entries: found.partyTotals(from, to).map(partyTotalsOf) }, 200);
    },
  );
}

function closedSpan(
  books: RoundBooks,
  { start_round, end_round }: { readonly start_round: number; readonly end_round: number },
  most: number,
): { readonly from: Round; readonly to: Round } {
  if (end_round < start_round) throw new Problem(400, `end_round: ${end_round} is before start_round ${start_round}`);
  if (end_round - start_round >= most) throw new Problem(400, `end_round: at most ${most} rounds at a time`);
  const closed = books.closedRounds();
  if (!closed || start_round < closed.first || end_round > closed.last)
    throw new Problem(404, `not all rounds from ${start_round} to ${end_round} are closed`);
  return { from: Round.of(start_round), to: Round.of(end_round) };
}

function totalsOf({ round, closedAt, inRound, byEnd }: ClosedRoundTotals): z.output<typeof totals> {
  return {
    closed_round: round,
    closed_round_effective_at: rfc3339(closedAt),
    app_rewards: tenPlaces(inRound.appRewards),
    validator_rewards: tenPlaces(inRound.validatorRewards),
    change_to_initial_amount_as_of_round_zero: tenPlaces(inRound.coinAsOfRoundZero),
    change_to_holding_fees_rate: tenPlaces(inRound.feeRate),
    cumulative_app_rewards: tenPlaces(byEnd.appRewards),
    cumulative_validator_rewards: tenPlaces(byEnd.validatorRewards),
    cumulative_change_to_initial_amount_as_of_round_zero: tenPlaces(byEnd.coinAsOfRoundZero),
    cumulative_change_to_holding_fees_rate: tenPlaces(byEnd.feeRate),
    total_amulet_balance: tenPlaces(byEnd.coin),
  };
}

function partyTotalsOf({ round, party, inRound, byEnd }: ClosedRoundPartyTotals): z.output<typeof partyTotals> {
  return {
    closed_round: round,
    party,
    app_rewards: tenPlaces(inRound.appRewards),
    validator_rewards: tenPlaces(inRound.validatorRewards),
    traffic_purchased: inRound.trafficBytes,
    traffic_purchased_cc_spent: tenPlaces(inRound.trafficCost),
    traffic_num_purchases: inRound.purchases,
    cumulative_app_rewards: tenPlaces(byEnd.appRewards),
    cumulative_validator_rewards: tenPlaces(byEnd.validatorRewards),
    cumulative_change_to_initial_amount_as_of_round_zero: tenPlaces(byEnd.coinAsOfRoundZero),
    cumulative_change_to_holding_fees_rate: tenPlaces(byEnd.feeRate),
    cumulative_traffic_purchased: byEnd.trafficBytes,
    cumulative_traffic_purchased_cc_spent: tenPlaces(byEnd.trafficCost),
    cumulative_traffic_num_purchases: byEnd.purchases,
  };
}
