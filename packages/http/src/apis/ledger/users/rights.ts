import { createRoute, z } from '@hono/zod-openapi';
import { callerOf } from '../../../gates/caller.js';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { heldRights, requireAdmin, rightsOf } from '../../../gates/ledger/rights.js';
import type { Caller, Register } from '../../../request.js';
import { ADMIN, answer, jsonBody, USER } from '../../../route-parts.js';
import { defaultProvider, rightIn, rightJson, rightSchema } from '../../../wire/ledger/users.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { grantRights, revokeRights, userNamed, type UserNeeds } from './changes.js';

const params = z.object({ 'user-id': z.string() });
const change = z.object({
  userId: z.string().optional(),
  rights: z.array(rightSchema).default([]),
  identityProviderId: defaultProvider,
});
const rights = z.array(rightSchema);

/** Source: specification of the API §8.3. Assumption: A-117. */
export const registerRights: Register<UserNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/users/{user-id}/rights',
      operationId: 'getV2UsersUser-idRights',
      summary: 'List the rights of a user',
      ...LEDGER,
      security: USER,
      request: { params },
      responses: {
        200: answer(
          'The implied and the granted rights of the user.',
          z.object({ rights }).openapi('ListUserRightsResponse'),
        ),
        ...ledgerProblems(401, 403, 404),
      },
    }),
    (c) => {
      const name = c.req.valid('param')['user-id'];
      requireSelfOrAdmin(callerOf(c), name);
      return c.json({ rights: heldRights(userNamed(name, server)).map(rightJson) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/users/{user-id}/rights',
      operationId: 'postV2UsersUser-idRights',
      summary: 'Grant rights to a user',
      ...LEDGER,
      security: ADMIN,
      request: { params, ...jsonBody(change.openapi('GrantUserRightsRequest')) },
      responses: {
        200: answer(
          'The rights that the user did not have before.',
          z.object({ newlyGrantedRights: rights }).openapi('GrantUserRightsResponse'),
        ),
        ...ledgerProblems(400, 401, 403, 404, 503),
      },
    }),
    async (c) => {
      const { user, wanted } = changeOf(c.req.valid('param')['user-id'], c.req.valid('json'));
      const granted = await grantRights(user, wanted, server);
      return c.json({ newlyGrantedRights: granted.map(rightJson) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/v2/users/{user-id}/rights',
      operationId: 'patchV2UsersUser-idRights',
      summary: 'Withdraw rights from a user',
      ...LEDGER,
      security: ADMIN,
      request: { params, ...jsonBody(change.openapi('RevokeUserRightsRequest')) },
      responses: {
        200: answer(
          'The rights that the user had before and does not have any more.',
          z.object({ newlyRevokedRights: rights }).openapi('RevokeUserRightsResponse'),
        ),
        ...ledgerProblems(400, 401, 403, 404, 503),
      },
    }),
    async (c) => {
      const { user, wanted } = changeOf(c.req.valid('param')['user-id'], c.req.valid('json'));
      const revoked = await revokeRights(user, wanted, server);
      return c.json({ newlyRevokedRights: revoked.map(rightJson) }, 200);
    },
  );
};

function changeOf(user: string, { userId = user, rights: wanted }: z.infer<typeof change>) {
  if (userId !== user)
    throw new LedgerProblem('INVALID_ARGUMENT', `userId: got ${userId}, expected ${user} as in the path`);
  return { user, wanted: wanted.map(rightIn) };
}

export function requireSelfOrAdmin(caller: Caller, user: string): void {
  if (caller.user !== user) requireAdmin(rightsOf(caller));
}
