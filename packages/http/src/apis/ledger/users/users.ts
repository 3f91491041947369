import { createRoute, z } from '@hono/zod-openapi';
import { contractsOf, type LedgerState } from '@coinlab/core';
import { ledgerUsersKey } from '@coinlab/core/contracts';
import { contractsByKey } from '@coinlab/core/views';
import { callerOf } from '../../../gates/caller.js';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { callerNamed, isUser } from '../../../host/callers.js';
import { StateCache } from '../../../host/state-cache.js';
import type { Caller, Register } from '../../../request.js';
import { ADMIN, answer, emptyBody, jsonBody, USER } from '../../../route-parts.js';
import {
  defaultProvider,
  partyIn,
  rightIn,
  rightSchema,
  userAnswer,
  userJson,
  userSchema,
} from '../../../wire/ledger/users.js';
import { LARGEST_USER_PAGE, pageOf, pageQuery } from '../paging.js';
import { requireSelfOrAdmin } from './rights.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { fieldsOf, mergedAnnotations, updateMask } from '../update-mask.js';
import { recordOf, submitFor, userNamed, userProblem, type UserNeeds } from './changes.js';

const params = z.object({ 'user-id': z.string() });
const provider = z.object({ 'identity-provider-id': defaultProvider });
const creation = z.object({ user: userSchema, rights: z.array(rightSchema).default([]) }).openapi('CreateUserRequest');
const update = z.object({ user: userSchema, updateMask }).openapi('UpdateUserRequest');
const UPDATABLE = [
  'primaryParty',
  'isDeactivated',
  'metadata',
  'metadata.annotations',
  'metadata.resourceVersion',
  'id',
];

/** Source: specification of the API §8.3. Assumption: A-117. */
export const registerUsers: Register<UserNeeds> = (api, server) => {
  const sortedNames = new StateCache<readonly string[]>();

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/authenticated-user',
      operationId: 'getV2Authenticated-user',
      summary: 'Get the user of the token',
      ...LEDGER,
      security: USER,
      request: { query: provider },
      responses: {
        200: answer('The user that the token identifies.', userAnswer.openapi('GetAuthenticatedUserResponse')),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => c.json({ user: userJson(callerOf(c)) }, 200),
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/users',
      operationId: 'getV2Users',
      summary: 'List the users of the participant',
      ...LEDGER,
      security: ADMIN,
      request: { query: z.object(pageQuery) },
      responses: {
        200: answer(
          'A page of users, sorted by id.',
          z.object({ users: z.array(userSchema), nextPageToken: z.string() }).openapi('ListUsersPage'),
        ),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => {
      const { state } = server;
      const names = sortedNames.get(state, '', () => namesOf(state, server));
      const { ids, nextPageToken } = pageOf(names, c.req.valid('query'), LARGEST_USER_PAGE);
      return c.json({ users: ids.map((id) => userJson(callerNamed(id, state, server))), nextPageToken }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/users',
      operationId: 'postV2Users',
      summary: 'Create a user of the participant',
      ...LEDGER,
      security: ADMIN,
      request: jsonBody(creation),
      responses: {
        200: answer('The new user.', userAnswer.openapi('CreateUserResponse')),
        ...ledgerProblems(400, 401, 403, 409, 503),
      },
    }),
    async (c) => c.json({ user: userJson(await created(c.req.valid('json'), server)) }, 200),
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/users/{user-id}',
      operationId: 'getV2UsersUser-id',
      summary: 'Get a user of the participant',
      ...LEDGER,
      security: USER,
      request: { params, query: provider },
      responses: {
        200: answer('The user.', userAnswer.openapi('GetUserResponse')),
        ...ledgerProblems(400, 401, 403, 404),
      },
    }),
    (c) => {
      const name = c.req.valid('param')['user-id'];
      requireSelfOrAdmin(callerOf(c), name);
      return c.json({ user: userJson(userNamed(name, server)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/v2/users/{user-id}',
      operationId: 'patchV2UsersUser-id',
      summary: 'Replace fields of a user',
      ...LEDGER,
      security: ADMIN,
      request: { params, ...jsonBody(update) },
      responses: {
        200: answer('The changed user.', userAnswer.openapi('UpdateUserResponse')),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      const name = c.req.valid('param')['user-id'];
      await changed(name, c.req.valid('json'), callerOf(c), server);
      return c.json({ user: userJson(userNamed(name, server)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/v2/users/{user-id}',
      operationId: 'deleteV2UsersUser-id',
      summary: 'Remove a user and its rights',
      ...LEDGER,
      security: ADMIN,
      request: { params },
      responses: {
        200: answer('The user and its rights are removed.', emptyBody),
        ...ledgerProblems(400, 401, 403, 404, 503),
      },
    }),
    async (c) => {
      const name = c.req.valid('param')['user-id'];
      if (name === callerOf(c).user)
        throw new LedgerProblem('INVALID_ARGUMENT', `user-id: a user cannot delete itself`);
      await submitFor(name, server, ({ isOperator, party, ledgerUser }) => {
        if (isOperator) throw new LedgerProblem('INVALID_ARGUMENT', `user-id: ${name} operates the participant`);
        if (party !== null || !ledgerUser)
          throw new LedgerProblem(
            'INVALID_ARGUMENT',
            `user-id: ${name} has a wallet; send POST /v0/admin/users/offboard?username=${encodeURIComponent(name)} first`,
          );
        return { type: 'DeleteLedgerUser', user: ledgerUser.id };
      });
      return c.json({}, 200);
    },
  );
};

function namesOf(state: LedgerState, { validator, participantId, config }: UserNeeds): readonly string[] {
  const names = new Set([config.validatorWalletUser]);
  for (const { userId } of contractsByKey(state, 'LedgerUser', ledgerUsersKey(participantId))) names.add(userId);
  for (const install of contractsOf(state, 'WalletAppInstall', validator))
    if (install.validator === validator) names.add(install.endUserName);
  return [...names].sort();
}

async function created({ user, rights }: z.infer<typeof creation>, server: UserNeeds): Promise<Caller> {
  const { id, primaryParty = '', isDeactivated = false, metadata = {} } = user;
  if ((metadata.resourceVersion ?? '') !== '')
    throw new LedgerProblem('INVALID_ARGUMENT', 'user.metadata.resourceVersion: expected none for a new user');
  const fields = {
    isDeactivated,
    annotations: mergedAnnotations({}, metadata.annotations ?? {}),
    rights: rights.map(rightIn),
    ...(primaryParty === '' ? {} : { primaryParty: partyIn(primaryParty, 'user.primaryParty') }),
  };
  const submitted = await server.host.submitFrom(
    (state) => {
      if (isUser(callerNamed(id, state, server))) throw alreadyExists(id);
      return recordOf({ user: id, party: null, isOperator: false, ledgerUser: null }, server, fields);
    },
    [server.validator],
  );
  if (!submitted.ok) throw userProblem(submitted.error);
  return userNamed(id, server);
}

function alreadyExists(id: string): LedgerProblem {
  return new LedgerProblem('USER_ALREADY_EXISTS', `the participant has a user "${id}" already`, {
    resources: [['USER', id]],
  });
}

async function changed(
  name: string,
  { user, updateMask: mask }: z.infer<typeof update>,
  caller: Caller,
  server: UserNeeds,
) {
  if (user.id !== name)
    throw new LedgerProblem('INVALID_ARGUMENT', `user.id: got ${user.id}, expected ${name} as in the path`);
  const fields = fieldsOf(mask, UPDATABLE, 'INVALID_USER_UPDATE_REQUEST');
  const { primaryParty = '', isDeactivated = false, metadata = {} } = user;
  if (fields.has('isDeactivated') && isDeactivated && caller.user === name)
    throw new LedgerProblem('INVALID_ARGUMENT', 'user.isDeactivated: a user cannot deactivate itself');
  const party = primaryParty === '' ? null : partyIn(primaryParty, 'user.primaryParty');
  const version = metadata.resourceVersion ?? '';
  await submitFor(name, server, (target) => {
    const { ledgerUser } = target;
    if (version !== '' && version !== String(ledgerUser?.resourceVersion ?? 0))
      throw new LedgerProblem('CONCURRENT_USER_UPDATE_DETECTED', `user ${name} has changed since version ${version}`);
    const annotations = mergedAnnotations(ledgerUser?.annotations ?? {}, metadata.annotations ?? {});
    const values = {
      ...(fields.has('primaryParty') ? { primaryParty: party } : {}),
      ...(fields.has('isDeactivated') ? { isDeactivated } : {}),
      ...(fields.has('metadata') || fields.has('metadata.annotations') ? { annotations } : {}),
    };
    return ledgerUser ? { type: 'UpdateLedgerUser', user: ledgerUser.id, ...values } : recordOf(target, server, values);
  });
}
