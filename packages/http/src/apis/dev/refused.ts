import { createRoute, z } from '@hono/zod-openapi';
import type { Refusals } from '../../gates/refusals.js';
import { problems } from '../../problem.js';
import type { Register } from '../../request.js';
import { answer } from '../../route-parts.js';
import { wholeNumber } from '../../wire/query.js';

const refusal = z
  .object({
    id: z.int().describe('Counts from 1 in this run of the server.'),
    time: z.string().describe('Ledger time of the refusal.'),
    method: z.string(),
    path: z.string(),
    user: z.string().nullable().describe('User of the request; null without a valid token.'),
    status: z.int(),
    error: z.string(),
    evidence: z
      .record(z.string(), z.unknown())
      .describe('Rejection code and both sides of the violated condition, such as `deadline` and `at`.'),
  })
  .openapi('DevRefusal');

export interface RefusedNeeds {
  readonly refusals: Refusals;
}

export const registerRefused: Register<RefusedNeeds> = (api, { refusals }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/dev/refusals',
      operationId: 'devRefusals',
      summary: 'List refused requests of all clients',
      description:
        'The last 200 requests with a method other than GET that were answered with a status from 400 to 499. An event `refusal` of `/dev/events` has each new one.',
      tags: ['dev'],
      request: {
        query: z.object({
          after: wholeNumber(0).optional().describe('Id of the last refusal that the caller received. Default: 0.'),
        }),
      },
      responses: {
        200: answer('The refusals, oldest first.', z.object({ refusals: z.array(refusal) }).openapi('DevRefusals')),
        ...problems(400, 403, 415),
      },
    }),
    (c) => c.json({ refusals: [...refusals.after(c.req.valid('query').after ?? 0)] }, 200),
  );
};
