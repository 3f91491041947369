import type { Context } from 'hono';
import { createRoute, z } from '@hono/zod-openapi';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import type { LedgerView } from '../../../history/ledger-view.js';
import { Problem } from '../../../problem.js';
import type { Register } from '../../../request.js';
import { answer, DEPRECATED, jsonBody, USER } from '../../../route-parts.js';
import {
  ledgerTransactionOf,
  ledgerTransactionSchema,
  type LedgerTransaction,
  type TransactionFormat,
} from '../../../wire/ledger/transaction.js';
import { ledgerTreeOf, ledgerTreeSchema } from '../../../wire/ledger/trees.js';
import { updateIdOf } from '../../../wire/update-id.js';
import { requireReadable } from '../lists.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { formatOfTransactions, transactionFormatSchema } from '../transaction-format.js';
import { formatOfParties, formatOfUpdates, updateFormatSchema } from './format.js';
import { updateElement } from './updates.js';

const byId = { updateId: z.string() };
const byOffset = { offset: z.int().positive() };
const parties = z.union([z.string().transform((party) => [party]), z.array(z.string())]);
const older = {
  requestingParties: z.array(z.string()).nullish(),
  transactionFormat: transactionFormatSchema.nullish(),
};
const found = z
  .object({ update: z.object({ Transaction: z.object({ value: ledgerTransactionSchema }) }) })
  .openapi('JsGetUpdateResponse');
const foundTransaction = z.object({ transaction: ledgerTransactionSchema }).openapi('JsGetTransactionResponse');
const foundTree = z.object({ transaction: ledgerTreeSchema }).openapi('JsGetTransactionTreeResponse');

/** Source: specification of the API §8.3; the OpenAPI document of Canton 3.4. */
export const registerUpdateLookups: Register<LedgerView> = (api, server) => {
  const ways = [
    {
      by: 'id',
      schema: z.object({ ...byId, updateFormat: updateFormatSchema }).openapi('GetUpdateByIdRequest'),
      old: z.object({ ...byId, ...older }).openapi('GetTransactionByIdRequest'),
    },
    {
      by: 'offset',
      schema: z.object({ ...byOffset, updateFormat: updateFormatSchema }).openapi('GetUpdateByOffsetRequest'),
      old: z.object({ ...byOffset, ...older }).openapi('GetTransactionByOffsetRequest'),
    },
  ] as const;
  for (const { by, schema, old } of ways) {
    api.openapi(
      createRoute({
        method: 'post',
        path: `/v2/updates/update-by-${by}`,
        operationId: `postV2UpdatesUpdate-by-${by}`,
        summary: `Get an update by ${by}`,
        ...LEDGER,
        security: USER,
        request: jsonBody(schema),
        responses: { 200: answer('The update.', found), ...ledgerProblems(400, 401, 403, 404) },
      }),
      (c) => {
        const { updateFormat, ...place } = c.req.valid('json');
        const format = formatOfUpdates(updateFormat);
        return c.json(updateElement(transactionOf(c, place, format, server)), 200);
      },
    );
    api.openapi(
      createRoute({
        method: 'post',
        path: `/v2/updates/transaction-by-${by}`,
        operationId: `postV2UpdatesTransaction-by-${by}`,
        summary: `Get a transaction by ${by}`,
        ...LEDGER,
        ...DEPRECATED,
        security: USER,
        request: jsonBody(old),
        responses: { 200: answer('The transaction.', foundTransaction), ...ledgerProblems(400, 401, 403, 404) },
      }),
      (c) => {
        const { requestingParties, transactionFormat, ...place } = c.req.valid('json');
        if (transactionFormat && requestingParties?.length)
          throw new Problem(400, 'expected either transactionFormat or requestingParties, and not both');
        const format = transactionFormat
          ? formatOfTransactions(transactionFormat, 'transactionFormat')
          : formatOfParties(requestingParties ?? [], 'requestingParties', 'ACS_DELTA');
        return c.json({ transaction: transactionOf(c, place, format, server) }, 200);
      },
    );
  }
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/updates/transaction-tree-by-id/{update-id}',
      operationId: 'getV2UpdatesTransaction-tree-by-idUpdate-id',
      summary: 'Get a transaction tree by id',
      ...LEDGER,
      ...DEPRECATED,
      security: USER,
      request: { params: z.object({ 'update-id': z.string() }), query: z.object({ parties }) },
      responses: { 200: answer('The transaction as a tree.', foundTree), ...ledgerProblems(400, 401, 403, 404) },
    }),
    (c) => {
      const place = { updateId: c.req.valid('param')['update-id'] };
      const format = formatOfParties(c.req.valid('query').parties, 'parties', 'LEDGER_EFFECTS');
      return c.json({ transaction: ledgerTreeOf(transactionOf(c, place, format, server)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/updates/transaction-tree-by-offset/{offset}',
      operationId: 'getV2UpdatesTransaction-tree-by-offsetOffset',
      summary: 'Get a transaction tree by offset',
      ...LEDGER,
      ...DEPRECATED,
      security: USER,
      request: { params: z.object({ offset: z.coerce.number().int().positive() }), query: z.object({ parties }) },
      responses: { 200: answer('The transaction as a tree.', foundTree), ...ledgerProblems(400, 401, 403, 404) },
    }),
    (c) => {
      const format = formatOfParties(c.req.valid('query').parties, 'parties', 'LEDGER_EFFECTS');
      return c.json({ transaction: ledgerTreeOf(transactionOf(c, c.req.valid('param'), format, server)) }, 200);
    },
  );
};

type Place = { readonly updateId: string } | { readonly offset: number };

function transactionOf(
  c: Context,
  place: Place,
  format: TransactionFormat | null,
  server: LedgerView,
): LedgerTransaction {
  if (format) requireReadable(c, format);
  const { history, state } = server;
  const at = 'offset' in place ? place.offset : offsetOf(place.updateId, server);
  const isKnown = at !== null && at <= state.offset;
  const transaction = isKnown && format ? ledgerTransactionOf(history.updateAt(at), format, server) : null;
  if (transaction) return transaction;
  const [field, value] = 'offset' in place ? ['offset', String(place.offset)] : ['updateId', place.updateId];
  throw new LedgerProblem('UPDATE_NOT_FOUND', `${field}: ${value} is no update that the parties of the format see`, {
    resources: 'updateId' in place ? [['UPDATE_ID', value]] : [['OFFSET', value]],
  });
}

function offsetOf(text: string, { history }: LedgerView): number | null {
  const id = updateIdOf(text);
  return id === null ? null : history.offsetOf(id);
}
