import { createHash } from 'node:crypto';
import type { AutomationDriver } from '../../network/automation-driver.js';
import type { DevControl } from '../../network/dev-control.js';
import type { Host } from '../../host/host.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { Duration, parseCommand, stateHash, codec, type Command, type Submitted, type Update } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, jsonBody, printedJson } from '../../route-parts.js';
import { devProblems, malformedCommand, refusedCommand } from './refusals.js';
import { standing, standingOf } from './standing.js';
import { wholeNumber } from '../../wire/query.js';
import { dateTime, partyId } from '../../wire/values.js';

const submission = z
  .object({
    actAs: z.array(partyId),
    now: dateTime
      .optional()
      .describe(
        'Ledger time of the command; it may differ from the clock. A later time opens the rounds that it would skip. Default: the time on the clock.',
      ),
    command: z.record(z.string(), z.unknown()).describe('A command in its JSON form.'),
  })
  .openapi('DevSubmitRequest');
const update = z.record(z.string(), z.unknown()).openapi('DevUpdate');
const tags = ['dev'];

/** About a week of rounds of ten minutes. */
const MOST_ROUNDS = 1000;
const LONGEST_SECONDS = 366 * 86_400;
const MOST_UPDATES = 1000;

export interface ControlNeeds extends Pick<LedgerView, 'state' | 'history'> {
  readonly host: Host;
  readonly automation: AutomationDriver;
  readonly control: DevControl;
}

export const registerControl: Register<ControlNeeds> = (api, server) => {
  const { control } = server;

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
        ...problems(400, 403, 415),
      },
    }),
    (c) => c.json({ ...standingOf(server), hash: stateHash(server.state, createHash('sha256')) }, 200),
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
        ...problems(400, 403, 409, 415),
      },
    }),
    async (c) => {
      const { seconds, rounds } = c.req.valid('json');
      if (rounds === undefined) await server.automation.advance(Duration.seconds(seconds ?? 0));
      else await control.advanceRounds(rounds);
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
      request: jsonBody(submission),
      responses: {
        200: answer('The update in the JSON form of the log.', update),
        ...devProblems(400, 403, 404, 409, 415, 429),
      },
    }),
    async (c) => {
      const { actAs, now, command } = c.req.valid('json');
      return c.json(updateOrThrow(await control.submit(commandOf(command), actAs, now)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/check',
      operationId: 'devCheck',
      summary: 'Check a command without executing it',
      tags,
      request: jsonBody(submission),
      responses: {
        200: answer('The update that the command would become now. The ledger is unchanged.', update),
        ...devProblems(400, 403, 404, 409, 415, 429),
      },
    }),
    (c) => {
      const { actAs, now, command } = c.req.valid('json');
      return c.json(updateOrThrow(control.check(commandOf(command), actAs, now)), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/updates',
      operationId: 'devUpdates',
      summary: 'List updates',
      tags,
      request: {
        query: z.object({
          from: wholeNumber(0).optional().describe('Offset of the last update that the caller received. Default: 0.'),
          limit: wholeNumber(1, MOST_UPDATES).optional().describe(`Most updates to return. Default: ${MOST_UPDATES}.`),
        }),
      },
      responses: {
        200: answer(
          'Updates after an offset in the JSON form of the log, oldest first.',
          z.object({ updates: z.array(z.record(z.string(), z.unknown())) }).openapi('DevUpdates'),
        ),
        ...problems(400, 403, 415),
      },
    }),
    (c) => {
      const { from = 0, limit = MOST_UPDATES } = c.req.valid('query');
      const count = Math.max(0, Math.min(limit, server.history.head - from));
      const lines = Array.from({ length: count }, (_, i) => server.history.lineAt(from + 1 + i));
      return printedJson(c, `{"updates":[${lines.join(',')}]}`);
    },
  );
};

function commandOf(json: unknown): Command {
  const command = parseCommand(json);
  if (!command.ok) throw malformedCommand(command.error);
  return command.value;
}

function updateOrThrow(answer: Submitted): Record<string, unknown> {
  if (!answer.ok) throw refusedCommand(answer.error);
  return jsonOf(answer.value.update);
}

function jsonOf(update: Update): Record<string, unknown> {
  return JSON.parse(codec.encode(update));
}
