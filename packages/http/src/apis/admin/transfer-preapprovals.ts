import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { allOf } from '@coinlab/core/views';
import { preapprovalOf } from '@coinlab/core/rules';
import type { PartyId, TransferPreapproval } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, emptyBody, OPERATOR } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import { partyId } from '../../wire/values.js';

const declared = { tags: ['admin'], security: OPERATOR };
const byParty = {
  path: '/v0/admin/transfer-preapprovals/by-party/{receiver-party}',
  ...declared,
  request: { params: z.object({ 'receiver-party': partyId }) },
};

export const registerTransferPreapprovals: Register<LedgerAccess & ValidatorIdentity> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/admin/transfer-preapprovals',
      operationId: 'listTransferPreapprovals',
      summary: "List the validator's preapprovals",
      ...declared,
      responses: {
        200: answer(
          'All preapprovals that this validator provides.',
          z.object({ contracts: z.array(contractWithStateSchema) }).openapi('ListTransferPreapprovalsResponse'),
        ),
        ...problems(401, 403),
      },
    }),
    (c) => {
      const contracts = [...allOf(server.state, 'TransferPreapproval')]
        .filter(({ provider }) => provider === server.validator)
        .map((preapproval) => contractWithState(preapproval, server));
      return c.json({ contracts }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      ...byParty,
      operationId: 'lookupProvidedTransferPreapprovalByParty',
      summary: 'Look up the preapproval of a receiver',
      responses: {
        200: answer(
          "The receiver's preapproval.",
          z
            .object({ transfer_preapproval: contractWithStateSchema })
            .openapi('LookupTransferPreapprovalByPartyResponse'),
        ),
        ...problems(400, 401, 403, 404),
      },
    }),
    (c) => {
      const preapproval = providedTo(c.req.valid('param')['receiver-party'], server);
      return c.json({ transfer_preapproval: contractWithState(preapproval, server) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      ...byParty,
      operationId: 'cancelTransferPreapprovalByParty',
      summary: 'Cancel the preapproval of a receiver',
      responses: {
        200: answer('The preapproval is archived. The fee is not refunded.', emptyBody),
        ...problems(400, 401, 403, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { id: preapproval } = providedTo(c.req.valid('param')['receiver-party'], server);
      await submit(server, { type: 'CancelPreapproval', preapproval }, server.validator);
      return c.json({}, 200);
    },
  );
};

function providedTo(receiver: PartyId, server: LedgerAccess & ValidatorIdentity): TransferPreapproval {
  const preapproval = preapprovalOf(server.state, receiver, server.host.now());
  if (preapproval?.provider !== server.validator)
    throw new Problem(404, `no preapproval of ${receiver} is provided here`);
  return preapproval;
}
