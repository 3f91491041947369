import type { ContractId, LedgerState, Update } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../app.js';
import { Problem, problems } from '../problem.js';
import { answer, jsonBody } from '../route-parts.js';
import { stateOf, type ServerContext } from '../server-context.js';
import { createdEventOf, createdEventSchema, eventIdOf } from '../wire/active-contract.js';
import { contractIdText } from '../wire/contract-id.js';
import { synchronizerOf } from '../wire/contract.js';
import { isOfNetwork, placeOf, templateIdOf, type NetworkContract } from '../wire/templates.js';
import { updateIdOf, updateIdText } from '../wire/update-id.js';
import { cidText, dateTime, foundOr404, rfc3339, timeText } from '../wire/values.js';
import { MIGRATION } from './scan-snapshots.js';

const PAGE_LIMIT = 1000;
const encoding = z.enum(['compact_json', 'protobuf_json']).default('compact_json');
const historyRequest = z
  .object({
    after: z.object({ after_migration_id: z.number().int(), after_record_time: dateTime }).optional(),
    page_size: z.number().int().min(1).max(PAGE_LIMIT),
    daml_value_encoding: encoding,
  })
  .openapi('UpdateHistoryRequestV2');
const exercisedEvent = z
  .object({
    event_type: z.literal('exercised_event'),
    event_id: z.string(),
    contract_id: cidText,
    template_id: z.string(),
    package_name: z.string(),
    choice: z.string(),
    choice_argument: z.record(z.string(), z.unknown()),
    child_event_ids: z.array(z.string()),
    exercise_result: z.record(z.string(), z.unknown()),
    consuming: z.boolean(),
    acting_parties: z.array(z.string()),
    interface_id: z.string().optional(),
  })
  .openapi('ExercisedEvent');
const treeEvent = z.discriminatedUnion('event_type', [createdEventSchema, exercisedEvent]).openapi('TreeEvent');
const transaction = z
  .object({
    update_id: z.string(),
    migration_id: z.number().int(),
    workflow_id: z.string(),
    record_time: timeText,
    synchronizer_id: z.string(),
    effective_at: timeText,
    root_event_ids: z.array(z.string()),
    events_by_id: z.record(z.string(), treeEvent),
    external_transaction_hash: z.string().optional(),
  })
  .openapi('UpdateHistoryTransactionV2');

/** Everything that has happened, oldest first. Source: specification of the API §4.3. Assumption: A-88. */
export const registerScanUpdates: Register = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/updates',
      operationId: 'getUpdateHistoryV2',
      tags: ['scan'],
      request: jsonBody(historyRequest),
      responses: {
        200: answer(
          'A page of updates.',
          z.object({ transactions: z.array(transaction) }).openapi('UpdateHistoryResponseV2'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const { after, page_size, daml_value_encoding } = c.req.valid('json');
      requireCompact(daml_value_encoding);
      const transactions = offsetsAfter(server, after, page_size).map((offset) => transactionAt(offset, server));
      return c.json({ transactions }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/updates/{update_id}',
      operationId: 'getUpdateByIdV2',
      tags: ['scan'],
      request: {
        params: z.object({ update_id: z.string() }),
        query: z.object({ daml_value_encoding: encoding }),
      },
      responses: { 200: answer('The update.', transaction), ...problems(400, 404) },
    }),
    (c) => {
      const { update_id } = c.req.valid('param');
      requireCompact(c.req.valid('query').daml_value_encoding);
      const id = updateIdOf(update_id);
      const offset = id === null ? null : server.history.offsetOf(id);
      const seen = offset !== null && offset <= stateOf(server).offset ? offset : null;
      return c.json(transactionAt(foundOr404(seen, 'update', update_id), server), 200);
    },
  );
};

function requireCompact(wanted: z.output<typeof encoding>): void {
  if (wanted !== 'compact_json') throw new Problem(400, 'daml_value_encoding: only compact_json is served');
}

/** The offsets of a page. */
function offsetsAfter(
  server: ServerContext,
  after: z.output<typeof historyRequest>['after'],
  pageSize: number,
): readonly number[] {
  const head = stateOf(server).offset;
  const migration = after?.after_migration_id ?? MIGRATION;
  if (migration > MIGRATION) return [];
  const from =
    after && migration === MIGRATION ? Math.min(server.history.recordedUntil(after.after_record_time), head) : 0;
  return Array.from({ length: Math.min(pageSize, head - from) }, (_, i) => from + 1 + i);
}

function transactionAt(offset: number, server: ServerContext): z.output<typeof transaction> {
  const { history } = server;
  const update = history.updateAt(offset);
  const events = eventsOf(update, server);
  const hash = update.created.find(({ template }) => template === 'ExecutedTransaction');
  return {
    update_id: updateIdText(update.updateId),
    migration_id: MIGRATION,
    workflow_id: update.kind,
    record_time: rfc3339(history.recordTimeAt(offset)),
    synchronizer_id: synchronizerOf(server),
    effective_at: rfc3339(update.recordTime),
    root_event_ids: events.map(({ event_id }) => event_id),
    events_by_id: Object.fromEntries(events.map((event) => [event.event_id, event])),
    ...(hash?.template === 'ExecutedTransaction' ? { external_transaction_hash: hash.hash } : {}),
  };
}

/** An update archives contracts and creates others; events are numbered in that order, records of ours left out. */
function eventsOf(update: Update, server: ServerContext): readonly z.output<typeof treeEvent>[] {
  const { updateId, archived, created } = update;
  const events: z.output<typeof treeEvent>[] = [];
  for (const [node, id] of archived.entries()) {
    const contract = createdContract(id, server);
    if (contract) events.push(archiveOf(contract, { updateId, node }, update, server));
  }
  for (const [i, contract] of created.entries()) {
    if (!isOfNetwork(contract)) continue;
    events.push(
      createdEventOf(contract, { updateId, node: archived.length + i }, ledgerFor(contract, update, server), server),
    );
  }
  return events;
}

/** The payload of a few templates says something of the ledger beside the contract: as of the update then. */
function ledgerFor({ template }: NetworkContract, { offset }: Update, server: ServerContext): LedgerState {
  const isAlone = template !== 'SubscriptionPayment' && template !== 'SvRewardState';
  return isAlone ? stateOf(server) : server.history.stateAt(offset);
}

function createdContract(id: ContractId, { created, history }: ServerContext): NetworkContract | null {
  const contract = history.updateAt(created.updateOf(id).offset).created.find((one) => one.id === id);
  return contract && isOfNetwork(contract) ? contract : null;
}

function archiveOf(
  contract: NetworkContract,
  event: { readonly updateId: string; readonly node: number },
  { actAs }: Update,
  server: ServerContext,
): z.output<typeof exercisedEvent> {
  return {
    event_type: 'exercised_event',
    event_id: eventIdOf(event),
    contract_id: contractIdText(contract, server),
    template_id: templateIdOf(contract),
    package_name: placeOf(contract).packageName,
    choice: 'Archive',
    choice_argument: {},
    child_event_ids: [],
    exercise_result: {},
    consuming: true,
    acting_parties: [...actAs],
  };
}
