import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../app.js';
import { problems } from '../problem.js';
import { stateOf } from '../server-context.js';

const empty = z.object({}).openapi('Empty');

/** Whether the server lives, and whether it can take requests. Source: specification of the API §0.6. */
export const registerHealth: Register = (api, server) => {
  const answer = { 200: { description: 'Yes.', content: { 'application/json': { schema: empty } } } };
  api.openapi(
    createRoute({ method: 'get', path: '/livez', operationId: 'isLive', tags: ['common'], responses: answer }),
    (c) => c.json({}, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/readyz',
      operationId: 'isReady',
      tags: ['common'],
      responses: { ...answer, ...problems(503) },
    }),
    (c) => (stateOf(server).offset > 0 ? c.json({}, 200) : c.json({ error: 'the ledger is not open yet' }, 503)),
  );
};
