import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { seenOf } from '../../request.js';
import { readOnly } from '../../worlds/past-host.js';
import { decoded, pathInWorld } from '../../worlds/world-path.js';
import type { Moments, World } from '../../worlds/world.js';

const tags = ['dev'];

/** Methods of read requests. Some read endpoints of the APIs use POST. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

export interface Enter {
  readonly enter: (world: World, path: string, c: Context) => Response | Promise<Response>;
}

export interface MomentsNeeds extends Enter {
  readonly moments: Moments;
}

export const registerMoments: Register<MomentsNeeds> = (api, server) => {
  const path = '/dev/at/{moment}/{path}';
  const declared = {
    path,
    tags,
    description:
      'Answers any read of the wallet, scan, registry and ledger API as that API would have answered right after the update at an offset, or at a time. ' +
      'The caller, the clock and all indexes are those of the moment; tokens are checked at the current time. Writes are refused with 409.',
    request: {
      params: z.object({
        moment: z.string().openapi({ description: 'An offset, a time, or the name of a snapshot.', example: '45' }),
        path: z.string().openapi({ description: 'The path of a read, with its query.', example: 'v0/wallet/balance' }),
      }),
    },
    responses: {
      200: {
        description: 'The response of the read at that moment.',
        content: { 'application/json': { schema: z.unknown() } },
      },
      ...problems(400, 401, 403, 404, 409, 413, 415, 501),
    },
  };
  const answer = async (c: Context): Promise<Response> => {
    const { method, path: whole } = c.req;
    const [, moment = ''] = /\/dev\/at\/([^/]+)/.exec(whole) ?? [];
    const below = pathInWorld(whole);
    const world = await server.moments.at(decoded(moment));
    if (!READING.has(method)) throw readOnly(world.state.offset);
    const seen = seenOf(c);
    const answered = await server.enter(world, below, c);
    seen.route = `/dev/at/{moment}${seen.route ?? ''}`;
    return answered;
  };
  api.openAPIRegistry.registerPath(
    createRoute({ ...declared, method: 'get', operationId: 'devAt', summary: 'Get a past answer of a route' }),
  );
  api.openAPIRegistry.registerPath(
    createRoute({
      ...declared,
      method: 'post',
      operationId: 'devAtByPost',
      summary: 'Get a past answer of a posted read',
    }),
  );
  const route = '/dev/at/:moment/:path{.+}';
  api.get(route, answer);
  api.post(route, answer);
  api.all(route, answer);
};
