import { z } from '@hono/zod-openapi';
import type { Update } from '@coinlab/core';
import type { LedgerView } from '../history/ledger-view.js';
import { synchronizerOf } from './contract.js';
import type { EventFormat } from './event-format.js';
import {
  ledgerArchivedOf,
  ledgerArchivedSchema,
  ledgerCreatedOf,
  ledgerCreatedSchema,
  seenBy,
} from './ledger-events.js';
import { isOfNetwork } from './templates.js';
import { contractOnce, stateFor } from './transaction.js';
import { updateIdText } from './update-id.js';
import { rfc3339, timeText } from './values.js';

const ledgerEvent = z
  .union([z.object({ CreatedEvent: ledgerCreatedSchema }), z.object({ ArchivedEvent: ledgerArchivedSchema })])
  .openapi('LedgerEvent');

/** A transaction of the JSON Ledger API. Source: specification of the API, annex D. */
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

/** Like {@link submittedTransactionOf}. Returns null for a transaction without events. */
export function ledgerTransactionOf(update: Update, format: EventFormat, ledger: LedgerView): LedgerTransaction | null {
  const transaction = submittedTransactionOf(update, format, ledger);
  return transaction.events.length === 0 ? null : transaction;
}

/** Formats an update as its change of the active contracts that a format asks for: archived, then created contracts. */
export function submittedTransactionOf(update: Update, format: EventFormat, ledger: LedgerView): LedgerTransaction {
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

/** The ids of a submitted command are visible to its acting parties. */
function submissionOf(
  { created }: Update,
  { ofParty, ofAny }: EventFormat,
): Pick<LedgerTransaction, 'commandId' | 'workflowId'> {
  const submitted = created.find(({ template }) => template === 'SubmittedCommand');
  if (submitted?.template !== 'SubmittedCommand') return { commandId: '', workflowId: '' };
  const { actAs, commandId, workflowId } = submitted;
  return { commandId: ofAny || actAs.some((party) => ofParty.has(party)) ? commandId : '', workflowId };
}

function eventsOf(update: Update, format: EventFormat, ledger: LedgerView): LedgerEvent[] {
  const { offset, archived, created } = update;
  const events: LedgerEvent[] = [];
  for (const [nodeId, id] of archived.entries()) {
    const contract = contractOnce(id, ledger);
    const seen = contract && seenBy(format, contract, ledger.state);
    if (seen) events.push({ ArchivedEvent: ledgerArchivedOf(seen, { offset, nodeId }, ledger) });
  }
  for (const contract of created) {
    if (!isOfNetwork(contract)) continue;
    const state = stateFor(contract, update, ledger);
    const seen = seenBy(format, contract, state);
    if (seen) events.push({ CreatedEvent: ledgerCreatedOf(seen, state, ledger) });
  }
  return events;
}
