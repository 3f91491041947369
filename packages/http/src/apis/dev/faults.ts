import type { Faults } from '../../gates/faults.js';
import { createRoute, z } from '@hono/zod-openapi';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';

const LONGEST_DELAY = 60_000;
const millis = z.number().int().min(0).max(LONGEST_DELAY);

const plan = z
  .strictObject({
    delayMs: millis.default(0).describe('Delay of a request in milliseconds.'),
    jitterMs: millis.default(0).describe('Maximum of an additional random delay in milliseconds.'),
    errorRate: z.number().min(0).max(1).default(0).describe('Fraction of requests that fail: 0 none, 1 all.'),
    status: z
      .int()
      .min(400)
      .max(599)
      .default(503)
      // Cast: every status of an error has a body.
      .transform((code) => code as ContentfulStatusCode)
      .openapi({ type: 'integer' })
      .describe('Status of the failed requests: any from 400 to 599.'),
    path: z
      .string()
      .startsWith('/')
      .default('/')
      .describe('Start of the paths to which the plan applies, without the prefix of an API such as /api/scan.'),
    count: z
      .number()
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Number of delayed or failed requests after which the plan ends; null: never.'),
    seed: z
      .number()
      .int()
      .min(0)
      .max(0xffff_ffff)
      .default(1)
      .describe('Random seed. The same requests with the same seed have the same faults.'),
    when: z
      .enum(['before', 'after'])
      .default('before')
      .describe('Fail before the request takes effect, or after it: then only the response is lost.'),
  })
  .refine(
    ({ delayMs, jitterMs, errorRate }) => delayMs + jitterMs + errorRate > 0,
    'expected delayMs, jitterMs or errorRate',
  )
  .openapi('DevFaultPlan', { example: { delayMs: 200, jitterMs: 300, errorRate: 0.1, path: '/v0/wallet' } });

const faultStatus = z
  .object({
    plan: plan.nullable().describe('The active plan.'),
    concerned: z.number().int().describe('Number of requests to which the last plan applied.'),
    delayed: z.number().int(),
    failed: z.number().int(),
  })
  .openapi('DevFaults');

const tags = ['dev'];

export interface FaultsNeeds {
  readonly faults: Faults;
}

export const registerFaults: Register<FaultsNeeds> = (api, { faults }) => {
  const path = '/dev/faults';

  api.openapi(
    createRoute({
      method: 'get',
      path,
      operationId: 'devFaults',
      summary: 'Get the active fault plan',
      tags,
      responses: {
        200: answer('The active fault plan and the number of faults injected so far.', faultStatus),
        ...problems(400, 403, 415),
      },
    }),
    (c) => c.json(faults.status, 200),
  );

  api.openapi(
    createRoute({
      method: 'post',
      path,
      operationId: 'devPlanFaults',
      summary: 'Replace the fault plan',
      description:
        'A plan also applies to websockets: it refuses the handshake or, with `after`, closes the websocket after its first message.',
      tags,
      request: jsonBody(plan),
      responses: {
        200: answer('The new fault plan, which replaces the active one.', faultStatus),
        ...problems(400, 403, 415),
      },
    }),
    (c) => {
      faults.plan(c.req.valid('json'));
      return c.json(faults.status, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path,
      operationId: 'devEndFaults',
      summary: 'Remove the fault plan',
      tags,
      responses: { 200: answer('No fault plan is active.', faultStatus), ...problems(400, 403, 415) },
    }),
    (c) => {
      faults.plan(null);
      return c.json(faults.status, 200);
    },
  );
};
