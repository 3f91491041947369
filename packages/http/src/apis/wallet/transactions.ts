import type { WalletHistory } from '../../history/wallet-index.js';
import { ContractId } from '@coinlab/core';
import type { HistoryItem, PartyAmount } from '@coinlab/core/histories';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody, WALLET } from '../../route-parts.js';
import { walletOf } from '../../gates/caller.js';
import { networkId } from '../../wire/templates.js';
import { updateIdOf, updateIdText } from '../../wire/update-id.js';
import { cidText, decimalText, partyText, rfc3339, tenPlaces, timeText } from '../../wire/values.js';

const MOST_ITEMS = 1000;

const request = z
  .object({
    begin_after_id: z
      .string()
      .optional()
      .describe('Event id of the last item of the previous page. Default or empty: the newest item.'),
    page_size: z.int().min(1),
  })
  .openapi('ListTransactionsRequest');
const partyAndAmount = z.object({ party: partyText, amount: decimalText }).openapi('PartyAndAmount');
const common = {
  transaction_subtype: z
    .object({
      template_id: z.string(),
      choice: z.string(),
      amulet_operation: z.string().optional(),
      interface_id: z.string().optional(),
    })
    .openapi('TransactionSubtype'),
  event_id: z.string(),
  date: timeText,
};
const item = z
  .discriminatedUnion('transaction_type', [
    z
      .object({
        transaction_type: z.literal('transfer'),
        ...common,
        sender: partyAndAmount,
        receivers: z.array(partyAndAmount),
        holding_fees: decimalText,
        app_rewards_used: decimalText,
        validator_rewards_used: decimalText,
        sv_rewards_used: decimalText,
        development_fund_coupons_used: decimalText,
        transfer_instruction_receiver: partyText.optional(),
        transfer_instruction_amount: decimalText.optional(),
        transfer_instruction_cid: cidText.optional(),
        description: z.string().optional(),
      })
      .openapi('TransferResponseItem'),
    z
      .object({
        transaction_type: z.literal('balance_change'),
        ...common,
        receivers: z.array(partyAndAmount),
        transfer_instruction_cid: cidText.optional(),
      })
      .openapi('BalanceChangeResponseItem'),
    z
      .object({ transaction_type: z.literal('notification'), ...common, details: z.string() })
      .openapi('NotificationResponseItem'),
    z.object({ transaction_type: z.literal('unknown'), ...common }).openapi('UnknownResponseItem'),
  ])
  .openapi('ListTransactionsResponseItem');
type Item = z.infer<typeof item>;

export const registerTransactions: Register<WalletHistory> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/transactions',
      operationId: 'listTransactions',
      summary: "List the wallet's transactions",
      tags: ['wallet'],
      security: WALLET,
      request: jsonBody(request),
      responses: {
        200: answer(
          'A page of transactions, newest first. An empty page ends the list.',
          z.object({ items: z.array(item) }).openapi('ListTransactionsResponse'),
        ),
        ...problems(400, 401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const { begin_after_id = '', page_size } = c.req.valid('json');
      const items = server.wallets.page(party, {
        beginAfterId: eventIdOf(begin_after_id),
        pageSize: Math.min(page_size, MOST_ITEMS),
      });
      if (!items) throw new Problem(404, `no item ${begin_after_id} is in the history of this wallet`);
      return c.json({ items: items.map(itemOf) }, 200);
    },
  );
};

const EVENT_ID = /^#([^:]*):/;

function eventIdText(eventId: string): string {
  return eventId.replace(EVENT_ID, (_, updateId: string) => `#${updateIdText(updateId)}:`);
}

function eventIdOf(text: string): string {
  return text.replace(EVENT_ID, (whole, id: string) => {
    const updateId = updateIdOf(id);
    return updateId === null ? whole : `#${updateId}:`;
  });
}

function itemOf(entry: HistoryItem): Item {
  const { template, choice, amuletOperation, interface: choiceInterface } = entry.subtype;
  const shared = {
    transaction_subtype: {
      template_id: networkId(template),
      choice,
      ...(amuletOperation === null ? {} : { amulet_operation: amuletOperation }),
      ...(choiceInterface === null ? {} : { interface_id: networkId(choiceInterface) }),
    },
    event_id: eventIdText(entry.eventId),
    date: rfc3339(entry.date),
  };
  switch (entry.type) {
    case 'transfer': {
      const { transferInstruction: instruction, description } = entry;
      return {
        transaction_type: 'transfer',
        ...shared,
        sender: amountText(entry.sender),
        receivers: entry.receivers.map(amountText),
        holding_fees: tenPlaces(entry.holdingFees),
        app_rewards_used: tenPlaces(entry.appRewardsUsed),
        validator_rewards_used: tenPlaces(entry.validatorRewardsUsed),
        sv_rewards_used: tenPlaces(entry.svRewardsUsed),
        development_fund_coupons_used: tenPlaces(entry.developmentFundCouponsUsed),
        ...(instruction?.receiver ? { transfer_instruction_receiver: instruction.receiver } : {}),
        ...(instruction && instruction.amount !== null
          ? { transfer_instruction_amount: tenPlaces(instruction.amount) }
          : {}),
        ...(instruction ? { transfer_instruction_cid: ContractId.format(instruction.contract) } : {}),
        ...(description === null ? {} : { description }),
      };
    }
    case 'balance_change':
      return {
        transaction_type: 'balance_change',
        ...shared,
        receivers: entry.receivers.map(amountText),
        ...(entry.transferInstruction === null
          ? {}
          : { transfer_instruction_cid: ContractId.format(entry.transferInstruction) }),
      };
    case 'notification':
      return { transaction_type: 'notification', ...shared, details: entry.details };
    case 'unknown':
      return { transaction_type: 'unknown', ...shared };
  }
}

function amountText({ party, amount }: PartyAmount): z.infer<typeof partyAndAmount> {
  return { party, amount: tenPlaces(amount) };
}
