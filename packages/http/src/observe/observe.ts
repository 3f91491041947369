import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { setHeader } from './late-headers.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { type Api, type Seen, seenOf } from '../request.js';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

export interface Observers {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Never logs contents of a request: path, headers, query and body may contain anything. It wraps the app's fetch instead of being
 * middleware, so that synchronous responses stay synchronous.
 */
export function observed(
  { logger, metrics }: Observers,
  answer: Api['fetch'],
): (...of: Parameters<Api['fetch']>) => ReturnType<Api['fetch']> {
  return (request, env, executionCtx) => {
    const began = performance.now();
    // Node's adapter passes these; Hono has no types for them.
    const { incoming, outgoing } = (env ?? {}) as Pick<Seen, 'incoming' | 'outgoing'>;
    const seen: Seen = { incoming, outgoing, route: null, caller: null };
    const given = incoming ? incoming.headers['x-request-id'] : request.headers.get('x-request-id');
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    // On a socket, set the header on Node's response: web headers would be created for this one alone.
    if (outgoing) setHeader(outgoing, 'X-Request-Id', id);
    const record = (response: Response): Response => {
      if (!outgoing) response.headers.set('X-Request-Id', id);
      const seconds = (performance.now() - began) / 1000;
      const method = METHODS.has(request.method) ? request.method : 'other';
      const route = seen.route ?? 'unknown';
      const { status } = response;
      metrics.answered(method, route, status, seconds);
      const ms = Math.round(seconds * 1e6) / 1e3;
      const user = seen.caller?.user;
      logger.info(
        user === undefined
          ? { requestId: id, method, route, status, ms }
          : { requestId: id, method, route, status, ms, user },
        'request',
      );
      return response;
    };
    const answered = answer(request, seen, executionCtx);
    return answered instanceof Promise ? answered.then(record) : record(answered);
  };
}

export function routeOf(c: Context): string {
  const seen = seenOf(c);
  // Paths of middleware end in a star.
  const path = seen.route ?? matchedRoutes(c).find((route) => !route.path.endsWith('*'))?.path;
  return (seen.route = path === undefined ? 'unknown' : declaredPath(path));
}

export function declaredPath(path: string): string {
  return path.replaceAll(/:([\w-]+)(\{[^}]*\})?/g, '{$1}');
}
