import { createServer, openPort, parseServerConfig, type ServerConfig } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

function configOf(input: object): ServerConfig {
  const parsed = parseServerConfig(input);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.value;
}

const settings = { clock: 'manual', port: 0 } as const;

describe('a port whose server is still starting', () => {
  it('is live, is not ready, has the status not_initialized and refuses other requests', async () => {
    const port = await openPort(configOf(settings));
    const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
      const answer = await fetch(port.url + path, init);
      return { status: answer.status, body: (await answer.json()) as unknown };
    };
    const refusal = 'the server is starting and reads its log; retry when GET /readyz returns 200';
    for (const prefix of ['', '/api/scan', '/api/validator']) {
      expect(await ask(`${prefix}/livez`)).toEqual({ status: 200, body: {} });
      expect(await ask(`${prefix}/status?x=1`)).toEqual({
        status: 200,
        body: { not_initialized: { active: false } },
      });
      expect(await ask(`${prefix}/readyz`)).toEqual({ status: 503, body: { error: refusal } });
      expect(await ask(`${prefix}/v0/dso`)).toEqual({ status: 503, body: { error: refusal } });
    }
    expect(await ask('/v2/state/ledger-end')).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', cause: refusal },
    });
    const post = await fetch(`${port.url}/v0/wallet/tap`, { method: 'POST', body: '{"amount":"1.0"}' });
    expect({ status: post.status, retry: post.headers.get('retry-after') }).toEqual({ status: 503, retry: '1' });
    await port.close();
  });

  it('answers with the server once it has started, also on a connection that was open before', async () => {
    const port = await openPort(configOf(settings));
    expect((await fetch(`${port.url}/readyz`)).status).toBe(503);
    const listening = port.serve(await createServer(settings));
    expect(listening.url).toBe(port.url);
    expect((await fetch(`${port.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${port.url}/status`)).json()).toHaveProperty('success');
    await listening.close();
    await expect(fetch(`${port.url}/livez`)).rejects.toThrow();
  });

  it('is free again when the start fails', async () => {
    const first = await openPort(configOf(settings));
    const port = Number(new URL(first.url).port);
    await expect(openPort(configOf({ port }))).rejects.toThrow('EADDRINUSE');
    await first.close();
    const second = await openPort(configOf({ port }));
    expect(new URL(second.url).port).toBe(String(port));
    await second.close();
  });
});
