import { createServer, LOCALNET, type CoinlabServer } from '@coinlab/http';
import { afterEach, describe, expect, it, vi } from 'vitest';

const open: CoinlabServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function world(coins: number): Promise<CoinlabServer> {
  const start = { parties: [{ name: 'app-user', coins: [coins] }] };
  const server = await createServer({ ...LOCALNET, clock: 'manual', start });
  open.push(server);
  return server;
}

describe('server.fetch in place of the global fetch', () => {
  it('answers the absolute URLs of LocalNet given as text, URL or Request', async () => {
    const server = await world(10);
    vi.stubGlobal('fetch', server.fetch);
    const headers = { authorization: `Bearer ${await server.token('app-user')}` };
    const balance = 'http://wallet.localhost:2000/api/validator/v0/wallet/balance';
    const given = [
      fetch(balance, { headers }),
      fetch(new URL(balance), { headers }),
      fetch(new Request(balance, { headers })),
      fetch(new Request(balance), { headers }),
    ];
    for (const answer of await Promise.all(given))
      expect(await answer.json()).toMatchObject({ effective_unlocked_qty: '10.0000000000' });
    expect((await fetch('http://scan.localhost:4000/api/scan/v0/dso')).status).toBe(200);
    expect((await fetch('http://127.0.0.1:3975/livez')).status).toBe(200);
  });

  it('sends the body of a Request', async () => {
    const { fetch: send, token } = await world(1);
    const headers = { authorization: `Bearer ${await token('app-user')}`, 'content-type': 'application/json' };
    const url = 'http://localhost:2903/api/validator/v0/wallet/tap';
    const tap = new Request(url, { method: 'POST', headers, body: '{"amount":"0.05"}' });
    expect((await send(tap)).status).toBe(200);
    const refused = await send(new Request(url, { method: 'POST', headers, body: '{"amount":"x"}' }));
    expect(refused.status).toBe(400);
  });

  it('keeps the ledgers of ten servers apart', async () => {
    const worlds = await Promise.all(Array.from({ length: 10 }, (_, i) => world(i + 1)));
    const balances = worlds.map(async (server) => {
      const headers = { authorization: `Bearer ${await server.token('app-user')}` };
      const answer = await server.fetch('http://localhost:2000/v0/wallet/balance', { headers });
      return ((await answer.json()) as { effective_unlocked_qty: string }).effective_unlocked_qty;
    });
    expect(await Promise.all(balances)).toEqual(worlds.map((_, i) => `${i + 1}.0000000000`));
  });
});
