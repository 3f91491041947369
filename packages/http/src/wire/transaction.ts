import { Amount, type ContractId, type Json, type LedgerState, type Update } from '@coinlab/core';
import { z } from '@hono/zod-openapi';
import { createdIn } from '../history/creation-index.js';
import type { LedgerView } from '../history/ledger-view.js';
import { createdEventOf, createdEventSchema, eventIdOf } from './active-contract.js';
import { contractIdText } from './contract-id.js';
import { synchronizerOf } from './contract.js';
import { isOfNetwork, placeOf, templateIdOf, type NetworkContract } from './templates.js';
import { interfaceOfChoice, transactionTreeOf, type TreeNode } from './transaction-tree.js';
import { updateIdText } from './update-id.js';
import { cidText, MIGRATION, rfc3339, timeText } from './values.js';

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
export const transactionSchema = z
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

export type WireTransaction = z.output<typeof transactionSchema>;

export function signedHashOf({ created }: Update): string | null {
  const executed = created.find(({ template }) => template === 'ExecutedTransaction');
  return executed?.template === 'ExecutedTransaction' ? executed.hash : null;
}

export function transactionAt(offset: number, ledger: LedgerView): WireTransaction {
  const { history } = ledger;
  const update = history.updateAt(offset);
  const { nodes, roots } = transactionTreeOf(update, ledger);
  const events = nodes.map((node) => eventOf(node, update, ledger));
  const hash = signedHashOf(update);
  return {
    update_id: updateIdText(update.updateId),
    migration_id: MIGRATION,
    workflow_id: update.kind,
    record_time: rfc3339(history.recordTimeAt(offset)),
    synchronizer_id: synchronizerOf(ledger),
    effective_at: rfc3339(update.recordTime),
    root_event_ids: roots.map((node) => eventIdOf({ updateId: update.updateId, node })),
    events_by_id: Object.fromEntries(events.map((event) => [event.event_id, event])),
    ...(hash === null ? {} : { external_transaction_hash: hash }),
  };
}

/** The payloads of two templates contain data of the ledger at the time of their update. */
export function stateFor(
  { template }: NetworkContract,
  { offset }: { readonly offset: number },
  ledger: LedgerView,
): LedgerState {
  const isAlone = template !== 'SubscriptionPayment' && template !== 'SvRewardState';
  return isAlone ? ledger.state : ledger.history.stateAt(offset);
}

export function contractOnce(id: ContractId, { created, history }: LedgerView): NetworkContract | null {
  const contract = createdIn(history.updateAt(created.offsetOf(id)), id);
  return contract && isOfNetwork(contract) ? contract : null;
}

function eventOf(node: TreeNode, update: Update, ledger: LedgerView): z.output<typeof treeEvent> {
  const { updateId } = update;
  const { contract, nodeId } = node;
  const event = { updateId, node: nodeId };
  if (node.kind === 'create') return createdEventOf(contract, event, stateFor(contract, update, ledger), ledger);
  const interfaceId = interfaceOfChoice(node);
  return {
    event_type: 'exercised_event',
    event_id: eventIdOf(event),
    contract_id: contractIdText(contract, ledger),
    template_id: templateIdOf(contract),
    package_name: placeOf(contract).packageName,
    choice: node.choice,
    choice_argument: compact(node.argument),
    child_event_ids: node.children.map((child) => eventIdOf({ updateId, node: child })),
    exercise_result: compact(node.result),
    consuming: node.isConsuming,
    acting_parties: [...node.acting],
    ...(interfaceId === null ? {} : { interface_id: interfaceId }),
  };
}

type JsonObject = { readonly [key: string]: Json };

const TEN_DIGITS = /^-?\d+\.\d{10}$/;

/** Metadata are texts and stay as they are. Source: specification of the API §9.2. */
function compact(value: JsonObject): JsonObject;
function compact(value: Json): Json;
function compact(value: Json): Json {
  if (typeof value === 'string') return TEN_DIGITS.test(value) ? Amount.short(Amount.of(value)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(compact);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, Json]) => [key, key === 'meta' ? each : compact(each)]),
  );
}
