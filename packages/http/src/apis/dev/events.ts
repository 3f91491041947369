import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { Problem, problems } from '../../problem.js';
import { wholeNumber } from '../../wire/query.js';
import { changes } from './ledger-changes.js';
import { parsePosition, updateStream, type StreamSource } from './update-stream.js';

/** Shorter than the idle timeouts of common proxies. */
const HEARTBEAT_SECONDS = 15;
const MILLIS = 1000;

const CONTROL = /\/dev\/(?:snapshots?|revert|reset|advance|forks?|automation|faults)(?:\/[^/]*)?$/;

const position = z
  .string()
  .refine((text) => parsePosition(text) !== null, 'expected the id of an event, such as 45')
  .openapi({ example: '45' });

export type EventsNeeds = StreamSource &
  Pick<LedgerView, 'own'> & {
    readonly onFault: (what: string, error: unknown) => void;
  };

export const registerEvents: Register<EventsNeeds> = (api, server) => {
  const streams = server.own(() => updateStream(server));
  api.openAPIRegistry.register('DevChanges', changes);

  // The controls are no updates, but other tabs show them.
  api.use('/dev/*', async (c, next) => {
    await next();
    if (c.req.method !== 'GET' && c.res.ok && CONTROL.test(c.req.path)) streams().controlled();
  });

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/events',
      operationId: 'devEvents',
      summary: 'Stream updates as server-sent events',
      tags: ['dev'],
      description:
        'Sends every update after `from` in the JSON form of the log, then each new update as it happens. The id of an event is its offset. ' +
        'An event `reset` reports that the ledger was reverted to its offset, and an event `refusal` has a refused request as in `/dev/refusals`. ' +
        'With `changes` an event `changes` of the form `DevChanges` follows the updates, at most four times a second: affected parties with their balances and affected templates, so that a page knows what to draw again. A comment line `:` is sent as heartbeat.',
      request: {
        query: z.object({
          from: position
            .optional()
            .describe(
              'Id of the last event that the caller received; 0 starts at the first update. Default: only new updates.',
            ),
          changes: wholeNumber(0)
            .optional()
            .describe(
              'Offset up to which the caller has everything: later changes are sent as events `changes`. Default: no such events.',
            ),
          heartbeat: z.coerce
            .number()
            .min(0.05)
            .max(300)
            .default(HEARTBEAT_SECONDS)
            .describe('Seconds without an event until a heartbeat is sent.'),
        }),
        headers: z.object({
          'last-event-id': z.string().optional().describe('Like `from`; takes precedence over it.'),
        }),
      },
      responses: {
        200: { description: 'The stream of updates.', content: { 'text/event-stream': { schema: z.string() } } },
        ...problems(400, 403, 415, 503),
      },
    }),
    async (c) => {
      const { from, heartbeat, changes: changesAfter = null } = c.req.valid('query');
      const stream = streams();
      const last = c.req.valid('header')['last-event-id'] ?? from;
      const start = last === undefined ? { offset: server.history.head, resets: stream.resets } : parsePosition(last);
      if (!start) throw new Problem(400, 'Last-Event-ID: expected the id of an event, such as 45');
      if (server.ending.aborted) throw new Problem(503, 'the server is shutting down');
      const { streamSSE } = await import('hono/streaming');
      const gone = new AbortController();
      const report = async (error: Error): Promise<void> => server.onFault('GET /dev/events', error);
      return streamSSE(
        c,
        async (sent) => {
          sent.onAbort(() => gone.abort());
          // Some clients report the connection as open only after the first bytes.
          await sent.write(':\n\n');
          for await (const event of stream.after(start, {
            gone: gone.signal,
            quietMillis: heartbeat * MILLIS,
            changesAfter,
          })) {
            if (event.type === 'quiet') await sent.write(':\n\n');
            else if (event.type === 'updates')
              await sent.write(event.updates.map(({ id, line }) => `data: ${line}\nid: ${id}\n\n`).join(''));
            else if (event.type === 'refusals')
              await sent.write(
                event.refusals.map((one) => `event: refusal\ndata: ${JSON.stringify(one)}\n\n`).join(''),
              );
            else if (event.type === 'changes')
              await sent.writeSSE({ event: 'changes', data: JSON.stringify(event.changes) });
            else await sent.writeSSE({ event: 'reset', id: event.id, data: JSON.stringify({ offset: event.offset }) });
          }
        },
        report,
      );
    },
  );
};
