import { z } from '@hono/zod-openapi';
import { expect, it, onTestFinished, vi } from 'vitest';
import { alice, walletServer } from './wallet-fixture.ts';

it('the query and the path of a request are parsed synchronously, because zod has compiled parsers only for that', async () => {
  const { server } = await walletServer();
  onTestFinished(() => server.close());
  const asynchronous = vi.spyOn(Object.getPrototypeOf(z.object({})), 'safeParseAsync');
  onTestFinished(() => asynchronous.mockRestore());
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  const path = `/v2/parties/${encodeURIComponent(alice)}?parties=${encodeURIComponent(alice)}`;
  expect((await server.fetch(path, { headers })).status).toBe(200);
  expect(asynchronous).not.toHaveBeenCalled();
});
