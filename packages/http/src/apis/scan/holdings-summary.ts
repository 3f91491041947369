import { holdingsSummaryOf, type HoldingsSummary } from '@coinlab/core/views';
import { Round } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import { partyId, rfc3339, tenPlaces } from '../../wire/values.js';
import type { RegisterShared } from './mount.js';
import { placeOf, snapshotFields, snapshotOf, snapshotPlace } from './snapshots.js';

const summaryRequest = z
  .object({
    ...snapshotFields,
    owner_party_ids: z.array(partyId).min(1),
    as_of_round: z.number().int().min(0).optional(),
  })
  .openapi('HoldingsSummaryRequest');
const summary = z
  .object({
    party_id: z.string(),
    total_unlocked_coin: z.string(),
    total_locked_coin: z.string(),
    total_coin_holdings: z.string(),
    accumulated_holding_fees_unlocked: z.string(),
    accumulated_holding_fees_locked: z.string(),
    accumulated_holding_fees_total: z.string(),
    total_available_coin: z.string(),
  })
  .openapi('HoldingsSummary');

export const registerScanHoldingsSummary: RegisterShared = (api, ledger, mount) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: `${mount.prefix}/holdings/summary`,
      operationId: mount.operation('getHoldingsSummaryAt'),
      summary: 'Summarise holdings at a time',
      ...mount.declared,
      request: jsonBody(summaryRequest),
      responses: {
        200: answer(
          'One summary per owner.',
          z
            .object({ ...snapshotPlace, computed_as_of_round: z.number().int(), summaries: z.array(summary) })
            .openapi('HoldingsSummaryResponse'),
        ),
        ...mount.refusals,
        ...problems(400, 404),
      },
    }),
    (c) => {
      const wanted = c.req.valid('json');
      const snapshot = snapshotOf(ledger, wanted);
      const round = wanted.as_of_round === undefined ? undefined : Round.of(wanted.as_of_round);
      const found = [...new Set(wanted.owner_party_ids)].map((owner) =>
        holdingsSummaryOf(snapshot.state, owner, round),
      );
      const summaries = found.filter((one) => one !== null);
      const [first] = summaries;
      if (!first) throw new Problem(404, `no round was open at ${rfc3339(snapshot.recordTime)}`);
      return c.json(
        {
          ...placeOf(snapshot),
          computed_as_of_round: first.asOfRound,
          summaries: summaries.map(summaryOf),
        },
        200,
      );
    },
  );
};

function summaryOf(one: HoldingsSummary): z.output<typeof summary> {
  return {
    party_id: one.owner,
    total_unlocked_coin: tenPlaces(one.unlocked),
    total_locked_coin: tenPlaces(one.locked),
    total_coin_holdings: tenPlaces(one.total),
    accumulated_holding_fees_unlocked: tenPlaces(one.feesUnlocked),
    accumulated_holding_fees_locked: tenPlaces(one.feesLocked),
    accumulated_holding_fees_total: tenPlaces(one.feesTotal),
    total_available_coin: tenPlaces(one.available),
  };
}
