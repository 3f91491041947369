import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createServer, type ServerConfigInput } from '@coinlab/http';
import { expect, it } from 'vitest';

async function closedServer(settings: ServerConfigInput): Promise<WeakRef<object>> {
  const server = await createServer({ clock: 'manual', ...settings });
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  expect((await server.fetch('/v0/wallet/user-status', { headers })).status).toBe(200);
  await server.close();
  return new WeakRef(server.host);
}

it.each<[string, ServerConfigInput]>([
  ['development', { dev: true }],
  ['usual', {}],
])('a closed %s server and its ledger are freed', async (_, settings) => {
  setFlagsFromString('--expose-gc');
  // Cast: the flag defines the function.
  const collectGarbage = runInNewContext('gc') as () => void;
  const hosts: WeakRef<object>[] = [];
  for (let i = 0; i < 2; i++) hosts.push(await closedServer(settings));
  await expect
    .poll(() => {
      collectGarbage();
      return hosts.filter((host) => host.deref()).length;
    })
    .toBe(0);
});
