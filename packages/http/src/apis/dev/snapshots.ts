import { Instant } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import type { Host } from '../../host/host.js';
import type { DevControl, Snapshot } from '../../network/dev-control.js';
import { problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody } from '../../route-parts.js';
import { dateTime } from '../../wire/values.js';
import { SNAPSHOT_NAME } from '../../worlds/names.js';
import type { Moments } from '../../worlds/world.js';
import { standing, standingOf } from './standing.js';

const name = z
  .string()
  .regex(SNAPSHOT_NAME, 'expected a letter, then at most 62 letters, digits, _, - or .')
  .openapi({ example: 'funded' });
const number = z.number().int().positive();
const id = z.union([number, name]).describe('Name of the snapshot, or its number if it has no name.');
const taken = z
  .object({
    snapshot: id,
    offset: z.int(),
    time: z.string(),
  })
  .openapi('DevTakenSnapshot');
const target = z
  .strictObject({
    snapshot: id.optional(),
    offset: number.optional(),
    time: dateTime.optional(),
  })
  .refine(
    (one) => Object.values(one).filter((value) => value !== undefined).length === 1,
    'expected exactly one of snapshot, offset and time',
  )
  .openapi('DevRevertRequest', { example: { snapshot: 'funded' } });
const tags = ['dev'];

export interface SnapshotsNeeds extends Pick<LedgerView, 'state'> {
  readonly host: Pick<Host, 'now'>;
  readonly control: DevControl;
  readonly moments: Moments;
}

export const registerSnapshots: Register<SnapshotsNeeds> = (api, server) => {
  const { control } = server;

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/snapshot',
      operationId: 'devSnapshot',
      summary: 'Take a snapshot to revert to',
      description:
        'A snapshot with a name is also a moment: `/dev/at/NAME/…` reads it. With a stored log, snapshots survive a restart.',
      tags,
      request: {
        body: {
          content: {
            'application/json': {
              schema: z
                .strictObject({
                  name: name.optional().describe('Name of the snapshot. Default: it gets a number instead.'),
                })
                .openapi('DevSnapshotRequest'),
            },
          },
        },
      },
      responses: {
        200: answer(
          'The name or number of the snapshot, as a body for /dev/revert. It is valid until you revert to an earlier moment.',
          z.object({ snapshot: id }).openapi('DevSnapshot'),
        ),
        ...problems(400, 403, 409, 415, 503),
      },
    }),
    async (c) => {
      const { name: wanted } = c.req.valid('json');
      const snapshot = wanted === undefined ? await control.snapshot() : (await control.snapshotNamed(wanted)).snapshot;
      return c.json({ snapshot }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/snapshots',
      operationId: 'devSnapshots',
      summary: 'List the snapshots',
      tags,
      responses: {
        200: answer('The snapshots, oldest first.', z.object({ snapshots: z.array(taken) }).openapi('DevSnapshots')),
        ...problems(400, 403, 415),
      },
    }),
    (c) => c.json({ snapshots: control.snapshots.map(shown) }, 200),
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/dev/snapshots/{snapshot}',
      operationId: 'devDeleteSnapshot',
      summary: 'Remove a snapshot',
      tags,
      request: { params: z.object({ snapshot: z.string().openapi({ example: 'funded' }) }) },
      responses: {
        200: answer(
          'The other snapshots, oldest first.',
          z.object({ snapshots: z.array(taken) }).openapi('DevSnapshots'),
        ),
        ...problems(400, 403, 404, 415, 503),
      },
    }),
    async (c) => {
      const { snapshot } = c.req.valid('param');
      await control.forget(/^\d{1,15}$/.test(snapshot) ? Number(snapshot) : snapshot);
      return c.json({ snapshots: control.snapshots.map(shown) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/revert',
      operationId: 'devRevert',
      summary: 'Revert the ledger to an earlier moment',
      description: 'A stored log is cut; a file of its folder keeps the removed updates.',
      tags,
      request: jsonBody(target),
      responses: {
        200: answer('The ledger has the state of that moment. The clock is not reverted.', standing),
        ...problems(400, 403, 404, 409, 415, 503),
      },
    }),
    async (c) => {
      const { snapshot, offset, time } = c.req.valid('json');
      if (snapshot !== undefined) await control.revert(snapshot);
      else {
        const moment = time === undefined ? String(offset) : Instant.format(time);
        await control.revertTo((await server.moments.at(moment)).state);
      }
      return c.json(standingOf(server), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/reset',
      operationId: 'devReset',
      summary: 'Revert the ledger to its start',
      tags,
      responses: {
        200: answer('The ledger has its initial state. The clock is not reverted.', standing),
        ...problems(400, 403, 409, 415, 503),
      },
    }),
    async (c) => {
      await control.reset();
      return c.json(standingOf(server), 200);
    },
  );
};

function shown({ snapshot, offset, time }: Snapshot): z.output<typeof taken> {
  return { snapshot, offset, time: Instant.format(time) };
}
