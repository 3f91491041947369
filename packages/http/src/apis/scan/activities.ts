import type { Update } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { LogFold } from '../../history/log-fold.js';
import { Problem, problems } from '../../problem.js';
import { answer, DEPRECATED, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { activitiesOf, activityFields, activityType, hasActivity, type Activity } from '../../wire/coin-activity.js';
import { updateIdOf } from '../../wire/update-id.js';

const PAGE_LIMIT = 1000;

const pageSize = z.number().int().min(1).max(PAGE_LIMIT);
const declared = { ...DEPRECATED, method: 'post' as const, tags: ['scan'] };
const transactionItem = z
  .object({ transaction_type: activityType, ...activityFields })
  .openapi('TransactionHistoryResponseItem');
const activityItem = z.object({ activity_type: activityType, ...activityFields }).openapi('ListActivityResponseItem');

export const registerScanActivities: Register<LedgerView> = (api, ledger) => {
  const active = ledger.own(() => new LogFold(ledger, () => new ActiveUpdates()));
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/transactions',
      operationId: 'listTransactionHistory',
      summary: 'List transactions (deprecated)',
      request: jsonBody(
        z
          .object({
            page_end_event_id: z
              .string()
              .optional()
              .describe('Event id of the last transaction of the previous page. Default: from the start.'),
            sort_order: z.enum(['asc', 'desc']).default('asc'),
            page_size: pageSize,
          })
          .openapi('TransactionHistoryRequest'),
      ),
      responses: {
        200: answer(
          'A page of transactions. An empty page ends the list.',
          z.object({ transactions: z.array(transactionItem) }).openapi('TransactionHistoryResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const { page_end_event_id = '', sort_order, page_size } = c.req.valid('json');
      const { offsets } = await active().current();
      const page = pageOf(ledger, sort_order === 'asc' ? offsets : offsets.toReversed(), page_end_event_id, page_size);
      return c.json({ transactions: page.map(({ type, body }) => ({ transaction_type: type, ...body })) }, 200);
    },
  );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/activities',
      operationId: 'listActivity',
      summary: 'List activities (deprecated)',
      request: jsonBody(
        z.object({ begin_after_id: z.string().optional(), page_size: pageSize }).openapi('ListActivityRequest'),
      ),
      responses: {
        200: answer(
          'A page of activities, newest first. An empty page ends the list.',
          z.object({ activities: z.array(activityItem) }).openapi('ListActivityResponse'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      const { begin_after_id = '', page_size } = c.req.valid('json');
      const { offsets } = await active().current();
      const page = pageOf(ledger, offsets.toReversed(), begin_after_id, page_size);
      return c.json({ activities: page.map(({ type, body }) => ({ activity_type: type, ...body })) }, 200);
    },
  );
};

class ActiveUpdates {
  readonly offsets: number[] = [];

  add(update: Update): void {
    if (hasActivity(update)) this.offsets.push(update.offset);
  }
}

function pageOf(ledger: LedgerView, offsets: readonly number[], afterId: string, size: number): readonly Activity[] {
  const isDescending = (offsets[0] ?? 0) > (offsets.at(-1) ?? 0);
  const read = (offset: number): readonly Activity[] => {
    const activities = activitiesOf(ledger.history.updateAt(offset), ledger);
    return isDescending ? activities.toReversed() : activities;
  };
  const page: Activity[] = [];
  let next = 0;
  if (afterId !== '') {
    const id = updateIdOf(/^#?([^:]*):/.exec(afterId)?.[1] ?? '');
    const at = offsets.indexOf((id === null ? null : ledger.history.offsetOf(id)) ?? -1);
    const activities = at < 0 ? [] : read(offsets[at] ?? 0);
    const last = activities.findIndex(({ body }) => body.event_id === afterId);
    if (last < 0) throw new Problem(404, `no activity ${afterId}`);
    page.push(...activities.slice(last + 1));
    next = at + 1;
  }
  for (; page.length < size && next < offsets.length; next++) page.push(...read(offsets[next] ?? 0));
  return page.slice(0, size);
}
