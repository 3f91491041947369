import type { AutomationDriver } from '../../network/automation-driver.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { coinsToPay } from '@coinlab/automation';
import { ContractId, type PartyId } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { preapprovalOf, TRACKING_ID_KEY } from '@coinlab/core/rules';
import type { TransferPreapprovalProposal } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { REASON_KEY } from '../../wire/meta-keys.js';
import { Problem, problems } from '../../problem.js';
import { answer, emptyBody, jsonBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit, payFrom } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { deduplicated, InFlight } from './requests.js';
import { cidText, decimal, partyId } from '../../wire/values.js';

const declared = { tags: ['wallet'], security: WALLET };
const created = z.object({ transfer_preapproval_contract_id: cidText }).openapi('CreateTransferPreapprovalResponse');
const sendRequest = z
  .object({
    receiver_party_id: partyId,
    amount: decimal.describe('Amount of coin.'),
    deduplication_id: z.string().describe('Id of the payment. A repeated call within 24 hours sends nothing.'),
    description: z.string().optional(),
  })
  .openapi('TransferPreapprovalSendRequest');

export type PreapprovalNeeds = LedgerAccess &
  ValidatorIdentity & { readonly automation: Pick<AutomationDriver, 'run'> };

export const registerTransferPreapproval: Register<PreapprovalNeeds> = (api, server) => {
  const inFlight = server.own(() => new InFlight());

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/transfer-preapproval',
      operationId: 'createTransferPreapproval',
      summary: 'Create a preapproval for the wallet',
      ...declared,
      responses: {
        ...problems(401, 404, 409, 429, 503),
        200: answer('The contract id of the preapproval. The validator pays its fee.', created),
        409: answer('The wallet already has this preapproval.', created),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const existing = preapprovalIdOf(server, party);
      if (existing) return c.json({ transfer_preapproval_contract_id: existing }, 409);
      await inFlight().alone([party, 'transfer-preapproval'], () => requestPreapproval(server, party));
      const bought = preapprovalIdOf(server, party);
      if (bought) return c.json({ transfer_preapproval_contract_id: bought }, 200);
      throw new Problem(429, 'the validator has not bought the preapproval yet; it may lack coin; retry later');
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/transfer-preapproval/send',
      operationId: 'transferPreapprovalSend',
      summary: 'Send a transfer under a preapproval',
      ...declared,
      request: jsonBody(sendRequest),
      responses: {
        200: answer(
          'The transfer took effect. A repeated call with the same deduplication id sends nothing.',
          emptyBody,
        ),
        ...problems(400, 401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party: sender } = walletOf(c);
      const { receiver_party_id: receiver, amount, deduplication_id, description } = c.req.valid('json');
      await inFlight().alone([sender, deduplication_id], async () => {
        const { first, trackingId } = deduplicated(server, sender, 'transfer', deduplication_id);
        if (first) return;
        const preapproval = preapprovalOf(server.state, receiver, server.now())?.id;
        if (preapproval === undefined) throw new Problem(400, `receiver_party_id: ${receiver} has no preapproval`);
        const reason = description === undefined ? {} : { [REASON_KEY]: description };
        await payFrom(server, sender, (state, now) => ({
          type: 'DirectTransfer',
          sender,
          receiver,
          amount,
          preapproval,
          inputs: coinsToPay(state, sender, now).map(({ id }) => id),
          meta: { ...reason, [TRACKING_ID_KEY]: trackingId },
        }));
      });
      return c.json({}, 200);
    },
  );
};

async function requestPreapproval(server: PreapprovalNeeds, receiver: PartyId): Promise<void> {
  const provider = server.validator;
  if (!proposalOf(server, receiver)) await submit(server, { type: 'ProposePreapproval', receiver, provider }, receiver);
  await server.automation.run(['frequent']);
}

function proposalOf(server: PreapprovalNeeds, receiver: PartyId): TransferPreapprovalProposal | null {
  for (const proposal of contractsByKey(server.state, 'TransferPreapprovalProposal', `receiver:${receiver}`))
    if (proposal.provider === server.validator) return proposal;
  return null;
}

function preapprovalIdOf(server: LedgerAccess, receiver: PartyId): string | null {
  const preapproval = preapprovalOf(server.state, receiver, server.now());
  return preapproval ? ContractId.format(preapproval.id) : null;
}
