import { acsOf } from '@coinlab/core/views';
import { Instant, PartyId, settingsOf, type LedgerState } from '@coinlab/core';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { orProblem, Problem, problems } from '../../problem.js';
import { answer, DEPRECATED } from '../../route-parts.js';
import { lastOffsetUntil, type LedgerView } from '../../history/ledger-view.js';
import { acsText } from '../../wire/acs-text.js';
import { isOfNetwork, type NetworkContract } from '../../wire/templates.js';
import { dateTime } from '../../wire/values.js';

export const registerScanAcs: Register<LedgerView> = (api, ledger) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/acs/{party}',
      operationId: 'getAcsSnapshot',
      summary: 'Download the contracts of a party',
      tags: ['scan'],
      ...DEPRECATED,
      request: { params: z.object({ party: z.string() }), query: z.object({ record_time: dateTime.optional() }) },
      responses: {
        200: answer(
          'Contracts that have both the party and the DSO as stakeholders, oldest first: gzipped JSON lines in base64.',
          z.object({ acs_snapshot: z.string() }).openapi('GetAcsSnapshotResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const party = orProblem(PartyId.parse(c.req.valid('param').party));
      const { record_time } = c.req.valid('query');
      const state = record_time === undefined ? ledger.state : stateAtTime(ledger, record_time);
      return c.json({ acs_snapshot: acsText(sharedWithDso(state, party), state, ledger) }, 200);
    },
  );
};

function stateAtTime(ledger: LedgerView, time: Instant): LedgerState {
  const now = ledger.now();
  if (time > now) throw new Problem(400, `record_time: ${Instant.format(time)} is after the ledger end`);
  return ledger.history.stateAt(lastOffsetUntil(ledger, time));
}

function sharedWithDso(state: LedgerState, party: PartyId): readonly NetworkContract[] {
  // Before the first update there is no DSO, and no contract.
  if (state.offset === 0) return [];
  const { dso } = settingsOf(state);
  return acsOf(state, party)
    .filter((contract) => stakeholdersOf(contract, dso).includes(dso))
    .filter(isOfNetwork);
}
