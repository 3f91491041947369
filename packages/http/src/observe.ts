import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler, Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { userOf } from './server-context.js';

/** An id that a client may give its request: what is longer or has other signs is replaced. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/**
 * Gives every request an id, and tells of it once it is answered: by which route, with which status, how quickly, for whom.
 * Never what was sent: not its path, which may hold anything, and neither headers, query nor body.
 */
export function observeRequests({ logger, metrics }: { logger: Logger; metrics: Metrics }): MiddlewareHandler {
  return async (c, next) => {
    const began = performance.now();
    const given = c.req.header('x-request-id');
    const id = given !== undefined && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    name(c, id);
    await next();
    const seconds = (performance.now() - began) / 1000;
    const method = METHODS.has(c.req.method) ? c.req.method : 'other';
    const { status } = c.res;
    const route = routeOf(c);
    metrics.answered({ method, route, status }, seconds);
    const user = userOf(c);
    const facts = { requestId: id, method, route, status, ms: Math.round(seconds * 1e6) / 1e3 };
    logger.info(user === null ? facts : { ...facts, user }, 'request');
  };
}

/** On a socket the answer of Node takes the header; headers of the web would be made for this one alone. */
function name(c: Context, id: string): void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing) outgoing.setHeader('X-Request-Id', id);
  else c.header('X-Request-Id', id);
}

/** The route that a request was for, as it is declared: `/v0/wallet/transfer-offers/{contract_id}`; one name for all that are none. */
export function routeOf(c: Context): string {
  // Guards and other middleware end in a star.
  const path = matchedRoutes(c).find((route) => !route.path.endsWith('*'))?.path;
  if (path === undefined) return 'unknown';
  let declared = DECLARED.get(path);
  if (declared === undefined) {
    declared = path.replaceAll(/:([\w-]+)(\{[^}]*\})?/g, '{$1}');
    DECLARED.set(path, declared);
  }
  return declared;
}

/** Routes as they are declared, by how the router has them: there are as many as routes. */
const DECLARED: Map<string, string> = new Map();
