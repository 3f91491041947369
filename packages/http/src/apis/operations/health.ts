import type { LedgerView } from '../../history/ledger-view.js';
import type { Host } from '../../host/host.js';
import { createRoute } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, emptyBody } from '../../route-parts.js';

export interface HealthNeeds extends Pick<LedgerView, 'state'> {
  readonly ending: AbortSignal;
  readonly host: Pick<Host, 'appendFailure' | 'standby'>;
}

export const registerHealth: Register<HealthNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/livez',
      operationId: 'isLive',
      summary: 'Check that the process runs',
      tags: ['common'],
      responses: { 200: answer('The process answers requests.', emptyBody) },
    }),
    (c) => c.json({}, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/readyz',
      operationId: 'isReady',
      summary: 'Check that the server accepts commands',
      tags: ['common'],
      responses: { 200: answer('The server accepts commands.', emptyBody), ...problems(503) },
    }),
    (c) => {
      if (server.ending.aborted) return c.json({ error: 'the server is shutting down' }, 503);
      const { appendFailure, standby } = server.host;
      if (standby !== null) return c.json({ error: standby }, 503);
      if (appendFailure !== null) return c.json({ error: `the log cannot be written: ${appendFailure}` }, 503);
      return server.state.offset > 0 ? c.json({}, 200) : c.json({ error: 'the ledger is not open yet' }, 503);
    },
  );
};
