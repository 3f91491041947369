import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { observeRequests, routeOf } from './observe.js';
import { Problem } from './problem.js';
import { readBodiesAsJson } from './request-body.js';
import { callerOf, operatorOf, type Api, type ServerContext } from './server-context.js';

/** Declares the routes of one API. */
export type Register = (api: Api, server: ServerContext) => void;

/** Public prefixes under which the same routes are served again. */
const PREFIXES: readonly string[] = ['/api/scan', '/api/validator'];

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
    api.use(path, async (c, next) => {
      if (!ADMIN_OF_SCAN.test(c.req.path)) await allow(c, server);
      return next();
    });
  if (!server.config.wallet)
    for (const [path, status] of WALLETS)
      api.use(path, async (c, next) => {
        // Whoever has a token may ask what a user has.
        if (c.req.path.endsWith('/v0/wallet/user-status')) return next();
        throw new Problem(status, 'wallets are not enabled on this validator');
      });
  for (const register of apis) register(api, server);
  answerErrors(api, server);

  const app = new OpenAPIHono();
  app.use(observeRequests(server));
  if (server.config.dev) app.use(server.faults.middleware);
  app.use(readBodiesAsJson(server.config));
  for (const prefix of PREFIXES) app.route(prefix, api);
  app.route('/', api);
  answerErrors(app, server);
  return app;
}

function answerErrors(app: Api, { onFault }: ServerContext): void {
  app.notFound((c) => c.json({ error: `no such route: ${c.req.method} ${c.req.path}` }, 404));
  app.onError((error, c) => {
    if (error instanceof Problem) return c.json({ error: error.message }, error.status, error.headers);
    if (error instanceof HTTPException)
      return c.json({ error: error.message || 'the request is malformed' }, error.status);
    onFault(`${c.req.method} ${routeOf(c)}`, error);
    return c.json({ error: 'a fault of the server, which has been told' }, 500);
  });
}
