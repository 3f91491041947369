import type { Context, Handler, MiddlewareHandler } from 'hono';
import { soon } from '../request.js';

/** Lets a request through or throws, and does nothing else. */
export type Check = (c: Context) => unknown;

/** A handler behind checks, in their order. */
export function behind(checks: readonly Check[], handler: Handler): Handler {
  return checks.reduceRight<Handler>((then, check) => (c, next) => soon(check(c), () => then(c, next)), handler);
}

const OWN_GATES: WeakSet<object> = new WeakSet();

/** Marks the first middleware of a route that checks who calls and refuses in its own words: no other check goes before it. */
export function ownGate(middleware: MiddlewareHandler): MiddlewareHandler {
  OWN_GATES.add(middleware);
  return middleware;
}

/** Whether a handler is an {@link ownGate}. */
export function isOwnGate(handler: Handler): boolean {
  return OWN_GATES.has(handler);
}
