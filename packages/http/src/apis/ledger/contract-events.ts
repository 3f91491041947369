import { createRoute, z } from '@hono/zod-openapi';
import { ContractId, PartyId } from '@coinlab/core';
import { callerOf } from '../../gates/caller.js';
import { LedgerProblem } from '../../gates/ledger/errors.js';
import { requireReadAs, requireReadAsAny, rightsOf } from '../../gates/ledger/rights.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { Problem } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody, USER } from '../../route-parts.js';
import { synchronizerOf } from '../../wire/contract.js';
import { eventFormatOf, eventFormatSchema, type EventFormat } from '../../wire/ledger/event-format.js';
import {
  ledgerArchivedOf,
  ledgerArchivedSchema,
  ledgerCreatedOf,
  ledgerCreatedSchema,
  seenBy,
  type LedgerArchived,
  type SeenContract,
} from '../../wire/ledger/events.js';
import { stateFor, contractOnce } from '../../wire/transaction.js';
import { transactionTreeOf } from '../../wire/transaction-tree.js';
import { requireReadable } from './lists.js';
import { LEDGER, ledgerProblems } from './route.js';

const eventsRequest = z
  .object({ contractId: z.string(), eventFormat: eventFormatSchema })
  .openapi('GetEventsByContractIdRequest');
const synchronizerId = z.string();
const events = z
  .object({
    created: z.object({ createdEvent: ledgerCreatedSchema, synchronizerId }).openapi('JsCreated'),
    archived: z.object({ archivedEvent: ledgerArchivedSchema, synchronizerId }).openapi('JsArchived').optional(),
  })
  .openapi('JsGetEventsByContractIdResponse');
const contractRequest = z
  .object({ contractId: z.string(), queryingParties: z.array(z.string()).nullish() })
  .openapi('GetContractRequest');
const contract = z.object({ createdEvent: ledgerCreatedSchema }).openapi('GetContractResponse');

/** Source: specification of the API §8.3. */
export const registerContractEvents: Register<LedgerView> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/events/events-by-contract-id',
      operationId: 'postV2EventsEvents-by-contract-id',
      summary: 'Get the events of a contract',
      description: 'Reads the updates that created and archived the contract, not the log between them.',
      ...LEDGER,
      security: USER,
      request: jsonBody(eventsRequest),
      responses: {
        200: answer('The creation of the contract, and its archival if there is one.', events),
        ...ledgerProblems(400, 401, 403, 404),
      },
    }),
    (c) => {
      const { contractId, eventFormat } = c.req.valid('json');
      const format = eventFormatOf(eventFormat, 'eventFormat');
      requireReadable(c, format);
      const seen = seenOnce(contractId, format, server);
      if (!seen)
        throw new LedgerProblem(
          'CONTRACT_EVENTS_NOT_FOUND',
          `contractId: ${contractId} has no events that the parties of eventFormat see`,
          { resources: [['CONTRACT_ID', contractId]] },
        );
      const archivedEvent = archivalOf(seen, server);
      const at = { synchronizerId: synchronizerOf(server) };
      return c.json(
        {
          created: { createdEvent: createdOf(seen, server), ...at },
          ...(archivedEvent && { archived: { archivedEvent, ...at } }),
        },
        200,
      );
    },
  );
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/contracts/contract-by-id',
      operationId: 'postV2ContractsContract-by-id',
      summary: 'Get a contract by id',
      ...LEDGER,
      security: USER,
      request: jsonBody(contractRequest),
      responses: {
        200: answer('The creation of the contract.', contract),
        ...ledgerProblems(400, 401, 403, 404),
      },
    }),
    (c) => {
      const { contractId, queryingParties } = c.req.valid('json');
      const parties = (queryingParties ?? []).map((text) => {
        const party = PartyId.parse(text, 'queryingParties');
        if (party.ok) return party.value;
        throw new Problem(400, `queryingParties: invalid party id ${text}: expected ${party.error.expected}`);
      });
      const rights = rightsOf(callerOf(c));
      if (parties.length === 0 && !rights.isAdmin) requireReadAsAny(rights);
      else requireReadAs(rights, parties);
      const filters = Object.fromEntries(parties.map((party) => [party, {}]));
      const format = eventFormatOf(
        parties.length === 0 ? { filtersForAnyParty: {} } : { filtersByParty: filters },
        'queryingParties',
      );
      const seen = seenOnce(contractId, format, server);
      if (!seen)
        throw new LedgerProblem(
          'CONTRACT_NOT_FOUND',
          `contractId: ${contractId} has no stakeholder among queryingParties`,
          { resources: [['CONTRACT_ID', contractId]] },
        );
      return c.json({ createdEvent: createdOf(seen, server) }, 200);
    },
  );
};

function seenOnce(text: string, format: EventFormat, server: LedgerView): SeenContract | null {
  const id = ContractId.parse(text);
  if (!id.ok) return null;
  const { created, state } = server;
  const at = created.offsetOf(id.value);
  const found = at > 0 && at <= state.offset ? contractOnce(id.value, server) : null;
  return found && seenBy(format, found, stateFor(found, { offset: at }, server));
}

function createdOf(seen: SeenContract, server: LedgerView): z.output<typeof ledgerCreatedSchema> {
  const offset = server.created.offsetOf(seen.contract.id);
  return ledgerCreatedOf(seen, stateFor(seen.contract, { offset }, server), server);
}

/** A contract that one operation of a batch archives after another created it has both events in one update. */
function archivalOf(seen: SeenContract, server: LedgerView): LedgerArchived | null {
  const { network, history, created } = server;
  const { id } = seen.contract;
  const offset = network.archivedAt(id) ?? created.offsetOf(id);
  const { nodes } = transactionTreeOf(history.updateAt(offset), server);
  const node = nodes.find((each) => each.kind === 'exercise' && each.isConsuming && each.contract.id === id);
  return node ? ledgerArchivedOf(seen, { offset, nodeId: node.nodeId }, server) : null;
}
