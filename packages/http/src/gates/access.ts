import type { RouteConfig } from '@hono/zod-openapi';
import type { Api } from '../request.js';

const ACCESS = ['anyone', 'token', 'user', 'wallet', 'admin', 'operator'] as const;

export type Access = (typeof ACCESS)[number];

export interface AccessTable {
  ofRoute(method: string, path: string): Access;
  ofOther(path: string): Access;
}

/**
 * A path without a route gets the strictest access of its neighbours: of the routes with other methods, else of the routes below
 * the longest prefix that two paths share. A prefix has at least two segments, like `/v0/wallet`.
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

export function declaredRoutes(api: Api): readonly RouteConfig[] {
  return api.openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [one.route] : []));
}

function accessBy(security: RouteConfig['security']): Access {
  const required = security?.[0];
  if (!required) return 'anyone';
  const [role = 'token'] = required['bearer'] ?? [];
  const access = ACCESS.find((one) => one === role);
  if (access === undefined) throw new Error(`unknown role ${role}`);
  return access;
}

function stricter(one: Access, other: Access = 'anyone'): Access {
  return ACCESS.indexOf(one) > ACCESS.indexOf(other) ? one : other;
}

/** Limits the work for long paths of clients; declared paths are shorter. */
const MOST_SEGMENTS = 12;

function prefixesOf(path: string): readonly string[] {
  const [, first = '', ...rest] = path.split('/', MOST_SEGMENTS);
  return rest.map((_, i) => `/${[first, ...rest.slice(0, i + 1)].join('/')}`);
}
