import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { codec } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import type { Host } from '../../host/host.js';
import { problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { OPERATOR } from '../../route-parts.js';

/** Updates that are read before other requests run. Reading them takes a few milliseconds. */
const UPDATES_AT_ONCE = 100;

export type LogNeeds = Pick<LedgerView, 'history' | 'own'> & { readonly host: Pick<Host, 'onReplaced'> };

/** Updates contain the contracts of all parties, so only the operator may read the log. */
export const registerLog: Register<LogNeeds> = (api, { history, host, own }) => {
  const counts = own(() => {
    const count = { resets: 0 };
    host.onReplaced(() => (count.resets += 1));
    return count;
  });

  /** Throws when the ledger is reset meanwhile: the copy would mix two ledgers. */
  async function* updates(): AsyncGenerator<Uint8Array> {
    const { head } = history;
    const ofLedger = counts();
    const known = ofLedger.resets;
    const encoder = new TextEncoder();
    for (let first = 1; first <= head; first += UPDATES_AT_ONCE) {
      if (known !== ofLedger.resets) throw new Error('the ledger was reset while its log was copied');
      const count = Math.min(UPDATES_AT_ONCE, head - first + 1);
      const lines = Array.from({ length: count }, (_, i) => `${codec.encode(history.updateAt(first + i))}\n`);
      yield encoder.encode(lines.join(''));
      await setImmediate();
    }
  }

  api.openapi(
    createRoute({
      method: 'get',
      path: '/log',
      operationId: 'copyLog',
      summary: 'Get the log as JSON lines',
      description:
        'Every update that was acknowledged before the request, one per line, for `coinlab serve --from`. If a record is damaged or the ledger is reset, the transfer fails.',
      tags: ['common'],
      security: OPERATOR,
      responses: {
        200: {
          description: 'The updates as JSON lines, oldest first.',
          content: { 'text/x-ndjson': { schema: z.string() } },
        },
        ...problems(401, 403),
      },
    }),
    () => new Response(streamOf(updates()), { headers: { 'Content-Type': 'text/x-ndjson' } }),
  );
};

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    // The reader of the stream may run outside of the request, without its world.
    pull: AsyncResource.bind(async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    }),
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
