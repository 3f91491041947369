import { createRoute, z } from '@hono/zod-openapi';
import type { Configured } from '../../../config.js';
import type { Register } from '../../../request.js';
import { answer, DEPRECATED, jsonBody, printedJson, USER } from '../../../route-parts.js';
import { ledgerTransactionSchema, type LedgerTransaction } from '../../../wire/ledger/transaction.js';
import { ledgerTreeOf, ledgerTreeSchema } from '../../../wire/ledger/trees.js';
import { LimitedList, listQuery, printedList, requireReadable } from '../lists.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { formatOfList, formatOfTrees, updatesRequestSchema } from './format.js';
import { rangeOf, transactionsIn, type UpdatesNeeds } from './range.js';

const element = z
  .object({ update: z.object({ Transaction: z.object({ value: ledgerTransactionSchema }) }) })
  .openapi('JsGetUpdatesResponse');
const treeElement = z
  .object({ update: z.object({ TransactionTree: z.object({ value: ledgerTreeSchema }) }) })
  .openapi('JsGetUpdateTreesResponse');

export type LedgerUpdatesNeeds = UpdatesNeeds & Configured<'limits'>;

export function updateElement(value: LedgerTransaction): z.output<typeof element> {
  return { update: { Transaction: { value } } };
}

export function treeElementOf(transaction: LedgerTransaction): z.output<typeof treeElement> {
  return { update: { TransactionTree: { value: ledgerTreeOf(transaction) } } };
}

const COST =
  'Response time grows with the number of updates of the parties; for the DSO and for any party it reads every update. The shape ' +
  '`TRANSACTION_SHAPE_ACS_DELTA` has the created and archived contracts of stakeholders, `TRANSACTION_SHAPE_LEDGER_EFFECTS` all events that ' +
  'the parties witness, with exercises.';

/** Source: specification of the API §8.3. */
export const registerLedgerUpdates: Register<LedgerUpdatesNeeds> = (api, server) => {
  const lists = [
    { path: '/v2/updates', operationId: 'postV2Updates', declared: {}, elements: element, formatOf: formatOfList },
    {
      path: '/v2/updates/flats',
      operationId: 'postV2UpdatesFlats',
      declared: DEPRECATED,
      elements: element,
      formatOf: formatOfList,
    },
    {
      path: '/v2/updates/trees',
      operationId: 'postV2UpdatesTrees',
      declared: DEPRECATED,
      elements: treeElement,
      formatOf: formatOfTrees,
    },
  ] as const;
  for (const { path, operationId, declared, elements, formatOf } of lists) {
    const print = elements === element ? updateElement : treeElementOf;
    api.openapi(
      createRoute({
        method: 'post',
        path,
        operationId,
        summary: elements === element ? 'List updates of parties' : 'List transaction trees of parties',
        description: `Lists updates up to the ledger end. ${COST}`,
        ...LEDGER,
        ...declared,
        security: USER,
        request: { query: listQuery, ...jsonBody(updatesRequestSchema) },
        responses: {
          200: answer('The updates after `beginExclusive`, up to and including `endInclusive`.', z.array(elements)),
          ...ledgerProblems(400, 401, 403, 409, 413),
        },
      }),
      async (c) => {
        const asked = c.req.valid('json');
        const format = formatOf(asked);
        if (!format) return printedJson(c, '[]');
        requireReadable(c, format);
        const { beginExclusive: begin, endInclusive: end, descendingOrder: isDescending } = asked;
        const range = rangeOf({ begin, end, isDescending }, server.state.offset);
        // Texts, not objects: the garbage collector would copy the objects of a long list.
        const list = new LimitedList<string>(c.req.valid('query').limit, server);
        for await (const transaction of transactionsIn(range, format, server)) {
          if (list.isFull) break;
          list.add(JSON.stringify(print(transaction)));
        }
        return printedList(c, list.items());
      },
    );
  }
};
