import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { type Api, type Seen, seenOf } from '../request.js';

/** An id that a client may give its request: what is longer or has other signs is replaced. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** What is told of every request. */
export interface Observers {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Gives every request an id, and tells of it once it is answered: by which route, with which status, how quickly, for whom.
 * Never what was sent: not its path, which may hold anything, and neither headers, query nor body.
 * It stands around an app, not in it: what can be answered at once is, without waiting for promises that are kept already.
 */
export function observed(
  { logger, metrics }: Observers,
  answer: Api['fetch'],
): (...of: Parameters<Api['fetch']>) => ReturnType<Api['fetch']> {
  return (request, env, executionCtx) => {
    const began = performance.now();
    // The adapter of Node hands these on, and Hono does not type them.
    const { incoming, outgoing } = (env ?? {}) as Pick<Seen, 'incoming' | 'outgoing'>;
    const seen: Seen = { incoming, outgoing, route: null, caller: null };
    const given = incoming ? incoming.headers['x-request-id'] : request.headers.get('x-request-id');
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    // On a socket the answer of Node takes the header; headers of the web would be made for this one alone.
    outgoing?.setHeader('X-Request-Id', id);
    const tell = (response: Response): Response => {
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
    return answered instanceof Promise ? answered.then(tell) : tell(answered);
  };
}

/** The route that a request was for, as it is declared: `/v0/wallet/transfer-offers/{contract_id}`; one name for all that are none. */
export function routeOf(c: Context): string {
  const seen = seenOf(c);
  // Guards and other middleware end in a star.
  const path = seen.route ?? matchedRoutes(c).find((route) => !route.path.endsWith('*'))?.path;
  return (seen.route = path === undefined ? 'unknown' : declaredPath(path));
}

/** A path of the router as it is declared: with parameters in braces. */
export function declaredPath(path: string): string {
  return path.replaceAll(/:([\w-]+)(\{[^}]*\})?/g, '{$1}');
}
