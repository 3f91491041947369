import { connect, type Socket } from 'node:net';
import { createServer, listen, type CoinlabServer, type ListeningServer, type LogPort } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

class Connection {
  readonly #socket: Socket;
  received = '';
  isEnded = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (data) => (this.received += data.toString()));
    socket.on('end', () => (this.isEnded = true));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isEnded = true));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  send(method: string, path: string, headers: readonly string[] = []): void {
    this.#socket.write(`${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`);
  }

  async until(seen: RegExp): Promise<string> {
    await eventually(() => seen.test(this.received));
    const { received } = this;
    this.received = '';
    return received;
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 10 }).toBe(true);
}

let server: CoinlabServer;
let listening: ListeningServer;
let release: () => void;
let isSlow: boolean;

beforeEach(async () => {
  isSlow = false;
  const taken = { ok: true, value: null } as const;
  const log: LogPort = {
    append: () => (isSlow ? new Promise((resolve) => (release = () => resolve(taken))) : Promise.resolve(taken)),
    close: async () => undefined,
  };
  server = await createServer({ clock: 'manual', dev: true, port: 0, limits: { shutdownSeconds: 60 } }, { log });
  listening = await listen(server);
});
afterEach(() => listening.close());

const token = async (): Promise<string> => `Authorization: Bearer ${await server.token('zoe')}`;

describe('a server during its shutdown', () => {
  it('answers requests that it accepted, with Connection: close', async () => {
    const connection = await Connection.open(listening.port);
    isSlow = true;
    connection.send('POST', '/v0/register', [await token(), 'Content-Length: 0']);
    await eventually(() => release !== undefined);
    const closing = listening.close();
    release();
    const answer = await connection.until(/party_id/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    await closing;
    await eventually(() => connection.isEnded);
  });

  it('answers a request on a keep-alive connection and closes it', async () => {
    const connection = await Connection.open(listening.port);
    connection.send('GET', '/livez');
    expect(await connection.until(/\{\}$/)).toMatch(/\r\nconnection: keep-alive\r\n/i);
    const closing = listening.close();
    connection.send('GET', '/v0/dso');
    const answer = await connection.until(/dso_party_id/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    await closing;
    await eventually(() => connection.isEnded);
  });

  it('is not ready and refuses new connections', async () => {
    const connection = await Connection.open(listening.port);
    connection.send('GET', '/readyz');
    await connection.until(/\{\}$/);
    const closing = listening.close();
    connection.send('GET', '/readyz');
    expect(await connection.until(/error/)).toMatch(/^HTTP\/1\.1 503 /);
    await expect(Connection.open(listening.port)).rejects.toThrow(/ECONNREFUSED/);
    await closing;
  });

  it('does not wait for idle connections and event streams', async () => {
    const silent = await Connection.open(listening.port);
    const idle = await Connection.open(listening.port);
    idle.send('GET', '/livez');
    await idle.until(/\{\}$/);
    const stream = await Connection.open(listening.port);
    stream.send('GET', '/dev/events?from=0');
    await stream.until(/id: 1\n/);
    const began = performance.now();
    await listening.close();
    expect(performance.now() - began).toBeLessThan(30_000);
    await eventually(() => silent.isEnded && idle.isEnded && stream.isEnded);
    // The stream ended properly, with its last chunk.
    expect(stream.received).toMatch(/0\r\n\r\n$/);
  });

  it('waits up to shutdownSeconds for a client that does not read', async () => {
    const told = await createServer({ clock: 'manual', port: 0, limits: { shutdownSeconds: 1 } });
    const { port, close } = await listen(told);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    // The response exceeds the socket buffers; the client reads only its first part.
    told.app.get('/long', (c) => c.body('x'.repeat(50_000_000)));
    const isAnswering = new Promise((resolve) => socket.once('data', resolve));
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    await isAnswering;
    socket.pause();
    const began = performance.now();
    await close();
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(9_000);
    socket.destroy();
  });

  it('answers 503 to a request after it has closed', async () => {
    await listening.close();
    const headers = { authorization: (await token()).slice('Authorization: '.length) };
    const answer = await server.app.request('/v0/register', { method: 'POST', headers });
    expect([answer.status, await answer.json()]).toEqual([503, { error: expect.any(String) as string }]);
  });
});
