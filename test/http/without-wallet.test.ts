import { createServer } from '@coinlab/http';
import { expect, describe, it } from 'vitest';
import { requestTo, routesOf } from './routes.ts';

const server = await createServer({ clock: 'manual', wallet: false });
const routes = await routesOf(server);
const authorization = `Bearer ${await server.token('ledger-api-user')}`;

const status = async (route: (typeof routes)[number], headers: Record<string, string> = {}): Promise<number> => {
  const { path, init } = requestTo(route);
  return (await server.app.request(path, { ...init, headers })).status;
};

describe('a validator without wallets', () => {
  it('returns 501 to its operator for external-party routes, and 401 or 403 to other callers', async () => {
    const external = routes.filter(({ path }) => path.startsWith('/v0/admin/external-party/'));
    expect(external).toHaveLength(9);
    for (const route of external) {
      expect(route.statuses).toContain(501);
      expect(await status(route, { authorization }), route.path).toBe(501);
      expect(await status(route), route.path).toBe(401);
      expect(await status(route, { authorization: `Bearer ${await server.token('alice')}` }), route.path).toBe(403);
    }
  });

  it('returns 404 for the wallet routes', async () => {
    const wallet = routes.filter(({ path }) => /^\/v[02]\/wallet\/(?!user-status)/.test(path));
    expect(wallet.length).toBeGreaterThan(30);
    for (const route of wallet) {
      expect(await status(route, { authorization }), route.path).toBe(404);
      expect(await status(route), route.path).toBe(401);
    }
  });

  it('serves scan, registry and admin routes', async () => {
    for (const path of ['/v0/dso-party-id', '/registry/metadata/v1/info', '/api/scan/v0/dso'])
      expect((await server.app.request(path)).status).toBe(200);
    expect((await server.app.request('/v0/admin/users', { headers: { authorization } })).status).toBe(200);
  });
});
