import type { LedgerView } from '../../history/ledger-view.js';
import type { Update } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { LogFold } from '../../history/log-fold.js';
import { problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import { signedHashOf, transactionAt, transactionSchema } from '../../wire/transaction.js';
import { encodingField, offsetOfUpdate, offsetsAfter, pageFields, requireCompact } from '../../wire/update-page.js';
import { foundOr404 } from '../../wire/values.js';

const historyRequest = z
  .object({ ...pageFields, daml_value_encoding: encodingField })
  .openapi('UpdateHistoryRequestV2');
const encoded = z.object({ daml_value_encoding: encodingField });

export const registerScanUpdates: Register<LedgerView> = (api, ledger) => {
  const hashes = ledger.own(() => new LogFold(ledger, () => new SignedHashes()));
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/updates',
      operationId: 'getUpdateHistoryV2',
      summary: 'List updates',
      tags: ['scan'],
      request: jsonBody(historyRequest),
      responses: {
        200: answer(
          'A page of updates.',
          z.object({ transactions: z.array(transactionSchema) }).openapi('UpdateHistoryResponseV2'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const { daml_value_encoding, ...page } = c.req.valid('json');
      requireCompact(daml_value_encoding);
      return c.json({ transactions: offsetsAfter(ledger, page).map((offset) => transactionAt(offset, ledger)) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/updates/{update_id}',
      operationId: 'getUpdateByIdV2',
      summary: 'Get an update by id',
      tags: ['scan'],
      request: { params: z.object({ update_id: z.string() }), query: encoded },
      responses: { 200: answer('The update.', transactionSchema), ...problems(400, 404) },
    }),
    (c) => {
      requireCompact(c.req.valid('query').daml_value_encoding);
      return c.json(transactionAt(offsetOfUpdate(c.req.valid('param').update_id, ledger), ledger), 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/updates/hash/{hash}',
      operationId: 'getUpdateByHash',
      summary: 'Get a signed update by its hash',
      tags: ['scan'],
      request: { params: z.object({ hash: z.string() }), query: encoded },
      responses: {
        200: answer(
          'The update that an external party authorised by signing this hash.',
          transactionSchema.required({ external_transaction_hash: true }).openapi('UpdateHistoryTransactionV2WithHash'),
        ),
        ...problems(400, 404),
      },
    }),
    async (c) => {
      requireCompact(c.req.valid('query').daml_value_encoding);
      const { hash } = c.req.valid('param');
      const offset = foundOr404((await hashes().current()).offsetOf(hash), 'update of the hash', hash);
      const { external_transaction_hash = hash, ...transaction } = transactionAt(offset, ledger);
      return c.json({ ...transaction, external_transaction_hash }, 200);
    },
  );
};

class SignedHashes {
  readonly #offsets: Map<string, number> = new Map();

  add(update: Update): void {
    const hash = signedHashOf(update);
    if (hash !== null) this.#offsets.set(hash, update.offset);
  }

  offsetOf(hash: string): number | null {
    return this.#offsets.get(hash) ?? null;
  }
}
