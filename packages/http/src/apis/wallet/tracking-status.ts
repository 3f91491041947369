import type { LedgerAccess } from '../../gates/submit.js';
import { trackingOf } from '@coinlab/core/views';
import type { TrackedSubject, TrackingRecord } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../problem.js';
import { answer, WALLET } from '../../route-parts.js';
import type { Api } from '../../request.js';
import { walletOf } from '../../gates/caller.js';

export function registerTrackingStatus<Status extends Record<string, unknown>>(
  api: Api,
  server: LedgerAccess,
  about: {
    readonly path: string;
    readonly operationId: string;
    readonly subject: TrackedSubject;
    readonly what: string;
    readonly schema: z.ZodType<Status>;
    readonly statusOf: (server: LedgerAccess, record: TrackingRecord) => Status;
  },
): void {
  const { path, operationId, subject, what, schema, statusOf } = about;
  api.openapi(
    createRoute({
      method: 'post',
      path: `${path}/{tracking_id}/status`,
      operationId,
      summary: `Get the status of a ${what}`,
      tags: ['wallet'],
      security: WALLET,
      request: { params: z.object({ tracking_id: z.string() }) },
      responses: { 200: answer('The status of the request with this tracking id.', schema), ...problems(401, 404) },
    }),
    (c) => {
      const { party } = walletOf(c);
      const { tracking_id } = c.req.param();
      const record = trackingOf(server.state, party, subject, tracking_id);
      if (!record) throw new Problem(404, `no ${what} has tracking id ${tracking_id}`);
      return c.json(statusOf(server, record), 200);
    },
  );
}
