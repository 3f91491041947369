import type { Observers } from '../../observe/observe.js';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';

/** What they need of a server. */
export type MetricsNeeds = Pick<Observers, 'metrics'>;

/** What the server counts and measures, for Prometheus. It answers everybody: there is nothing of anybody in it. */
export const registerMetrics: Register<MetricsNeeds> = (api, { metrics }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/metrics',
      operationId: 'metrics',
      summary: 'Get metrics for Prometheus',
      tags: ['common'],
      responses: {
        200: {
          description: 'Counters and histograms in the Prometheus text format.',
          content: { 'text/plain': { schema: z.string() } },
        },
      },
    }),
    async (c) => {
      const { contentType, text } = await metrics.exposed();
      return c.text(text, 200, { 'Content-Type': contentType });
    },
  );
};
