import { Amount, type Command } from '@coinlab/core';
import { preapprovalOf } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../../request.js';
import { executeSigned, preparedFields, prepareFor, submissionSchema, type ExternalPartyNeeds } from './prepared.js';
import { orProblem, Problem, problems } from '../../../problem.js';
import { answer, DEPRECATED, jsonBody, OPERATOR } from '../../../route-parts.js';
import { contractIdPrefix } from '../../../wire/contract-id.js';
import { dateTime, partyId } from '../../../wire/values.js';
import { updateIdText } from '../../../wire/update-id.js';

const declared = { tags: ['external party'], security: OPERATOR, ...DEPRECATED };

export const registerTransferPreapproval: Register<ExternalPartyNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/admin/external-party/transfer-preapproval/prepare-send',
      operationId: 'prepareTransferPreapprovalSend',
      summary: 'Prepare a transfer from an external party',
      request: jsonBody(
        z
          .object({
            sender_party_id: partyId,
            receiver_party_id: partyId,
            amount: z.number().positive().describe('Amount of coin as a JSON number, with at most ten decimal places.'),
            expires_at: dateTime,
            nonce: z.number().int().nonnegative(),
            verbose_hashing: z.boolean().default(false),
            description: z.string().optional(),
          })
          .openapi('PrepareTransferPreapprovalSendRequest'),
      ),
      responses: {
        200: answer(
          'The prepared transaction and the hash that the sender must sign.',
          z
            .object({ ...preparedFields, transfer_command_contract_id_prefix: z.string() })
            .openapi('PrepareTransferPreapprovalSendResponse'),
        ),
        ...problems(400, 401, 403, 404, 501),
      },
    }),
    (c) => {
      const body = c.req.valid('json');
      const { sender_party_id: sender, receiver_party_id: receiver, expires_at: expiresAt, nonce, description } = body;
      const command: Command = {
        type: 'CreateTransferCommand',
        sender,
        receiver,
        delegate: server.validator,
        amount: exactAmount(body.amount),
        expiresAt,
        nonce,
        ...(description === undefined ? {} : { description }),
      };
      if (!preapprovalOf(server.state, receiver, server.host.now()))
        throw new Problem(400, `receiver_party_id: ${receiver} has no preapproval`);
      const prepared = prepareFor(server, sender, command, body.verbose_hashing);
      const transfer_command_contract_id_prefix = contractIdPrefix(prepared.tx_hash);
      return c.json({ ...prepared, transfer_command_contract_id_prefix }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...declared,
      method: 'post',
      path: '/v0/admin/external-party/transfer-preapproval/submit-send',
      operationId: 'submitTransferPreapprovalSend',
      summary: 'Submit a signed transfer of an external party',
      request: jsonBody(z.object({ submission: submissionSchema }).openapi('SubmitTransferPreapprovalSendRequest')),
      responses: {
        200: answer(
          'The update that created the transfer command. Its status endpoint reports the result.',
          z.object({ update_id: z.string() }).openapi('SubmitTransferPreapprovalSendResponse'),
        ),
        ...problems(400, 401, 403, 404, 429, 501, 503),
      },
    }),
    async (c) => {
      const { submission } = c.req.valid('json');
      const { updateId } = await executeSigned(server, submission, 'CreateTransferCommand');
      return c.json({ update_id: updateIdText(updateId) }, 200);
    },
  );
};

function exactAmount(number: number): Amount {
  const shortest = String(number);
  const text = shortest.includes('e-')
    ? number.toFixed(10)
    : shortest.includes('e')
      ? String(BigInt(number))
      : shortest;
  if (Number(text) !== number) throw new Problem(400, 'amount: expected at most ten decimal places');
  return orProblem(Amount.parse(text));
}
