import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Handler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { registerApis, type ApiNeeds } from './apis/index.js';
import type { Configured } from './config.js';
import { accessTable, declaredRoutes, type Access } from './gates/access.js';
import { requireOperator, requireToken, requireWallet, type TokenCheck } from './gates/caller.js';
import { requireParticipantAdmin, requireUser } from './gates/ledger-rights.js';
import { behind, type Check } from './gates/gate.js';
import { crossOrigin } from './gates/cross-origin.js';
import { CachingRouter } from './gates/caching-router.js';
import { HostUnavailable, isDamage } from './host/host.js';
import { cantonErrorOf } from './gates/ledger-errors.js';
import { requireKnownQuery } from './gates/query-names.js';
import { readBodyAsJson } from './gates/request-body.js';
import { requireJsonType, requireOwnPage, requireOwnPageForKnownSecret } from './gates/web-pages.js';
import { declaredPath, observed, routeOf, type Observers } from './observe/observe.js';
import { Problem, type ProblemStatus } from './problem.js';
import { seenOf, type Api } from './request.js';
import { LEDGER_TAG } from './route-parts.js';

const PREFIXES: readonly string[] = ['/api/scan', '/api/validator', ''];
const PREFIX = /^\/api\/(scan|validator)(?=\/)/;

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Checks per kind of access, run before the request is read. Source: specification of the API §1.1. */
const CHECKS: { readonly [Kind in Access]: readonly ((c: Context, server: TokenCheck) => unknown)[] } = {
  anyone: [],
  token: [requireToken],
  user: [requireUser],
  wallet: [requireWallet],
  admin: [requireParticipantAdmin],
  operator: [requireOperator],
};

/** Routes that a validator without wallets refuses. Source: specification of the API §1.3. Assumption: A-99. */
const OF_WALLETS: readonly (readonly [paths: RegExp, status: 404 | 501])[] = [
  [/^\/v0\/admin\/external-party(\/|$)/, 501],
  [/^\/v[02]\/wallet(\/|$)/, 404],
];

export type AppNeeds = ApiNeeds &
  TokenCheck &
  Observers &
  Configured<'allowedHosts' | 'auth' | 'corsOrigins' | 'host' | 'limits' | 'wallet'>;

export function createApp(server: AppNeeds): Api {
  const api = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success)
        throw new Problem(
          400,
          result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
        );
    },
  });
  registerApis(api, server);

  const { faults } = server;
  const access = accessTable(api);
  const web = { dev: requireOwnPage(server), other: requireOwnPageForKnownSecret(server) };
  const readBody = readBodyAsJson(server);
  const routes = new Map(declaredRoutes(api).map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));
  const devChecks = (name: string): readonly Check[] => {
    const route = routes.get(name);
    return [web.dev, requireJsonType, ...(route ? [requireKnownQuery(route)] : [])];
  };
  const entered =
    (route: string | null, then: Handler): Handler =>
    (c, next) => {
      seenOf(c).route = route;
      return faults.isActive ? faults.around(c, then, next) : then(c, next);
    };
  const app = new OpenAPIHono({ router: new CachingRouter() });
  app.openAPIRegistry = api.openAPIRegistry;
  for (const prefix of PREFIXES) {
    const begun = new Set<string>();
    for (const { method, path, handler } of api.routes) {
      const declared = declaredPath(path);
      const name = `${method} ${declared}`;
      // Hono lists a route's validators and its handler separately. The checks run before the first of them.
      const isFirst = !begun.has(name);
      begun.add(name);
      const checks = [
        ...(declared.startsWith('/dev/') ? devChecks(name) : [web.other]),
        ...checksOf(access.ofRoute(method, declared), declared, server),
        ...(METHODS_WITH_BODY.has(method) ? [readBody] : []),
      ];
      app.on(method, prefix + path, isFirst ? entered(prefix + declared, behind(checks, handler)) : handler);
    }
  }
  const noRoute = (c: Context): never => {
    throw new Problem(404, `no such route: ${c.req.method} ${c.req.path}`);
  };
  const answerNoRoute = entered(null, (c, next) => {
    const path = c.req.path.replace(PREFIX, '');
    return behind(checksOf(access.ofOther(path), path, server), noRoute)(c, next);
  });
  app.notFound((c) => answerNoRoute(c, async () => undefined));
  answerErrors(app, server);
  app.fetch = observed(server, crossOrigin(server, app.fetch));
  return app;
}

function checksOf(kind: Access, path: string, server: AppNeeds): readonly Check[] {
  const checks: Check[] = CHECKS[kind].map((check) => (c) => check(c, server));
  const [, status] = OF_WALLETS.find(([paths]) => paths.test(path)) ?? [];
  // The routes for any token exist without wallets too.
  if (server.config.wallet || status === undefined || kind === 'token') return checks;
  return [
    ...checks,
    () => {
      throw new Problem(status, 'wallets are not enabled on this validator');
    },
  ];
}

/** Answers errors as `{error}`, on routes of the JSON Ledger API as JsCantonError. Source: specification of the API §0.5, §8.2. */
function answerErrors(app: Api, { onFault }: AppNeeds): void {
  const ledgerPaths = new Set(
    declaredRoutes(app).flatMap(({ tags, path }) => (tags?.includes(LEDGER_TAG) ? [path] : [])),
  );
  app.onError((error, c) => {
    const problem = problemOf(error);
    if (!problem) onFault(`${c.req.method} ${routeOf(c)}`, error);
    const answered = problem ?? new Problem(500, 'internal error; the server has logged it');
    const { message, details, status, headers } = answered;
    const isOfLedger = ledgerPaths.has(routeOf(c).replace(PREFIX, ''));
    return c.json(isOfLedger ? cantonErrorOf(answered) : { error: message, ...details }, status, headers);
  });
}

function problemOf(error: Error): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) {
    // Cast: Hono throws only the statuses of refused requests.
    const status = error.status as ProblemStatus;
    return new Problem(status, error.message || 'the request is malformed');
  }
  if (error instanceof HostUnavailable) return new Problem(503, error.message);
  return isDamage(error) ? new Problem(500, error.message) : null;
}
