import type { Context, Handler, MiddlewareHandler } from 'hono';
import { soon } from '../request.js';

/** Throws to refuse a request. */
export type Check = (c: Context) => unknown;

export function behind(checks: readonly Check[], handler: Handler): Handler {
  return checks.reduceRight<Handler>((then, check) => (c, next) => soon(check(c), () => then(c, next)), handler);
}

const OWN_GATES: WeakSet<object> = new WeakSet();

/** Marks a route's first middleware as its only access check, with its own error format. */
export function ownGate(middleware: MiddlewareHandler): MiddlewareHandler {
  OWN_GATES.add(middleware);
  return middleware;
}

export function isOwnGate(handler: Handler): boolean {
  return OWN_GATES.has(handler);
}
