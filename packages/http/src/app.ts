import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Handler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { bound, boundAnywhere, gate } from './gates/gates.js';
import { declaredPath, observed, routeOf } from './observe/observe.js';
import { Problem } from './gates/problem.js';
import { RememberingRouter } from './gates/remembering-router.js';
import { readBodyAsJson } from './gates/request-body.js';
import { callerOf, operatorOf, seenOf, type Api, type ServerContext } from './server-context.js';

/** Declares the routes of one API. */
export type Register = (api: Api, server: ServerContext) => void;

/** The same routes are served at the root and under public prefixes. */
const PREFIXES: readonly string[] = ['/api/scan', '/api/validator', ''];
const PREFIX = /^\/api\/(scan|validator)(?=\/)/;

/** What scan, which asks for no token, answers beside the validator's own administration. */
const ADMIN_OF_SCAN = /^(\/api\/(scan|validator))?\/v0\/admin\/(sv\/|validator\/licenses$)/;

/** Who may call, by path: told before anything of the request is read. Source: specification of the API §1.1. */
const GUARDS: readonly (readonly [path: string, allow: typeof callerOf])[] = [
  ['/v0/admin/*', operatorOf],
  ['/v0/wallet/*', callerOf],
  ['/v2/wallet/*', callerOf],
  ['/v0/register', callerOf],
  ['/v0/scan-proxy/*', callerOf],
  ['/v0/entry/*', callerOf],
];

/** What a validator without wallets answers, to those who may ask. Source: specification of the API §1.3. Assumption: A-99. */
const WALLETS: readonly (readonly [path: string, status: 404 | 501])[] = [
  ['/v0/admin/external-party/*', 501],
  ['/v0/wallet/*', 404],
  ['/v2/wallet/*', 404],
];

/** The whole HTTP API as one app that answers requests without a socket. */
export function createApp(server: ServerContext, apis: readonly Register[]): Api {
  const api = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success)
        throw new Problem(
          400,
          result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
        );
    },
  });
  for (const [path, allow] of GUARDS)
    api.use(
      path,
      gate((c) => (ADMIN_OF_SCAN.test(c.req.path) ? null : allow(c, server))),
    );
  if (!server.config.wallet)
    for (const [path, status] of WALLETS)
      api.use(
        path,
        gate((c) => {
          // Whoever has a token may ask what a user has.
          if (!c.req.path.endsWith('/v0/wallet/user-status'))
            throw new Problem(status, 'wallets are not enabled on this validator');
        }),
      );
  for (const register of apis) register(api, server);

  const { faults } = server;
  const entered =
    (route: string | null, then: Handler): Handler =>
    (c, next) => {
      seenOf(c).route = route;
      return faults.areAskedFor ? faults.around(c, then, next) : then(c, next);
    };
  const app = new OpenAPIHono({ router: new RememberingRouter() });
  app.openAPIRegistry = api.openAPIRegistry;
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', readBodyAsJson(server.config));
  for (const prefix of PREFIXES)
    for (const { method, path, handler } of bound(api, (path, then) => entered(declaredPath(prefix + path), then))) {
      if (method === 'ALL') app.use(prefix + path, handler);
      else app.on(method, prefix + path, handler);
    }
  const noRoute = (c: Context): Response => c.json({ error: `no such route: ${c.req.method} ${c.req.path}` }, 404);
  const answerNoRoute = entered(
    null,
    boundAnywhere(api, (c) => c.req.path.replace(PREFIX, ''), noRoute),
  );
  app.notFound((c) => answerNoRoute(c, async () => undefined) as Promise<Response>);
  answerErrors(app, server);
  app.fetch = observed(server, app.fetch);
  return app;
}

function answerErrors(app: Api, { onFault }: ServerContext): void {
  app.onError((error, c) => {
    if (error instanceof Problem) return c.json({ error: error.message }, error.status, error.headers);
    if (error instanceof HTTPException)
      return c.json({ error: error.message || 'the request is malformed' }, error.status);
    onFault(`${c.req.method} ${routeOf(c)}`, error);
    return c.json({ error: 'a fault of the server, which has been told' }, 500);
  });
}
