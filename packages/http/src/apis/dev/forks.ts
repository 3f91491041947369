import { Instant } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { problems } from '../../problem.js';
import { seenOf, type Register } from '../../request.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { Fork, Forks } from '../../worlds/forks.js';
import { SNAPSHOT_NAME } from '../../worlds/names.js';
import { pathInWorld } from '../../worlds/world-path.js';
import type { World } from '../../worlds/world.js';
import type { Enter } from './moments.js';

const name = z
  .string()
  .regex(SNAPSHOT_NAME, 'expected a letter, then at most 62 letters, digits, _, - or .')
  .openapi({ example: 'lesson-1' });
const fork = z
  .object({
    name,
    path: z.string().describe('Prefix of all routes of the fork: /fork/lesson-1 in /fork/lesson-1/v0/wallet/balance.'),
    from: z
      .object({ offset: z.int(), time: z.string() })
      .describe('Offset and time of the origin at which the fork begins.'),
    offset: z.int().describe('Newest offset of the fork.'),
    time: z.string().describe('Time on the clock of the fork.'),
  })
  .openapi('DevFork');
const listed = z.object({ forks: z.array(fork) }).openapi('DevForks');
const tags = ['dev'];

export interface ForksNeeds extends Enter {
  readonly forks: Forks;
  readonly world: () => World;
}

export const registerForks: Register<ForksNeeds> = (api, server) => {
  const { forks } = server;

  api.openapi(
    createRoute({
      method: 'post',
      path: '/dev/fork',
      operationId: 'devFork',
      summary: 'Create a second live ledger',
      description:
        'All routes answer for the fork under `/fork/NAME`, also those of `/dev`. The fork shares only the past with its origin: ' +
        'later updates, clock, automation, snapshots and faults are its own. It is kept in memory until it is removed or the server ends.',
      tags,
      request: jsonBody(
        z
          .strictObject({
            name,
            at: z
              .union([z.int().positive(), z.string()])
              .optional()
              .describe('An offset, a time, or the name of a snapshot. Default: now.'),
          })
          .openapi('DevForkRequest'),
      ),
      responses: { 200: answer('The new fork.', fork), ...problems(400, 403, 404, 409, 415) },
    }),
    async (c) => {
      const { name: wanted, at } = c.req.valid('json');
      return c.json(shown(await forks.create(wanted, server.world(), at === undefined ? null : String(at))), 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/forks',
      operationId: 'devForks',
      summary: 'List the forks',
      tags,
      responses: { 200: answer('The forks, oldest first.', listed), ...problems(400, 403, 415) },
    }),
    (c) => c.json({ forks: forks.all.map(shown) }, 200),
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/dev/forks/{name}',
      operationId: 'devDeleteFork',
      summary: 'Remove a fork',
      tags,
      request: { params: z.object({ name: z.string().openapi({ example: 'lesson-1' }) }) },
      responses: { 200: answer('The other forks, oldest first.', listed), ...problems(400, 403, 404, 415) },
    }),
    (c) => {
      forks.remove(c.req.valid('param').name);
      return c.json({ forks: forks.all.map(shown) }, 200);
    },
  );

  const enter = async (c: Context): Promise<Response> => {
    // The forks of a past moment would be those of today.
    server.world().host.requireWritable();
    const { world, ready } = forks.get(c.req.param('name') ?? '');
    // The page of a fork has relative links, so its address ends in a slash.
    if (isPageWithoutSlash(c)) return c.redirect(`${c.req.param('name')}/`);
    await ready();
    const seen = seenOf(c);
    const answered = await server.enter(world, pathInWorld(c.req.path), c);
    seen.route = `/fork/{name}${seen.route ?? ''}`;
    return answered;
  };
  for (const root of ['/fork/:name', '/fork/:name/']) api.all(root, enter);
  api.all('/fork/:name/:path{.+}', enter);
};

function isPageWithoutSlash({ req }: Context): boolean {
  const isPage = req.method === 'GET' && /\btext\/html\b/.test(req.header('accept') ?? '');
  return isPage && /\/fork\/[^/]+$/.test(req.path);
}

function shown({ name: known, from, world }: Fork): z.output<typeof fork> {
  return {
    name: known,
    path: `/fork/${known}`,
    from: { offset: from.offset, time: Instant.format(from.time) },
    offset: world.state.offset,
    time: Instant.format(world.host.now()),
  };
}
