import type { ContractId, LedgerState, Update } from '@coinlab/core';
import { z } from '@hono/zod-openapi';
import type { LedgerView } from '../history/ledger-view.js';
import { createdEventOf, createdEventSchema, eventIdOf } from './active-contract.js';
import { contractIdText } from './contract-id.js';
import { synchronizerOf } from './contract.js';
import { isOfNetwork, placeOf, templateIdOf, type NetworkContract } from './templates.js';
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
  const events = eventsOf(update, ledger);
  const hash = signedHashOf(update);
  return {
    update_id: updateIdText(update.updateId),
    migration_id: MIGRATION,
    workflow_id: update.kind,
    record_time: rfc3339(history.recordTimeAt(offset)),
    synchronizer_id: synchronizerOf(ledger),
    effective_at: rfc3339(update.recordTime),
    root_event_ids: events.map(({ event_id }) => event_id),
    events_by_id: Object.fromEntries(events.map((event) => [event.event_id, event])),
    ...(hash === null ? {} : { external_transaction_hash: hash }),
  };
}

function eventsOf(update: Update, ledger: LedgerView): readonly z.output<typeof treeEvent>[] {
  const { updateId, archived, created } = update;
  const events: z.output<typeof treeEvent>[] = [];
  for (const [node, id] of archived.entries()) {
    const contract = contractOnce(id, ledger);
    if (contract) events.push(archiveOf(contract, { updateId, node }, update, ledger));
  }
  for (const contract of created) {
    if (!isOfNetwork(contract)) continue;
    const node = ledger.created.nodeOf(contract.id);
    events.push(createdEventOf(contract, { updateId, node }, stateFor(contract, update, ledger), ledger));
  }
  return events;
}

/** Two templates have payloads with data of the ledger as of their update. */
export function stateFor({ template }: NetworkContract, { offset }: Update, ledger: LedgerView): LedgerState {
  const isAlone = template !== 'SubscriptionPayment' && template !== 'SvRewardState';
  return isAlone ? ledger.state : ledger.history.stateAt(offset);
}

export function contractOnce(id: ContractId, { created, history }: LedgerView): NetworkContract | null {
  const contract = history.updateAt(created.offsetOf(id)).created.find((one) => one.id === id);
  return contract && isOfNetwork(contract) ? contract : null;
}

function archiveOf(
  contract: NetworkContract,
  event: { readonly updateId: string; readonly node: number },
  { actAs }: Update,
  ledger: LedgerView,
): z.output<typeof exercisedEvent> {
  return {
    event_type: 'exercised_event',
    event_id: eventIdOf(event),
    contract_id: contractIdText(contract, ledger),
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
