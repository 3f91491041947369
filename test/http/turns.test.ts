import { connect, type Socket } from 'node:net';
import { Instant, type Update } from '@coinlab/core';
import { createServer, listen, type ListeningServer, type LogPort } from '@coinlab/http';
import { afterEach, describe, expect, it, vi } from 'vitest';

const CLIENTS = 48;
/** A server that waits for a replaced timer never ends. */
const FAILS_AFTER_MILLIS = 20_000;
const open: Socket[] = [];
let listening: ListeningServer | null = null;

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of open.splice(0)) socket.destroy();
  await listening?.close();
  listening = null;
}, FAILS_AFTER_MILLIS);

async function connected(count: number, port: number): Promise<readonly Socket[]> {
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket));
          socket.on('error', reject);
        }),
    ),
  );
  open.push(...sockets);
  return sockets;
}

/** All clients send in one turn of the event loop, so the server receives all requests in one of its turns. */
function answersOf(sockets: readonly Socket[], request: string): Promise<readonly string[]> {
  const answers = sockets.map(
    (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
  );
  for (const socket of sockets) socket.write(request);
  return Promise.all(answers);
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

async function walletServer(clients: number, log: LogPort | null = null, told: () => void = () => undefined) {
  const logger = { info: told, warn: () => undefined, error: () => undefined };
  const server = await createServer(
    { dev: true, clock: 'manual', traffic: 'free', port: 0 },
    { logger, ...(log && { log }) },
  );
  listening = await listen(server);
  const head = `Host: x\r\nAuthorization: Bearer ${await server.token('alice')}\r\n`;
  const read = `GET /v0/wallet/balance HTTP/1.1\r\n${head}\r\n`;
  const body = '{"amount":"1"}';
  const tap = `POST /v0/wallet/tap HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const sockets = await connected(clients, listening.port);
  // All connections are accepted, and the token is verified, which takes several turns once.
  await answersOf(sockets, read);
  return { sockets, read, tap };
}

describe('a server that receives many writes at once', () => {
  it('begins a few in each turn of the event loop, and all reads at once', async () => {
    let turn = 0;
    const handled = new Map<number, number>();
    const { sockets, read, tap } = await walletServer(
      CLIENTS,
      null,
      () => void handled.set(turn, (handled.get(turn) ?? 0) + 1),
    );
    const next = (): void => {
      turn += 1;
      ticking = setImmediate(next);
    };
    let ticking = setImmediate(next);
    const mostOf = async (request: string): Promise<number> => {
      handled.clear();
      for (const answer of await answersOf(sockets, request)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect([...handled.values()].reduce((sum, count) => sum + count, 0)).toBe(CLIENTS);
      return Math.max(...handled.values());
    };
    // Two halves of turns lie between two ticks.
    expect(await mostOf(tap)).toBeLessThanOrEqual(16);
    expect(await mostOf(read)).toBeGreaterThan(16);
    clearImmediate(ticking);
  });

  it('drops those that wait when their connections close', async () => {
    let handled = 0;
    const { sockets, tap } = await walletServer(CLIENTS, null, () => (handled += 1));
    handled = 0;
    for (const socket of sockets) socket.write(tap);
    await turns(1);
    for (const socket of sockets) socket.resetAndDestroy();
    await turns(50);
    expect(handled).toBeGreaterThan(0);
    expect(handled).toBeLessThan(CLIENTS);
  });

  it('lets pipelined requests wait behind those of other connections', async () => {
    let handled = 0;
    const { sockets, tap } = await walletServer(CLIENTS, null, () => (handled += 1));
    const [other, ...pipelining] = sockets;
    for (const socket of pipelining) socket.write(tap.repeat(20));
    handled = 0;
    await turns(20);
    const before = handled;
    const answered = answersOf(other ? [other] : [], tap);
    let handledMeanwhile = 0;
    await answered.then(() => (handledMeanwhile = handled - before));
    expect(before).toBeGreaterThan(0);
    expect(handledMeanwhile).toBeGreaterThan(0);
    expect(handledMeanwhile).toBeLessThan(CLIENTS / 2);
  });

  it('answers pipelined requests although other connections always have requests', async () => {
    const { sockets, tap } = await walletServer(CLIENTS);
    const [pipelining, ...others] = sockets;
    let [isOver, othersAnswered] = [false, 0];
    for (const socket of others) {
      socket.on('data', () => {
        othersAnswered += 1;
        isOver ||= othersAnswered === 2_000;
        if (!isOver) socket.write(tap);
      });
      socket.write(tap);
    }
    let text = '';
    const isAnswered = new Promise<boolean>((resolve) => {
      pipelining?.on('data', (data) => {
        text += String(data);
        if (text.split('HTTP/1.1 200').length - 1 === 20) resolve(!isOver);
      });
    });
    pipelining?.write(tap.repeat(20));
    expect(await isAnswered).toBe(true);
    isOver = true;
  });

  it('appends the commands of a turn as one group', async () => {
    const groups: number[] = [];
    let offset = 0;
    const log: LogPort = {
      async append(_: number, updates: readonly Update[]) {
        groups.push(updates.length);
        offset += updates.length;
        return { ok: true, value: { offset, hash: '' } };
      },
      close: async () => undefined,
    };
    const { sockets, tap } = await walletServer(8, log);
    groups.length = 0;
    for (const answer of await answersOf(sockets, tap)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(groups).toEqual([8]);
  });

  it(
    'answers all of them while a test replaces the timers of the process',
    { timeout: FAILS_AFTER_MILLIS },
    async () => {
      const { sockets, tap } = await walletServer(CLIENTS);
      vi.useFakeTimers({ now: Number(Instant.of('2026-01-01T00:00:00Z') / 1000n) });
      for (const answer of await answersOf(sockets, tap)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});
