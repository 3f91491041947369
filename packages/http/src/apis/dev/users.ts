import { contractsOf, Instant, type PartyId } from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { Configured } from '../../config.js';
import { tokenFor } from '../../gates/own-tokens.js';
import type { LedgerView } from '../../history/ledger-view.js';
import type { Host } from '../../host/host.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { Problem, problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer, jsonBody } from '../../route-parts.js';

const tags = ['dev'];
const users = z
  .object({ users: z.array(z.object({ user: z.string(), party: z.string() }).openapi('DevUser')) })
  .openapi('DevUsers');
const clock = z
  .object({
    offset: z.int().describe('Offset of the last update.'),
    time: z.string(),
    speed: z.number().describe('Ledger seconds per second; 0 for a manual clock.'),
    round: z.int().nullable().describe('Newest usable round.'),
  })
  .openapi('DevClock');

export type DevUsersNeeds = Pick<LedgerView, 'state'> &
  ValidatorIdentity &
  Configured<'auth'> & { readonly host: Pick<Host, 'clock' | 'now'> };

export const registerDevUsers: Register<DevUsersNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/users',
      operationId: 'devUsers',
      summary: 'List the users with a wallet',
      tags,
      responses: {
        200: answer('The users of this validator with their parties, in the order of onboarding.', users),
        ...problems(400, 403, 415),
      },
    }),
    (c) => {
      const found: { user: string; party: PartyId }[] = [];
      for (const { validator, endUserName, endUser } of contractsOf(server.state, 'WalletAppInstall', server.validator))
        if (validator === server.validator) found.push({ user: endUserName, party: endUser });
      return c.json({ users: found }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/tokens',
      operationId: 'devToken',
      summary: 'Create a token for a user',
      tags,
      request: jsonBody(z.object({ user: z.string().min(1) }).openapi('DevTokenRequest')),
      responses: {
        200: answer(
          'A token that is valid for a year. The user need not exist: `POST /v0/register` onboards it.',
          z.object({ token: z.string() }).openapi('DevToken'),
        ),
        ...problems(400, 403, 409, 415),
      },
    }),
    async (c) => {
      const { auth } = server.config;
      if (auth.algorithm !== 'hs-256-unsafe')
        throw new Problem(409, 'auth.algorithm: tokens are signed by the issuer; this server has only its public keys');
      return c.json({ token: await tokenFor(c.req.valid('json').user, server.config, server.host.clock) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/clock',
      operationId: 'devClock',
      summary: 'Get the time and speed of the clock',
      tags,
      responses: {
        200: answer('The ledger time and how fast it runs.', clock),
        ...problems(400, 403, 415),
      },
    }),
    (c) => {
      const { speed } = server.host.clock;
      const now = server.host.now();
      const round = newestUsableRound(server.state, now)?.round ?? null;
      return c.json({ offset: server.state.offset, time: Instant.format(now), speed, round }, 200);
    },
  );
};
