import { ContractId } from '@coinlab/core';
import { findAny } from '@coinlab/core/views';
import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import { Problem, problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody } from '../../route-parts.js';
import { isOfNetwork } from '../../wire/templates.js';
import { cidText, contractId } from '../../wire/values.js';

const request = z
  .strictObject({
    contractId: contractId.describe('An active contract, such as the `factoryId` of a transfer factory.'),
    inTransit: z
      .boolean()
      .default(true)
      .describe('True: the contract leaves its synchronizer. False: it is back on its synchronizer.'),
  })
  .openapi('DevReassignRequest');

const listed = z
  .object({
    inTransit: z
      .array(cidText)
      .describe('Ids of the contracts in transit from one synchronizer to another, oldest first.'),
  })
  .openapi('DevReassignments');

const tags = ['dev'];

export type ReassignNeeds = Pick<LedgerView, 'state'> & { readonly inTransit: Set<ContractId> };

export const registerReassign: Register<ReassignNeeds> = (api, server) => {
  const path = '/dev/reassign';
  const standing = (): z.output<typeof listed> => ({
    inTransit: [...server.inTransit].sort((a, b) => a - b).map((id) => ContractId.format(id)),
  });

  api.openapi(
    createRoute({
      method: 'get',
      path,
      operationId: 'devReassignments',
      summary: 'List contracts in transit between synchronizers',
      tags,
      responses: {
        200: answer('The contracts that have left a synchronizer and not yet arrived at another.', listed),
        ...problems(400, 403, 415),
      },
    }),
    (c) => c.json(standing(), 200),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path,
      operationId: 'devReassign',
      summary: 'Send a contract into transit or return it',
      tags,
      request: jsonBody(request),
      responses: {
        200: answer(
          'The contracts in transit. Commands of clients that use one are refused, with 409 or UNKNOWN_CONTRACT_SYNCHRONIZERS; the registry answers 409 instead of disclosing it; scan omits its `domain_id`.',
          listed,
        ),
        ...problems(400, 403, 404, 415),
      },
    }),
    (c) => {
      const { contractId: id, inTransit } = c.req.valid('json');
      const contract = findAny(server.state, id);
      if (inTransit && !(contract && isOfNetwork(contract)))
        throw new Problem(404, `no active contract ${ContractId.format(id)}`);
      if (inTransit) server.inTransit.add(id);
      else server.inTransit.delete(id);
      return c.json(standing(), 200);
    },
  );
};
