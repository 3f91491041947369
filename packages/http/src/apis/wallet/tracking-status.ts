import { trackingOf } from '@coinlab/core/views';
import type { TrackedSubject, TrackingRecord } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../gates/problem.js';
import { answer, TOKEN } from '../../route-parts.js';
import { stateOf, walletOf, type Api, type ServerContext } from '../../server-context.js';

/**
 * Declares the question what became of a tracking id: 404 for one that the wallet has no part in.
 * Source: specification of the API §5.4, §5.6.
 */
export function registerTrackingStatus<Status extends Record<string, unknown>>(
  api: Api,
  server: ServerContext,
  about: {
    /** Path of the requests: `/v0/wallet/transfer-offers`. */
    readonly path: string;
    readonly operationId: string;
    readonly subject: TrackedSubject;
    /** What bears the id, in words. */
    readonly what: string;
    readonly schema: z.ZodType<Status>;
    readonly statusOf: (server: ServerContext, record: TrackingRecord) => Status;
  },
): void {
  const { path, operationId, subject, what, schema, statusOf } = about;
  api.openapi(
    createRoute({
      method: 'post',
      path: `${path}/{tracking_id}/status`,
      operationId,
      tags: ['wallet'],
      security: TOKEN,
      request: { params: z.object({ tracking_id: z.string() }) },
      responses: { 200: answer('What became of it.', schema), ...problems(401, 404) },
    }),
    async (c) => {
      const { party } = await walletOf(c, server);
      const { tracking_id } = c.req.param() as { readonly tracking_id: string };
      const record = trackingOf(stateOf(server), party, subject, tracking_id);
      if (!record) throw new Problem(404, `no ${what} has tracking id ${tracking_id}`);
      return c.json(statusOf(server, record), 200) as never;
    },
  );
}
