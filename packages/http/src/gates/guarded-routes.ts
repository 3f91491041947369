import type { Context, Handler } from 'hono';
import type { Configured } from '../config.js';
import { accessTable, declaredRoutes, type Access } from './access.js';
import { requireOperator, requireToken, requireWallet, type TokenCheck } from './caller.js';
import { behind, type Check } from './gate.js';
import { requireParticipantAdmin, requireUser } from './ledger/rights.js';
import { requireKnownQuery } from './query-names.js';
import { bodyReaders } from './request-body.js';
import { requireJsonType, requireOwnPage, requireOwnPageForKnownSecret } from './web-pages.js';
import type { Host } from '../host/host.js';
import { declaredPath } from '../observe/observe.js';
import { Problem } from '../problem.js';
import type { Api } from '../request.js';

export interface GuardedRoute {
  readonly method: string;
  readonly path: string;
  readonly declared: string;
  readonly handlers: readonly [Handler, ...Handler[]];
}

export type GuardNeeds = TokenCheck &
  Configured<'allowedHosts' | 'auth' | 'host' | 'limits' | 'wallet'> & { readonly host: Pick<Host, 'requireWritable'> };

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** These run before the request is read. Source: specification of the API §1.1. */
const CHECKS: { readonly [Kind in Access]: readonly ((c: Context, server: TokenCheck) => unknown)[] } = {
  anyone: [],
  token: [requireToken],
  user: [requireUser],
  wallet: [requireWallet],
  admin: [requireParticipantAdmin],
  operator: [requireOperator],
};

/** Routes that pass requests on to an app for other worlds, which checks the query and reads the body. */
const PASSED_ON = /\/\{path\}$/;

const DEV_READS: ReadonlySet<string> = new Set(['POST /dev/check', 'POST /dev/tokens']);

/** Source: specification of the API §1.3. Assumption: A-99. */
const OF_WALLETS: readonly (readonly [paths: RegExp, status: 404 | 501])[] = [
  [/^\/v0\/admin\/external-party(\/|$)/, 501],
  [/^\/v[02]\/wallet(\/|$)/, 404],
];

export function guardedRoutes(api: Api, server: GuardNeeds): readonly GuardedRoute[] {
  const access = accessTable(api);
  const readBody = bodyReaders(server);
  const web = { dev: requireOwnPage(server), other: requireOwnPageForKnownSecret(server) };
  const declarations = new Map(
    declaredRoutes(api).map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]),
  );
  const takesBytes = (name: string): boolean =>
    declarations.get(name)?.request?.body?.content['application/octet-stream'] !== undefined;
  const devChecks = (name: string): readonly Check[] => {
    if (PASSED_ON.test(name)) return [web.dev, requireJsonType];
    const route = declarations.get(name);
    const writes = route && METHODS_WITH_BODY.has(route.method.toUpperCase()) && !DEV_READS.has(name);
    return [
      web.dev,
      requireJsonType,
      ...(writes ? [() => server.host.requireWritable()] : []),
      ...(route ? [requireKnownQuery(route)] : []),
    ];
  };
  const routes = new Map<string, GuardedRoute>();
  for (const { method, path, handler } of api.routes) {
    const declared = declaredPath(path);
    const name = `${method} ${declared}`;
    // Hono lists a route's validators and its handler separately. The checks run before the first of them.
    const known = routes.get(name);
    const checks = [
      ...(declared.startsWith('/dev/') ? devChecks(name) : [web.other]),
      ...checksOf(access.ofRoute(method, declared), declared, server),
      ...(METHODS_WITH_BODY.has(method) && !PASSED_ON.test(declared)
        ? [takesBytes(name) ? readBody.bytes : readBody.json]
        : []),
    ];
    const handlers: GuardedRoute['handlers'] = known ? [...known.handlers, handler] : [behind(checks, handler)];
    routes.set(name, { method, path, declared, handlers });
  }
  return [...routes.values()];
}

export function checksOf(kind: Access, path: string, server: GuardNeeds): readonly Check[] {
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
