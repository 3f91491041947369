import { createRoute, z } from '@hono/zod-openapi';
import { setImmediate } from 'node:timers/promises';
import { settingsOf } from '@coinlab/core';
import type { Configured } from '../../config.js';
import { LedgerProblem } from '../../gates/ledger-errors.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { OffsetRange, PartyUpdates } from '../../history/party-updates.js';
import { Problem } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, DEPRECATED, jsonBody, printedJson, USER } from '../../route-parts.js';
import { eventFormatOf, transactionFilterSchema, type EventFormat } from '../../wire/event-format.js';
import { ledgerTransactionOf, ledgerTransactionSchema, type LedgerTransaction } from '../../wire/ledger-transaction.js';
import { LimitedList, listQuery, printedList, requireReadable, requireReached } from './lists.js';
import { LEDGER, ledgerProblems } from './route.js';
import { formatOfTransactions, transactionFormatSchema } from './transaction-format.js';

const offset = z.int().nonnegative();
const updateFormat = z
  .object({
    includeTransactions: transactionFormatSchema.nullish(),
    includeReassignments: z.unknown().optional(),
    includeTopologyEvents: z.unknown().optional(),
  })
  .openapi('UpdateFormat');
const request = z
  .object({
    beginExclusive: offset,
    endInclusive: offset.nullish(),
    updateFormat: updateFormat.nullish(),
    filter: transactionFilterSchema.nullish(),
    verbose: z.boolean().nullish(),
    descendingOrder: z.boolean().nullish(),
  })
  .openapi('GetUpdatesRequest');
const element = z
  .object({ update: z.object({ Transaction: z.object({ value: ledgerTransactionSchema }) }) })
  .openapi('JsGetUpdatesResponse');

type Request = z.output<typeof request>;

export type LedgerUpdatesNeeds = LedgerView & Configured<'limits'> & { readonly ofParties: PartyUpdates };

/** Updates as changes of the active contracts of parties. Source: specification of the API §8.3. */
export const registerLedgerUpdates: Register<LedgerUpdatesNeeds> = (api, server) => {
  for (const { path, operationId, declared } of [
    { path: '/v2/updates', operationId: 'postV2Updates', declared: {} },
    { path: '/v2/updates/flats', operationId: 'postV2UpdatesFlats', declared: DEPRECATED },
  ])
    api.openapi(
      createRoute({
        method: 'post',
        path,
        operationId,
        summary: 'List updates of parties',
        description:
          'Lists the updates that create or archive contracts of the parties, up to the ledger end. Costs in proportion to their number; ' +
          'for the DSO and for any party it reads every update.',
        ...LEDGER,
        ...declared,
        security: USER,
        request: { query: listQuery, ...jsonBody(request) },
        responses: {
          200: answer('The updates after `beginExclusive`, up to and including `endInclusive`.', z.array(element)),
          ...ledgerProblems(400, 401, 403, 413, 501),
        },
      }),
      async (c) => {
        const asked = c.req.valid('json');
        const format = formatOf(asked);
        if (!format) return printedJson(c, '[]');
        requireReadable(c, format);
        const list = new LimitedList<LedgerTransaction>(c.req.valid('query').limit, server);
        const transactions = await read(rangeOf(asked, server.state.offset), format, list, server);
        return printedList(c, transactions, (value) =>
          JSON.stringify({ update: { Transaction: { value } } } satisfies z.output<typeof element>),
        );
      },
    );
};

/** Returns null for a format without transactions: this ledger has no other updates. */
function formatOf({ updateFormat: format, filter }: Request): EventFormat | null {
  if (filter && !format) return eventFormatOf(filter, 'filter');
  if (!format || filter) throw new Problem(400, 'expected either updateFormat or filter, and not both');
  const transactions = format.includeTransactions;
  if (!transactions) return null;
  return formatOfTransactions(transactions, 'updateFormat.includeTransactions');
}

interface Range extends OffsetRange {
  readonly isDescending: boolean;
}

function rangeOf({ beginExclusive: begin, endInclusive, descendingOrder }: Request, ledgerEnd: number): Range {
  requireReached(begin, ledgerEnd, 'beginExclusive');
  const end = endInclusive ?? ledgerEnd;
  requireReached(end, ledgerEnd, 'endInclusive');
  if (begin > end)
    throw new LedgerProblem('OFFSET_OUT_OF_RANGE', `endInclusive: ${end} is before beginExclusive ${begin}`);
  return { begin, end, isDescending: descendingOrder ?? false };
}

/** Updates read before other requests have a turn: they take a few milliseconds. */
const AT_ONCE = 100;

async function read(
  range: Range,
  format: EventFormat,
  list: LimitedList<LedgerTransaction>,
  server: LedgerUpdatesNeeds,
): Promise<readonly LedgerTransaction[]> {
  let count = 0;
  for (const at of offsetsIn(range, format, server)) {
    if (list.isFull) break;
    const transaction = ledgerTransactionOf(server.history.updateAt(at), format, server);
    if (transaction) list.add(transaction);
    if (++count % AT_ONCE === 0) await setImmediate();
  }
  return list.items();
}

/** Offsets of the updates that may concern the parties of a format. */
function offsetsIn(range: Range, { ofParty, ofAny }: EventFormat, server: LedgerUpdatesNeeds): Iterable<number> {
  const { dso } = settingsOf(server.state);
  if (ofAny || ofParty.has(dso)) return allIn(range);
  const [first = [], ...others] = Array.from(ofParty.keys(), (party) => server.ofParties.offsetsOf(party, range));
  const offsets = others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b);
  return range.isDescending ? offsets.toReversed() : offsets;
}

function* allIn({ begin, end, isDescending }: Range): Generator<number, void, undefined> {
  for (let i = 0; i < end - begin; i++) yield isDescending ? end - i : begin + 1 + i;
}
