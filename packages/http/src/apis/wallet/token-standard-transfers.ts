import type { WalletHistory } from '../../history/wallet-index.js';
import type { LedgerView } from '../../history/ledger-view.js';
import {
  ContractId,
  find,
  Instant,
  pendingTransfersOf,
  type Command,
  type PartyId,
  type TransferInstruction,
  type Update,
} from '@coinlab/core';
import { inputsOfWalletTransfer, preapprovalOf, TRACKING_ID_KEY } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { answerOffer, type WishedTransfer } from './either-offer.js';
import { REASON_KEY } from '../../wire/meta-keys.js';
import { Problem, problems } from '../../problem.js';
import { answer, capitalised, jsonBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, payFrom } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { DEDUPLICATION_WINDOW, InFlight, refuseLongTexts } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import { cidText, contractIdOrNull, decimal, microseconds, partyId } from '../../wire/values.js';

const declared = { tags: ['wallet'], security: WALLET };
const createRequest = z
  .object({
    receiver_party_id: partyId,
    amount: decimal.describe('Amount of coin.'),
    description: z.string(),
    expires_at: microseconds,
    tracking_id: z.string().describe('Id of the transfer. A repeated call within 24 hours returns the first result.'),
  })
  .openapi('CreateTokenStandardTransferRequest');
const result = z
  .object({
    output: z.union([
      z.object({ transfer_instruction_cid: cidText }).openapi('TransferInstructionPending'),
      z.object({ receiver_holding_cids: z.array(cidText) }).openapi('TransferInstructionCompleted'),
      z.object({}).openapi('TransferInstructionFailed'),
    ]),
    sender_change_cids: z.array(cidText),
    meta: z.record(z.string(), z.string()),
  })
  .openapi('TransferInstructionResultResponse');
type TransferResult = z.infer<typeof result>;

const TX_KIND = 'splice.lfdecentralizedtrust.org/tx-kind';

export const registerTokenStandardTransfers: Register<LedgerAccess & WalletHistory> = (api, server) => {
  const inFlight = server.own(() => new InFlight());
  for (const [base, operationId] of [
    ['/v0/wallet/token-standard/transfers', 'TokenStandardTransfer'],
    ['/v2/wallet/token-standard/transfers', 'TokenStandardTransferV2'],
  ] as const) {
    api.openapi(
      createRoute({
        method: 'post',
        path: base,
        operationId: `create${operationId}`,
        summary: 'Create a token standard transfer',
        ...declared,
        request: jsonBody(createRequest),
        responses: { 200: answer('The created transfer.', result), ...problems(400, 401, 404, 409, 429, 503) },
      }),
      async (c) => {
        const { party } = walletOf(c);
        const { receiver_party_id: receiver, amount, description, expires_at, tracking_id } = c.req.valid('json');
        refuseLongTexts({ tracking_id });
        const wished = { sender: party, receiver, amount, description, expiresAt: expires_at, trackingId: tracking_id };
        const made = await inFlight().alone(
          [party, tracking_id],
          async () => firstOf(server, wished) ?? create(server, wished),
        );
        return c.json(resultOf(made), 200);
      },
    );
    for (const verb of ['accept', 'reject', 'withdraw'] as const) {
      api.openapi(
        createRoute({
          method: 'post',
          path: `${base}/{contract_id}/${verb}`,
          operationId: `${verb}${operationId}`,
          summary: `${capitalised(verb)} a token standard transfer`,
          ...declared,
          request: { params: z.object({ contract_id: z.string() }) },
          responses: {
            200: answer('The transfer after the action.', result),
            ...problems(400, 401, 404, 409, 429, 503),
          },
        }),
        async (c) => {
          const { party } = walletOf(c);
          const instruction = instructionSeenBy(server, party, c.req.valid('param').contract_id);
          return c.json(resultOf(await answerOffer(server, party, verb, instruction)), 200);
        },
      );
    }
  }

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/wallet/token-standard/transfers',
      operationId: 'listTokenStandardTransfers',
      summary: 'List pending token standard transfers',
      ...declared,
      responses: {
        200: answer(
          'Pending transfers that the wallet sent or can accept, oldest first.',
          z.object({ transfers: z.array(contractSchema) }).openapi('ListTokenStandardTransfersResponse'),
        ),
        ...problems(401, 404),
      },
    }),
    (c) => {
      const { party } = walletOf(c);
      const pending = pendingTransfersOf(server.state, party, server.now());
      return c.json({ transfers: pending.map(({ instruction }) => contractOf(instruction, server)) }, 200);
    },
  );
};

/** Null outside the deduplication window; the ledger then refuses a used id. */
function firstOf(
  server: LedgerView & WalletHistory,
  { sender, receiver, amount, trackingId }: WishedTransfer,
): Update | null {
  const first = server.wallets.transferUnder(sender, trackingId);
  if (!first) return null;
  const isSame = first.detail.receiver === receiver && first.detail.amount === amount;
  const isRecent = server.now() < Instant.plus(first.recordTime, DEDUPLICATION_WINDOW);
  return isSame && isRecent ? first : null;
}

async function create(server: LedgerAccess, wished: WishedTransfer): Promise<Update> {
  const { sender, receiver, amount, expiresAt: executeBefore, description, trackingId } = wished;
  return payFrom(server, sender, (state, now): Command => {
    const inputs = inputsOfWalletTransfer(state, sender, now);
    const meta = { [REASON_KEY]: description, [TRACKING_ID_KEY]: trackingId };
    const terms = { sender, amount, executeBefore, inputs, meta };
    if (sender === receiver) return { type: 'SelfTransfer', ...terms };
    const preapproval = preapprovalOf(state, receiver, now)?.id;
    return preapproval === undefined
      ? { type: 'CreateOffer', receiver, ...terms }
      : { type: 'DirectTransfer', receiver, preapproval, ...terms };
  });
}

function instructionSeenBy(server: LedgerAccess, party: PartyId, text: string): TransferInstruction {
  const id = contractIdOrNull(text);
  const instruction = id === null ? null : find(server.state, 'TransferInstruction', id);
  const { sender, receiver } = instruction?.transfer ?? {};
  if (!instruction || (party !== sender && party !== receiver))
    throw new Problem(404, `no pending transfer ${text} is in this wallet`);
  return instruction;
}

function resultOf(update: Update): TransferResult {
  const cids = (...ids: readonly (ContractId | null)[]): string[] =>
    ids.filter((id) => id !== null).map((id) => ContractId.format(id));
  if (update.kind === 'TransferOffered') {
    const { instruction, change, meta } = update.detail;
    const output = { transfer_instruction_cid: ContractId.format(instruction) };
    return { output, sender_change_cids: cids(change), meta: { ...meta, [TX_KIND]: 'transfer' } };
  }
  if (update.kind === 'TransferRejected' || update.kind === 'TransferWithdrawn') {
    const { holding, meta } = update.detail;
    return { output: {}, sender_change_cids: cids(holding), meta: { ...meta, [TX_KIND]: 'unlock' } };
  }
  const isSelf = update.kind === 'SelfTransferred';
  if (!isSelf && update.kind !== 'TransferCompleted' && update.kind !== 'TransferAccepted')
    throw new Error(`${update.kind} is no registry transfer`);
  const { holdings, change, meta } = update.detail;
  return {
    output: { receiver_holding_cids: cids(...holdings) },
    sender_change_cids: cids(change),
    meta: { ...meta, [TX_KIND]: isSelf ? 'merge-split' : 'transfer' },
  };
}
