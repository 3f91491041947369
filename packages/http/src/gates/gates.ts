import type { Context, Handler, MiddlewareHandler } from 'hono';
import { soon, type Api } from '../server-context.js';

const GATES: WeakSet<object> = new WeakSet();

/**
 * Middleware that lets a request through or throws, and does nothing else. Gates are not looked for with every request: each route
 * is bound once to those it stands behind.
 */
export function gate(check: (c: Context) => unknown): MiddlewareHandler {
  const handler: MiddlewareHandler = (c, next) => soon(check(c), next) as Promise<void>;
  GATES.add(handler);
  return handler;
}

/** A handler or middleware as it is mounted. */
export interface Mounted {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler;
}

/**
 * What an app declares, in its order, with every gate before the routes that it stands before.
 * @param enter sees a request before the gates do
 */
export function bound(api: Api, enter: (path: string, then: Handler) => Handler): readonly Mounted[] {
  const gates = gatesOf(api);
  const begun = new Set<string>();
  return api.routes
    .filter(({ handler }) => !GATES.has(handler))
    .map(({ method, path, handler }) => {
      const name = `${method} ${path}`;
      // Of a route with several handlers, those who read the request and the one that answers, the first one is behind the gates.
      if (method === 'ALL' || begun.has(name)) return { method, path, handler };
      begun.add(name);
      return { method, path, handler: enter(path, behind(gates, path, handler)) };
    });
}

/**
 * A handler for paths that are no route, behind the gates that stand before everything that begins as they do.
 * @param pathOf the path of a request, as the app has it
 */
export function boundAnywhere(api: Api, pathOf: (c: Context) => string, handler: Handler): Handler {
  const gates = gatesOf(api);
  return (c, next) => behind(gates, pathOf(c), handler)(c, next) as Promise<Response>;
}

interface Gate {
  readonly path: string;
  readonly pass: MiddlewareHandler;
}

function gatesOf(api: Api): readonly Gate[] {
  return api.routes
    .filter(({ handler }) => GATES.has(handler))
    .map(({ path, handler }) => ({ path, pass: handler as MiddlewareHandler }));
}

/** A gate gives what `next` gives it: the answer of whoever stands behind it. */
function behind(gates: readonly Gate[], path: string, handler: Handler): Handler {
  return gates
    .filter((gate) => covers(gate.path, path))
    .reduceRight<Handler>(
      (then, { pass }) =>
        (c, next) =>
          pass(c, () => then(c, next) as Promise<void>) as unknown as Promise<Response>,
      handler,
    );
}

function covers(pattern: string, path: string): boolean {
  if (!pattern.endsWith('/*')) return pattern === path;
  const base = pattern.slice(0, -2);
  return path === base || path.startsWith(`${base}/`);
}
