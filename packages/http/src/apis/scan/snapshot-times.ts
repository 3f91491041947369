import { Instant, Duration } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import { lastOffsetUntil, type LedgerView } from '../../history/ledger-view.js';
import { wholeNumber } from '../../wire/query.js';
import { dateTime, MIGRATION, rfc3339, timeText } from '../../wire/values.js';

const migration_id = wholeNumber(0);
const found = z.object({ record_time: timeText }).openapi('AcsSnapshotTimestampResponse');

/** Every update has a snapshot at its record time. Source: specification of the API §4.2. */
export const registerScanSnapshotTimes: Register<LedgerView> = (api, ledger) => {
  const answers = { 200: answer('The record time of the snapshot.', found), ...problems(400, 404) };
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/state/acs/snapshot-timestamp',
      operationId: 'getDateOfMostRecentSnapshotBefore',
      summary: 'Get the last snapshot time before a time',
      tags: ['scan'],
      request: { query: z.object({ before: dateTime, migration_id }) },
      responses: answers,
    }),
    (c) => {
      const { before, migration_id: migration } = c.req.valid('query');
      const until = Instant.plus(before, Duration.ofMicros(-1n));
      const offset = migration === MIGRATION && until < before ? lastOffsetUntil(ledger, until) : 0;
      if (offset === 0) throw new Problem(404, `no snapshot of migration ${migration} before ${rfc3339(before)}`);
      return c.json({ record_time: rfc3339(ledger.history.timeAt(offset)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/state/acs/snapshot-timestamp-after',
      operationId: 'getDateOfFirstSnapshotAfter',
      summary: 'Get the first snapshot time after a time',
      tags: ['scan'],
      request: { query: z.object({ after: dateTime, migration_id }) },
      responses: answers,
    }),
    (c) => {
      const { after, migration_id: migration } = c.req.valid('query');
      const offset = lastOffsetUntil(ledger, after) + 1;
      if (migration !== MIGRATION || offset > ledger.state.offset)
        throw new Problem(404, `no snapshot of migration ${migration} after ${rfc3339(after)}`);
      return c.json({ record_time: rfc3339(ledger.history.timeAt(offset)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/state/acs/force',
      operationId: 'forceAcsSnapshotNow',
      summary: 'Take a snapshot of all contracts',
      tags: ['scan'],
      responses: {
        200: answer(
          'The record time of the newest snapshot. No update has happened since.',
          z.object({ record_time: timeText, migration_id: z.number().int() }).openapi('ForceAcsSnapshotResponse'),
        ),
      },
    }),
    (c) => c.json({ record_time: rfc3339(ledger.state.time), migration_id: MIGRATION }, 200),
  );
};
