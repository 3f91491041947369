import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, DEPRECATED, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { transactionAt, transactionSchema, type WireTransaction } from '../../wire/transaction.js';
import { encodingField, offsetOfUpdate, offsetsAfter, pageFields, requireCompact } from '../../wire/update-page.js';

const transaction = transactionSchema.extend({ offset: z.string() }).openapi('UpdateHistoryTransaction');
const page = z.object({ transactions: z.array(transaction) }).openapi('UpdateHistoryResponse');
type OldTransaction = z.output<typeof transaction>;

const lossless = z.boolean().default(false).describe('Only false is supported.');
const declared = { ...DEPRECATED, tags: ['scan'] };
const named = z.object({ update_id: z.string() });

export const registerScanUpdatesDeprecated: Register<LedgerView> = (api, ledger) => {
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v1/updates',
      operationId: 'getUpdateHistoryV1',
      summary: 'List updates (deprecated)',
      request: jsonBody(
        z.object({ ...pageFields, daml_value_encoding: encodingField }).openapi('UpdateHistoryRequestV1'),
      ),
      responses: { 200: answer('A page of updates.', page), ...problems(400) },
    }),
    (c) => {
      const { daml_value_encoding, ...wanted } = c.req.valid('json');
      requireCompact(daml_value_encoding);
      return c.json({ transactions: offsetsAfter(ledger, wanted).map((offset) => withOffset(offset, ledger)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: '/v1/updates/{update_id}',
      operationId: 'getUpdateByIdV1',
      summary: 'Get an update by id (deprecated)',
      request: { params: named, query: z.object({ daml_value_encoding: encodingField }) },
      responses: { 200: answer('The update.', transaction), ...problems(400, 404) },
    }),
    (c) => {
      requireCompact(c.req.valid('query').daml_value_encoding);
      return c.json(withOffset(offsetOfUpdate(c.req.valid('param').update_id, ledger), ledger), 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/updates',
      operationId: 'getUpdateHistory',
      summary: 'List updates (deprecated)',
      request: jsonBody(z.object({ ...pageFields, lossless }).openapi('UpdateHistoryRequest')),
      responses: { 200: answer('A page of updates.', page), ...problems(400) },
    }),
    (c) => {
      const { lossless: isLossless, ...wanted } = c.req.valid('json');
      refuseLossless(isLossless);
      const transactions = offsetsAfter(ledger, wanted).map((offset) => withOldIds(withOffset(offset, ledger)));
      return c.json({ transactions }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      method: 'get',
      path: '/v0/updates/{update_id}',
      operationId: 'getUpdateById',
      summary: 'Get an update by id (deprecated)',
      request: { params: named, query: z.object({ lossless: z.enum(['true', 'false']).default('false') }) },
      responses: { 200: answer('The update.', transaction), ...problems(400, 404) },
    }),
    (c) => {
      refuseLossless(c.req.valid('query').lossless === 'true');
      return c.json(withOldIds(withOffset(offsetOfUpdate(c.req.valid('param').update_id, ledger), ledger)), 200);
    },
  );
};

function refuseLossless(wanted: boolean): void {
  if (wanted) throw new Problem(400, 'lossless: only false is supported');
}

function withOffset(offset: number, ledger: LedgerView): OldTransaction {
  return { ...transactionAt(offset, ledger), offset: String(offset) };
}

/** The first release has event ids `#UPDATEID:NODE`. Source: specification of the API §0.4. */
function withOldIds(transaction: OldTransaction): OldTransaction {
  const events: WireTransaction['events_by_id'] = {};
  for (const event of Object.values(transaction.events_by_id)) {
    const event_id = old(event.event_id);
    const children = event.event_type === 'exercised_event' ? { child_event_ids: event.child_event_ids.map(old) } : {};
    events[event_id] = { ...event, event_id, ...children };
  }
  return { ...transaction, root_event_ids: transaction.root_event_ids.map(old), events_by_id: events };
}

function old(eventId: string): string {
  return `#${eventId}`;
}
