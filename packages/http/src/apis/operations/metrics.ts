import type { Observers } from '../../observe/observe.js';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';

export type MetricsNeeds = Pick<Observers, 'metrics'>;

/** Needs no token: metrics contain no data of parties. */
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
