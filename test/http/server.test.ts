import { mkdtempSync, rmSync } from 'node:fs';
import { IncomingMessage, request } from 'node:http';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, listen, type ListeningServer, type LogPort, type ServerConfigInput } from '@coinlab/http';
import { Amount, Engine, type Command } from '@coinlab/core';
import { openFileStore } from '@coinlab/store';
import { afterEach, describe, expect, it } from 'vitest';

const open: ListeningServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function started(settings: ServerConfigInput = {}): Promise<ListeningServer> {
  const server = await listen(await createServer({ clock: 'manual', port: 0, ...settings }));
  open.push(server);
  return server;
}

/** Sends raw bytes and returns the response. */
function raw({ port }: ListeningServer, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
  });
}

describe('a listening server', () => {
  it('answers at its URL', async () => {
    const { url } = await started();
    const answer = await fetch(`${url}/readyz`);
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: {} });
  });

  it('answers an internal error as JSON without its message', async () => {
    const server = await createServer({ clock: 'manual' });
    const faults: string[] = [];
    const told = await createServer({ clock: 'manual' }, { onFault: (what) => faults.push(what) });
    told.app.get('/breaks', () => {
      throw new Error('secret');
    });
    const answer = await told.app.request('/breaks');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(faults).toEqual(['GET /breaks']);
    await server.close();
    await told.close();
  });

  it('refuses headers that are too large', async () => {
    const answer = await raw(await started(), `GET /readyz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 .*\{"error":".+"\}$/s);
  });

  it('refuses malformed requests', async () => {
    expect(await raw(await started(), 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*\{"error":".+"\}$/s);
  });

  it('refuses a body that is too large, with and without Content-Length', async () => {
    const { url, port } = await started({ limits: { bodyBytes: 100 } });
    const announced = await fetch(`${url}/v0/amulet-rules`, { method: 'POST', body: 'x'.repeat(101) });
    expect({ status: announced.status, body: await announced.json() }).toEqual({
      status: 413,
      body: { error: expect.any(String) as string },
    });
    const status = await new Promise((resolve) => {
      const chunked = request({ port, host: '127.0.0.1', method: 'POST', path: '/v0/amulet-rules' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      chunked.on('error', () => undefined);
      chunked.write('x'.repeat(60));
      chunked.end('x'.repeat(60));
    });
    expect(status).toBe(413);
  });

  it.each([false, true])(
    'does not wait for the body of a destroyed request, received completely: %s',
    async (complete) => {
      const server = await createServer({ clock: 'manual' });
      const headers = { authorization: `Bearer ${await server.token('alice')}`, host: 'localhost' };
      const incoming = Object.assign(new IncomingMessage(new Socket()), { complete, headers }).destroy();
      await new Promise((resolve) => incoming.once('close', resolve));
      const posted = new Request('http://localhost/v0/register', { method: 'POST', headers });
      const answer = await Promise.race([server.app.fetch(posted, { incoming }), sleep(5_000, null, { ref: false })]);
      expect(await answer?.json()).toEqual({ error: 'the body is incomplete' });
      await server.close();
    },
  );

  it('refuses a request that takes longer than the limit', async () => {
    const answer = await raw(await started({ limits: { requestSeconds: 1 } }), 'GET /readyz HTTP/1.1\r\nHost: x\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*\{"error":".+"\}$/s);
  });

  it('refuses connections above its limit, and accepts them again once others have closed', async () => {
    const server = await started({ limits: { connections: 1 } });
    const first = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    const get = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(await raw(server, get)).toMatch(/^HTTP\/1\.1 503 .*\{"error":".+"\}$/s);
    first.destroy();
    await expect.poll(() => raw(server, get)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('answers requests that it accepted before it closes', async () => {
    let release = (): void => undefined;
    let reached = (): void => undefined;
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    const slow: LogPort = {
      append: () => {
        reached();
        return new Promise((resolve) => (release = () => resolve({ ok: true, value: null })));
      },
      close: async () => undefined,
    };
    const isFast: LogPort = { append: async () => ({ ok: true, value: null }), close: async () => undefined };
    let port: LogPort = isFast;
    const log: LogPort = { append: (offset, updates) => port.append(offset, updates), close: () => port.close() };
    const server = await createServer({ clock: 'manual', port: 0 }, { log });
    const listening = await listen(server);
    port = slow;
    const token = await server.token('alice');
    const asked = fetch(`${listening.url}/v0/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    await isReached;
    const closing = listening.close();
    release();
    expect((await asked).status).toBe(200);
    await closing;
    await expect(fetch(`${listening.url}/livez`)).rejects.toThrow();
  });
});

describe('listening beyond loopback', () => {
  it('is refused with the default secret and with dev', async () => {
    const secret = { algorithm: 'hs-256-unsafe', secret: 'a secret of our own, long enough' } as const;
    const exposed = async (settings: ServerConfigInput): Promise<unknown> => {
      const server = await createServer({ clock: 'manual', host: '0.0.0.0', port: 0, ...settings });
      return listen(server).finally(() => server.close());
    };
    await expect(exposed({})).rejects.toThrow(/host/);
    await expect(exposed({ auth: secret, dev: true })).rejects.toThrow(/dev/);
    const allowed = await started({ host: '0.0.0.0', allowUnsafeSecretBeyondLoopback: true });
    expect((await fetch(`http://127.0.0.1:${allowed.port}/livez`)).status).toBe(200);
    const own = await started({ host: '0.0.0.0', auth: secret });
    expect((await fetch(`http://127.0.0.1:${own.port}/livez`)).status).toBe(200);
  });
});

describe('a server with a log', () => {
  it('keeps its ledger and users after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    const openLog = async (): Promise<Awaited<ReturnType<typeof createServer>>> => {
      const engine = new Engine();
      const lines: string[] = [];
      const store = await openFileStore({
        folder,
        onUpdate: (update) => engine.apply(update),
        onLine: (line) => void lines.push(line),
      });
      if (!store.ok) throw new Error(store.error.code);
      const recovered = lines.length === 0 ? {} : { recovered: { state: engine.snapshot(), lines } };
      return createServer({ clock: 'manual' }, { log: store.value, ...recovered });
    };
    const first = await openLog();
    await first.app.request('/v0/register', {
      method: 'POST',
      headers: { authorization: `Bearer ${await first.token('alice')}` },
    });
    const { offset } = first.host.state;
    await first.close();
    const second = await openLog();
    expect(second.host.state.offset).toBe(offset);
    const users = await second.app.request('/v0/admin/users', {
      headers: { authorization: `Bearer ${await second.token('ledger-api-user')}` },
    });
    expect(await users.json()).toEqual({ usernames: expect.arrayContaining(['alice']) as unknown });
    await second.close();
    rmSync(folder, { recursive: true });
  });

  it('answers 503 while the log cannot be written, and recovers', async () => {
    let isFull = false;
    const log: LogPort = {
      append: async () =>
        isFull ? { ok: false, error: { code: 'WRITE_FAILED', reason: 'no space' } } : { ok: true, value: null },
      close: async () => undefined,
    };
    const server = await createServer({ clock: 'manual' }, { log });
    const register = async (user: string): Promise<number> => {
      const headers = { authorization: `Bearer ${await server.token(user)}` };
      return (await server.app.request('/v0/register', { method: 'POST', headers })).status;
    };
    isFull = true;
    const before = server.host.state.offset;
    expect(await register('alice')).toBe(503);
    expect(server.host.state.offset).toBe(before);
    isFull = false;
    expect(await register('alice')).toBe(200);
    await server.close();
  });

  it('keeps accepted updates when a command throws an error', async () => {
    const server = await createServer({ clock: 'manual' });
    const { host, validator } = server;
    const before = host.state.offset;
    const tap = (amount: Amount): ReturnType<typeof host.submit> =>
      host.submit({ type: 'Tap', receiver: validator, amount }, [validator]);
    const good = tap(Amount.of('1'));
    const breaking: Command = {
      type: 'Tap',
      receiver: validator,
      get amount(): Amount {
        throw new Error('a mistake');
      },
    };
    await expect(host.submit(breaking, [validator])).rejects.toThrow('a mistake');
    expect((await good).ok).toBe(true);
    expect((await tap(Amount.of('2'))).ok).toBe(true);
    expect(host.state.offset).toBe(before + 2);
    await server.close();
  });
});
