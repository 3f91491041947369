import type { AutomationDriver } from '../../network/automation-driver.js';
import type { Host } from '../../host/host.js';
import type { LedgerView } from '../../history/ledger-view.js';
import {
  describeFaults,
  Duration,
  parseCommand,
  stateHash,
  codec,
  Instant,
  type Command,
  type Context,
  type LedgerState,
  type Update,
} from '@coinlab/core';
import { openRoundsOf } from '@coinlab/core/views';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import { submit } from '../../gates/submit.js';
import { problemOf } from '../../gates/status.js';
import { wholeNumber } from '../../wire/query.js';
import { dateTime, partyId } from '../../wire/values.js';

const standing = z
  .object({
    offset: z.number().int(),
    time: z.string(),
    rounds: z.array(z.number().int()).describe('Open rounds, oldest first.'),
  })
  .openapi('DevStanding');
const snapshotName = z.object({ snapshot: z.number().int().positive() });
const tags = ['dev'];

/** Most rounds that one request advances: about a week. */
const MOST_ROUNDS = 1000;
const LONGEST_SECONDS = 366 * 86_400;
/** Most updates of one answer. */
const MOST_UPDATES = 1000;

/** What they need of a server. */
export interface ControlNeeds extends Pick<LedgerView, 'state' | 'history'> {
  readonly host: Host;
  readonly automation: AutomationDriver;
}

/** Time, snapshots, and acting as anybody. */
export const registerControl: Register<ControlNeeds> = (api, server) => {
  const genesis = server.state;
  const snapshots = new Map<number, LedgerState>();
  let taken = 0;
  /** What was taken later than a state that is gone back to never happened. */
  const forgetAfter = (snapshot: number): void => {
    for (const later of snapshots.keys()) if (later > snapshot) snapshots.delete(later);
  };

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/state',
      operationId: 'devState',
      summary: 'Get the offset, time and state hash',
      tags,
      responses: {
        200: answer(
          'The newest offset, the ledger time and the state hash.',
          standing.extend({ hash: z.string() }).openapi('DevState'),
        ),
      },
    }),
    (c) => c.json({ ...standingOf(server), hash: stateHash(server.state) }, 200),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/advance',
      operationId: 'devAdvance',
      summary: 'Advance the ledger time',
      tags,
      request: jsonBody(
        z
          .object({
            seconds: z.number().int().min(0).max(LONGEST_SECONDS).optional(),
            rounds: z.number().int().min(1).max(MOST_ROUNDS).optional(),
          })
          .refine(
            ({ seconds, rounds }) => (seconds === undefined) !== (rounds === undefined),
            'expected seconds or rounds',
          )
          .openapi('DevAdvanceRequest'),
      ),
      responses: {
        200: answer('The new ledger time. Automation has run at every due time in between.', standing),
        ...problems(400, 409),
      },
    }),
    async (c) => {
      const { seconds, rounds } = c.req.valid('json');
      if (rounds === undefined) await server.automation.advance(Duration.seconds(seconds ?? 0));
      else await advanceRounds(server, rounds);
      return c.json(standingOf(server), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/submit',
      operationId: 'devSubmit',
      summary: 'Submit a command as any party',
      tags,
      request: jsonBody(
        z
          .object({
            actAs: z.array(partyId),
            now: dateTime
              .optional()
              .describe('Ledger time of the command, which no clock needs to show. Left out: what the clock shows.'),
            command: z.record(z.string(), z.unknown()).describe('A command of the core in its JSON form.'),
          })
          .openapi('DevSubmitRequest'),
      ),
      responses: {
        200: answer('The update in the JSON form of the log.', z.record(z.string(), z.unknown()).openapi('DevUpdate')),
        ...problems(400, 404, 409),
      },
    }),
    async (c) => {
      const { actAs, now, command: json } = c.req.valid('json');
      const command = parseCommand(json);
      if (!command.ok) throw new Problem(400, describeFaults(command.error));
      const update = now
        ? await submitAt(server, command.value, { now, actAs })
        : await submit(server, command.value, ...actAs);
      return c.json(jsonOf(update), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/updates',
      operationId: 'devUpdates',
      summary: 'List updates',
      tags,
      request: { query: z.object({ after: wholeNumber(0).optional() }) },
      responses: {
        200: answer(
          `Updates after an offset (default 0) in the JSON form of the log, at most ${MOST_UPDATES}.`,
          z.object({ updates: z.array(z.record(z.string(), z.unknown())) }).openapi('DevUpdates'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const { after = 0 } = c.req.valid('query');
      const count = Math.max(0, Math.min(MOST_UPDATES, server.history.head - after));
      const updates = Array.from({ length: count }, (_, i) => server.history.updateAt(after + 1 + i));
      return c.json({ updates: updates.map(jsonOf) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/snapshot',
      operationId: 'devSnapshot',
      summary: 'Take a snapshot to revert to',
      tags,
      responses: {
        200: answer(
          'The snapshot id. It is valid until you revert to an earlier snapshot.',
          snapshotName.openapi('DevSnapshot'),
        ),
      },
    }),
    async (c) => {
      await server.host.settled();
      taken += 1;
      snapshots.set(taken, server.state);
      return c.json({ snapshot: taken }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/revert',
      operationId: 'devRevert',
      summary: 'Revert the ledger to a snapshot',
      tags,
      request: jsonBody(snapshotName.openapi('DevRevertRequest')),
      responses: {
        200: answer('The ledger has the state of the snapshot. The clock is not reverted.', standing),
        ...problems(400, 404, 409),
      },
    }),
    async (c) => {
      const { snapshot } = c.req.valid('json');
      const state = snapshots.get(snapshot);
      if (!state) throw new Problem(404, `no snapshot ${snapshot}`);
      await goBack(server, state);
      forgetAfter(snapshot);
      await server.automation.run(['frequent']);
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
        ...problems(409),
      },
    }),
    async (c) => {
      await goBack(server, genesis);
      forgetAfter(0);
      await server.automation.run(['frequent']);
      return c.json(standingOf(server), 200);
    },
  );
};

/** An update as the log has it. */
function jsonOf(update: Update): Record<string, unknown> {
  return JSON.parse(codec.encode(update));
}

/** Submits at a time of the caller's choosing; answers once it is in the log. */
async function submitAt({ host }: ControlNeeds, command: Command, context: Context): Promise<Update> {
  const decided = host.submitAhead(command, context);
  await host.settled();
  if (!decided.ok) throw problemOf({ by: 'ledger', rejection: decided.error });
  return decided.value.update;
}

function standingOf(server: ControlNeeds): z.output<typeof standing> {
  const state = server.state;
  const rounds = openRoundsOf(state).map(({ round }) => Number(round));
  return { offset: state.offset, time: Instant.format(server.host.now()), rounds };
}

/** Lets time pass, a tick at a time, until so many rounds have opened. */
async function advanceRounds(server: ControlNeeds, count: number): Promise<void> {
  const newest = (): number => openRoundsOf(server.state).at(-1)?.round ?? 0;
  const wanted = newest() + count;
  // A round that is bootstrapped lasts longer than a tick, others less than two.
  for (let ticks = 0; newest() < wanted; ticks++) {
    const tick = openRoundsOf(server.state).at(-1)?.tickDuration;
    if (tick === undefined || ticks > 2 * count + 10)
      throw new Problem(409, 'rounds do not advance: is automation.dso off?');
    await server.automation.advance(tick);
  }
}

async function goBack({ host }: ControlNeeds, state: LedgerState): Promise<void> {
  await host.settled();
  if (!host.replaceState(state))
    throw new Problem(409, 'a log that is kept does not forget: start the server without one');
}
