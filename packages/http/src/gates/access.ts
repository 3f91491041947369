import type { RouteConfig } from '@hono/zod-openapi';
import type { Api } from '../request.js';

/** Who may call: everybody, any valid token, that of a user with a wallet, or the operator's. The later, the stricter. */
const ACCESS = ['anyone', 'token', 'wallet', 'operator'] as const;

/** One of {@link ACCESS}. */
export type Access = (typeof ACCESS)[number];

/** Who may call what, as the routes declare it. */
export interface AccessTable {
  ofRoute(method: string, path: string): Access;
  /** Of a path that is no route, or not with the method of the request. */
  ofOther(path: string): Access;
}

/**
 * Reads who may call each route from its `security`. A path without a route is guarded like the strictest of its neighbours: the routes of other
 * methods, or else those below the longest prefix above it that two paths share. A prefix has at least two segments, as `/v0/wallet` has.
 */
export function accessTable(api: Api): AccessTable {
  const routes = new Map<string, Access>();
  const paths = new Map<string, Access>();
  for (const { method, path, security } of declaredRoutes(api)) {
    const access = accessBy(security);
    routes.set(`${method.toUpperCase()} ${path}`, access);
    paths.set(path, stricter(access, paths.get(path)));
  }
  const prefixes = new Map<string, { access: Access; isShared: boolean }>();
  for (const [path, access] of paths)
    for (const prefix of prefixesOf(path)) {
      const known = prefixes.get(prefix);
      prefixes.set(prefix, { access: stricter(access, known?.access), isShared: known !== undefined });
    }
  return {
    ofRoute: (method, path) => routes.get(`${method} ${path}`) ?? 'anyone',
    ofOther(path) {
      const [first, ...longer] = prefixesOf(path);
      const above = [first, ...longer.slice(0, -1)].map((prefix) => prefixes.get(prefix ?? ''));
      return paths.get(path) ?? above.findLast((one) => one?.isShared)?.access ?? 'anyone';
    },
  };
}

/** The routes of the document. */
export function declaredRoutes(api: Api): readonly RouteConfig[] {
  return api.openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [one.route] : []));
}

function accessBy(security: RouteConfig['security']): Access {
  const required = security?.[0];
  if (!required) return 'anyone';
  const [role = 'token'] = required['bearer'] ?? [];
  const access = ACCESS.find((one) => one === role);
  if (access === undefined) throw new Error(`no role is called ${role}`);
  return access;
}

function stricter(one: Access, other: Access = 'anyone'): Access {
  return ACCESS.indexOf(one) > ACCESS.indexOf(other) ? one : other;
}

/** No declared path is longer; a path that a client sends may be. */
const MOST_SEGMENTS = 12;

/** The prefixes of a path, from two segments on, and the path itself. */
function prefixesOf(path: string): readonly string[] {
  const [, first = '', ...rest] = path.split('/', MOST_SEGMENTS);
  return rest.map((_, i) => `/${[first, ...rest.slice(0, i + 1)].join('/')}`);
}
