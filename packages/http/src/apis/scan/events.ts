import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { transactionAt, transactionSchema } from '../../wire/transaction.js';
import { encodingField, offsetOfUpdate, offsetsAfter, pageFields, requireCompact } from '../../wire/update-page.js';

const event = z.object({ update: transactionSchema }).openapi('EventHistoryItem');

/** The simulation has no mediators, so the events have no verdicts. Source: specification of the API §4.3. Assumption: A-88. */
export const registerScanEvents: Register<LedgerView> = (api, ledger) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/events',
      operationId: 'getEventHistory',
      summary: 'List updates and verdicts',
      tags: ['scan'],
      request: jsonBody(z.object({ ...pageFields, daml_value_encoding: encodingField }).openapi('EventHistoryRequest')),
      responses: {
        200: answer('A page of updates.', z.object({ events: z.array(event) }).openapi('EventHistoryResponse')),
        ...problems(400),
      },
    }),
    (c) => {
      const { daml_value_encoding, ...page } = c.req.valid('json');
      requireCompact(daml_value_encoding);
      return c.json({ events: offsetsAfter(ledger, page).map((offset) => eventAt(offset, ledger)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/events/{update_id}',
      operationId: 'getEventById',
      summary: 'Get an update and its verdict',
      tags: ['scan'],
      request: {
        params: z.object({ update_id: z.string() }),
        query: z.object({ daml_value_encoding: encodingField }),
      },
      responses: { 200: answer('The update.', event), ...problems(400, 404) },
    }),
    (c) => {
      requireCompact(c.req.valid('query').daml_value_encoding);
      return c.json(eventAt(offsetOfUpdate(c.req.valid('param').update_id, ledger), ledger), 200);
    },
  );
};

function eventAt(offset: number, ledger: LedgerView): z.output<typeof event> {
  return { update: transactionAt(offset, ledger) };
}
