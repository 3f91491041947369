import type { RouteConfig } from '@hono/zod-openapi';
import { Problem } from '../problem.js';
import type { Check } from './gate.js';

/** Misspelt parameters would otherwise be ignored. */
export function requireKnownQuery({ request }: RouteConfig): Check {
  const query = request?.query;
  const known = query && 'shape' in query ? Object.keys(query.shape) : [];
  return (c) => {
    for (const name of Object.keys(c.req.queries()))
      if (!known.includes(name))
        throw new Problem(400, `query: unknown parameter ${name}; this route has: ${known.join(', ') || 'none'}`);
  };
}
