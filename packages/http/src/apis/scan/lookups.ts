import { Duration, Instant, type Update } from '@coinlab/core';
import { firstByKey, transferCommandStatuses, type TransferCommandStatus } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { contractOf, contractSchema, contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import { isOfNetwork } from '../../wire/templates.js';
import { wholeNumber } from '../../wire/query.js';
import { foundOr404, partyName } from '../../wire/values.js';
import type { RegisterShared } from './mount.js';

const ofParty = { params: z.object({ party: partyName }) };
const commandStatus = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('created') }).openapi('TransferCommandCreatedResponse'),
    z.object({ status: z.literal('sent') }).openapi('TransferCommandSentResponse'),
    z
      .object({
        status: z.literal('failed'),
        failure_kind: z.enum(['failed', 'expired', 'withdrawn']),
        reason: z.string(),
      })
      .openapi('TransferCommandFailedResponse'),
  ])
  .openapi('TransferCommandContractStatus');
const commandMap = z
  .record(z.string(), z.object({ contract: contractSchema, status: commandStatus }))
  .openapi('TransferCommandMap');

const STATUS_LIFETIME = Duration.hours(24);
const MOST_COMMANDS = 100;

export const registerScanLookups: RegisterShared = (api, ledger, mount) => {
  const { prefix, declared, operation, refusals } = mount;
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/transfer-preapprovals/by-party/{party}`,
      operationId: operation('lookupTransferPreapprovalByParty'),
      summary: 'Look up the preapproval of a party',
      ...declared,
      request: ofParty,
      responses: {
        200: answer(
          "The party's preapproval. Expired preapprovals are not returned.",
          z
            .object({ transfer_preapproval: contractWithStateSchema })
            .openapi('LookupTransferPreapprovalByPartyResponse'),
        ),
        ...refusals,
        ...problems(404),
      },
    }),
    (c) => {
      const { party } = c.req.valid('param');
      const preapproval = preapprovalOf(ledger.state, party, ledger.now());
      // Clients match this text.
      if (!preapproval) throw new Problem(404, `No TransferPreapproval found for party: ${party}`);
      return c.json({ transfer_preapproval: contractWithState(preapproval, ledger) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/transfer-command-counter/{party}`,
      operationId: operation('lookupTransferCommandCounterByParty'),
      summary: 'Get the transfer command counter of a party',
      ...declared,
      request: ofParty,
      responses: {
        200: answer(
          'The counter of executed transfer commands. A party without a counter starts with nonce 0.',
          z
            .object({ transfer_command_counter: contractWithStateSchema })
            .openapi('LookupTransferCommandCounterByPartyResponse'),
        ),
        ...refusals,
        ...problems(404),
      },
    }),
    (c) => {
      const { party } = c.req.valid('param');
      const counter = firstByKey(ledger.state, 'TransferCommandCounter', `sender:${party}`);
      const found = foundOr404(counter, 'transfer command counter of', party);
      return c.json({ transfer_command_counter: contractWithState(found, ledger) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/transfer-command/status`,
      operationId: operation('lookupTransferCommandStatus'),
      summary: 'Get the status of a transfer command',
      ...declared,
      request: { query: z.object({ sender: partyName, nonce: wholeNumber(0) }) },
      responses: {
        200: answer(
          "The sender's commands with this nonce that changed in the last 24 hours, by contract id.",
          z.object({ transfer_commands_by_contract_id: commandMap }).openapi('LookupTransferCommandStatusResponse'),
        ),
        ...refusals,
        ...problems(400, 404),
      },
    }),
    (c) => {
      const { sender, nonce } = c.req.valid('query');
      const statuses = transferCommandStatuses(recentUpdates(ledger), sender, nonce).slice(-MOST_COMMANDS);
      if (statuses.length === 0) throw new Problem(404, `no transfer command of ${sender} with nonce ${nonce}`);
      const entries = statuses
        .map((status) => commandOf(status, ledger))
        .map((command) => [command.contract.contract_id, command] as const);
      return c.json({ transfer_commands_by_contract_id: Object.fromEntries(entries) }, 200);
    },
  );
};

function* recentUpdates(ledger: LedgerView): Generator<Update, void, undefined> {
  const { history, state } = ledger;
  const since = Instant.plus(ledger.now(), Duration.times(STATUS_LIFETIME, -1));
  const last = Math.min(history.head, state.offset);
  for (const offset of history.transferCommandOffsets) {
    if (offset <= last && history.timeAt(offset) >= since) yield history.updateAt(offset);
  }
}

function commandOf(
  { command, status, failure }: TransferCommandStatus,
  ledger: LedgerView,
): z.output<typeof commandMap>[string] {
  const { offset } = ledger.created.updateOf(command);
  const contract = ledger.history.updateAt(offset).created.find(({ id }) => id === command);
  if (!contract || !isOfNetwork(contract)) throw new RangeError(`the log does not create contract ${command}`);
  const how =
    status === 'failed'
      ? { status, failure_kind: failure?.kind ?? 'failed', reason: failure?.reason ?? '' }
      : { status };
  return { contract: contractOf(contract, ledger), status: how };
}
