import { Amount } from '@coinlab/core';
import { createServer, HostUnavailable, type CoinlabServer, type ServerConfigInput } from '@coinlab/http';
import { expect, it } from 'vitest';
import { collectGarbage } from '../memory.ts';
import { alice } from './wallet-fixture.ts';

async function fork(server: CoinlabServer, name: string): Promise<void> {
  const body = JSON.stringify({ name });
  const headers = { 'content-type': 'application/json' };
  expect((await server.fetch('/dev/fork', { method: 'POST', headers, body })).status).toBe(200);
  expect((await server.fetch(`/fork/${name}/dev/clock`)).status).toBe(200);
}

async function closedServer(settings: ServerConfigInput): Promise<WeakRef<object>> {
  const server = await createServer({ clock: 'manual', ...settings });
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  expect((await server.fetch('/v0/wallet/user-status', { headers })).status).toBe(200);
  if (server.config.dev) await fork(server, 'a');
  await server.close();
  return new WeakRef(server.host);
}

it.each<[string, ServerConfigInput]>([
  ['development', { dev: true }],
  ['usual', {}],
])('a closed %s server and its ledger are freed', async (_, settings) => {
  const hosts: WeakRef<object>[] = [];
  for (let i = 0; i < 2; i++) hosts.push(await closedServer(settings));
  await expect
    .poll(() => {
      collectGarbage();
      return hosts.filter((host) => host.deref()).length;
    })
    .toBe(0);
});

it('a removed fork is freed while its server runs', async () => {
  const server = await createServer({ clock: 'manual', dev: true });
  const makeAndRemove = async (count: number): Promise<number> => {
    for (let i = 0; i < count; i++) {
      await fork(server, 'a');
      expect((await server.fetch('/dev/forks/a', { method: 'DELETE' })).status).toBe(200);
    }
    // Some objects are freed in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await makeAndRemove(50);
  expect((await makeAndRemove(200)) - before).toBeLessThan(200 * 10_000);
  await server.close();
});

it('a closed server executes no command', async () => {
  const server = await createServer({ clock: 'manual', dev: true });
  const { host } = server;
  const { offset } = host.state;
  await server.close();
  const command = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
  await expect(host.submit(command, [alice])).rejects.toThrow(HostUnavailable);
  expect(host.state.offset).toBe(offset);
});
