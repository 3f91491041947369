import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../app.js';

/** What the server counts and measures, for Prometheus. It answers everybody: there is nothing of anybody in it. */
export const registerMetrics: Register = (api, { metrics }) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/metrics',
      operationId: 'metrics',
      tags: ['common'],
      responses: {
        200: {
          description: 'What the server counts and measures, in the text format of Prometheus.',
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
