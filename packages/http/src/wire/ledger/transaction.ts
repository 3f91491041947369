import { z } from '@hono/zod-openapi';
import type { Update } from '@coinlab/core';
import type { LedgerView } from '../../history/ledger-view.js';
import { synchronizerOf } from '../contract.js';
import type { EventFormat } from './event-format.js';
import {
  ledgerArchivedOf,
  ledgerArchivedSchema,
  ledgerCreatedOf,
  ledgerCreatedSchema,
  ledgerExercisedOf,
  ledgerExercisedSchema,
  seenBy,
} from './events.js';
import { submittedIn } from '../submitted-in.js';
import { stateFor } from '../transaction.js';
import { transactionTreeOf, type TreeNode } from '../transaction-tree.js';
import { updateIdText } from '../update-id.js';
import { rfc3339, timeText } from '../values.js';

const ledgerEvent = z
  .union([
    z.object({ CreatedEvent: ledgerCreatedSchema }),
    z.object({ ArchivedEvent: ledgerArchivedSchema }),
    z.object({ ExercisedEvent: ledgerExercisedSchema }),
  ])
  .openapi('LedgerEvent');

/** Source: specification of the API, annex D. */
export const ledgerTransactionSchema = z
  .object({
    updateId: z.string(),
    commandId: z.string(),
    workflowId: z.string(),
    effectiveAt: timeText,
    events: z.array(ledgerEvent),
    offset: z.int(),
    synchronizerId: z.string(),
    recordTime: timeText,
  })
  .openapi('JsTransaction');

type LedgerEvent = z.output<typeof ledgerEvent>;
export type LedgerTransaction = z.output<typeof ledgerTransactionSchema>;

export interface TransactionFormat extends EventFormat {
  /**
   * `ACS_DELTA`: the contracts that became active or archived, for stakeholders. `LEDGER_EFFECTS`: all events, for
   * witnesses.
   */
  readonly shape: 'ACS_DELTA' | 'LEDGER_EFFECTS';
}

export function ledgerTransactionOf(
  update: Update,
  format: TransactionFormat,
  ledger: LedgerView,
): LedgerTransaction | null {
  const transaction = submittedTransactionOf(update, format, ledger);
  return transaction.events.length === 0 ? null : transaction;
}

export function submittedTransactionOf(
  update: Update,
  format: TransactionFormat,
  ledger: LedgerView,
): LedgerTransaction {
  return {
    updateId: updateIdText(update.updateId),
    ...submissionOf(update, format),
    effectiveAt: rfc3339(update.recordTime),
    events: eventsOf(update, format, ledger),
    offset: update.offset,
    synchronizerId: synchronizerOf(ledger),
    recordTime: rfc3339(ledger.history.recordTimeAt(update.offset)),
  };
}

/** The command id is visible only to its acting parties. */
function submissionOf(
  { created }: Update,
  { ofParty, ofAny }: EventFormat,
): Pick<LedgerTransaction, 'commandId' | 'workflowId'> {
  const submitted = submittedIn(created);
  if (!submitted) return { commandId: '', workflowId: '' };
  const { actAs, commandId, workflowId } = submitted;
  return { commandId: ofAny || actAs.some((party) => ofParty.has(party)) ? commandId : '', workflowId };
}

function eventsOf(update: Update, format: TransactionFormat, ledger: LedgerView): LedgerEvent[] {
  const { nodes } = transactionTreeOf(update, ledger);
  const eventOf = format.shape === 'ACS_DELTA' ? changeOf : effectOf;
  return nodes.flatMap((node) => eventOf(node, update, format, ledger) ?? []);
}

function changeOf(node: TreeNode, update: Update, format: EventFormat, ledger: LedgerView): LedgerEvent | null {
  const { contract, nodeId } = node;
  if (node.isPassing || (node.kind === 'exercise' && !node.isConsuming)) return null;
  const state = stateFor(contract, update, ledger);
  const seen = seenBy(format, contract, state, node.stakeholders);
  if (!seen) return null;
  if (node.kind === 'create') return { CreatedEvent: ledgerCreatedOf(seen, state, ledger, { nodeId, acsDelta: true }) };
  return { ArchivedEvent: ledgerArchivedOf(seen, { offset: update.offset, nodeId }, ledger) };
}

function effectOf(node: TreeNode, update: Update, format: EventFormat, ledger: LedgerView): LedgerEvent | null {
  const { contract, nodeId, isPassing, stakeholders } = node;
  const state = stateFor(contract, update, ledger);
  const seen = seenBy(format, contract, state, node.witnesses);
  if (!seen) return null;
  const acsDelta = !isPassing && seen.witnesses.some((party) => stakeholders.has(party));
  if (node.kind === 'create') return { CreatedEvent: ledgerCreatedOf(seen, state, ledger, { nodeId, acsDelta }) };
  const { offset } = update;
  return {
    ExercisedEvent: ledgerExercisedOf(seen, node, { offset, acsDelta: acsDelta && node.isConsuming }, ledger),
  };
}
