import type { Configured } from '../../config.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { contractsOf, PartyId } from '@coinlab/core';
import { featuredRightOf } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { installOf } from '../../host/hosted-parties.js';
import { onboard } from '../../network/onboarding.js';
import { orProblem, Problem, problems } from '../../problem.js';
import { answer, emptyBody, jsonBody, OPERATOR, TOKEN } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { callerOf } from '../../gates/caller.js';

const declared = { tags: ['admin'], security: OPERATOR };
const party = z.object({ party_id: z.string() });
const onboardRequest = z
  .object({
    name: z.string().min(1),
    party_id: z.string().optional(),
    createPartyIfMissing: z.boolean().default(false),
  })
  .openapi('OnboardUserRequest');
const validatorUser = z
  .object({ party_id: z.string(), user_name: z.string(), featured: z.boolean() })
  .openapi('GetValidatorUserInfoResponse');

export const registerUsers: Register<LedgerAccess & ValidatorIdentity & Configured<'validatorWalletUser'>> = (
  api,
  server,
) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/admin/users',
      operationId: 'onboardUser',
      summary: 'Create a user with a wallet',
      ...declared,
      request: jsonBody(onboardRequest),
      responses: {
        200: answer('The party of the user. Onboarding is complete.', party.openapi('OnboardUserResponse')),
        ...problems(400, 401, 403, 409, 429, 503),
      },
    }),
    async (c) => {
      const { name, party_id, createPartyIfMissing } = c.req.valid('json');
      const named = party_id === undefined ? {} : { party: orProblem(PartyId.parse(party_id, 'party_id')) };
      const onboarded = await onboard(server, { user: name, createsParty: createPartyIfMissing, ...named });
      return c.json({ party_id: onboarded }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/admin/users',
      operationId: 'listUsers',
      summary: 'List the names of all users',
      ...declared,
      responses: {
        200: answer(
          'The names of all users.',
          z.object({ usernames: z.array(z.string()) }).openapi('ListUsersResponse'),
        ),
        ...problems(401, 403),
      },
    }),
    (c) => {
      const usernames: string[] = [];
      for (const install of contractsOf(server.state, 'WalletAppInstall', server.validator))
        if (install.validator === server.validator) usernames.push(install.endUserName);
      return c.json({ usernames }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/admin/users/offboard',
      operationId: 'offboardUser',
      summary: "Remove a user's wallet",
      ...declared,
      request: { query: z.object({ username: z.string().min(1) }) },
      responses: {
        200: answer('The wallet is removed. The party keeps its contracts.', emptyBody),
        ...problems(400, 401, 403, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { validatorWalletUser: operator } = server.config;
      const { username } = c.req.valid('query');
      if (username === operator) throw new Problem(400, `username: ${username} is the operator of this validator`);
      const install = installOf(server.state, server.validator, username);
      if (!install) throw new Problem(404, `no user ${username} is onboarded`);
      await submit(server, { type: 'OffboardUser', install: install.id }, server.validator);
      return c.json({}, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/register',
      operationId: 'register',
      summary: 'Create a wallet for the caller',
      tags: ['admin'],
      security: TOKEN,
      request: {
        body: {
          required: false,
          content: { 'application/json': { schema: z.object({}).nullable().openapi('RegistrationRequest') } },
        },
      },
      responses: {
        200: answer('The party of the caller. Onboarding is complete.', party.openapi('RegistrationResponse')),
        ...problems(400, 401, 429, 503),
      },
    }),
    async (c) => {
      const { user } = callerOf(c);
      return c.json({ party_id: await onboard(server, { user, createsParty: true }) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/validator-user',
      operationId: 'getValidatorUserInfo',
      summary: 'Get the operator of the validator',
      tags: ['admin'],
      responses: {
        200: answer("The operator's user name and party, and whether the party is a featured app.", validatorUser),
      },
    }),
    (c) => {
      const { validator, config } = server;
      const featured = featuredRightOf(server.state, validator) !== null;
      return c.json({ party_id: validator, user_name: config.validatorWalletUser, featured }, 200);
    },
  );
};
