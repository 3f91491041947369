import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import timers from 'node:timers';
import { Instant, type Update } from '@coinlab/core';
import { createServer, listen, type ListeningServer, type LogPort } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const CLIENTS = 48;
/** A server that waits for a replaced timer never ends. */
const FAILS_AFTER_MILLIS = 20_000;
const open: Socket[] = [];
const slow: SlowLog[] = [];
let listening: ListeningServer | null = null;

afterEach(async () => {
  vi.useRealTimers();
  // A server waits for its log before it closes.
  for (const log of slow.splice(0)) void log.close();
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

/** Requests are held at most this long. */
const HELD_MILLIS = 5;

/** A log that appends its groups when the test says so. */
class SlowLog implements LogPort {
  readonly groups: number[] = [];
  readonly #answers: ((isAppended: boolean) => void)[] = [];
  isSlow = false;

  constructor() {
    slow.push(this);
  }

  async append(_: number, updates: readonly Update[]): ReturnType<LogPort['append']> {
    this.groups.push(updates.length);
    const isAppended = !this.isSlow || (await new Promise<boolean>((resolve) => this.#answers.push(resolve)));
    return isAppended ? { ok: true, value: null } : { ok: false, error: { code: 'WRITE_FAILED' } };
  }

  answer(isAppended: boolean): void {
    this.#answers.shift()?.(isAppended);
  }

  async close(): Promise<void> {
    this.isSlow = false;
    for (const answer of this.#answers.splice(0)) answer(false);
  }
}

/** A server whose log is appending a group of three updates. */
async function busyServer(clients: number) {
  const log = new SlowLog();
  const { sockets, tap } = await walletServer(3 + clients, log);
  log.isSlow = true;
  log.groups.length = 0;
  const [first, others] = [sockets.slice(0, 3), sockets.slice(3)];
  const answers = answersOf(first, tap);
  await vi.waitUntil(() => log.groups.length > 0);
  expect(log.groups).toEqual([3]);
  return { log, answers, others, tap };
}

describe('a server whose log is busy', () => {
  const ofNode = timers.setTimeout;
  const replaceTimers = (setTimeout: unknown): void => {
    Object.assign(timers, { setTimeout });
    syncBuiltinESMExports();
  };

  describe('without a limit of time', () => {
    beforeEach(() =>
      replaceTimers((run: () => void, millis: number) =>
        millis === HELD_MILLIS ? ofNode(() => undefined, 0) : ofNode(run, millis),
      ),
    );
    afterEach(() => replaceTimers(ofNode));

    it('holds writes until the log is idle, and appends them as one group', async () => {
      const { log, answers, others, tap } = await busyServer(4);
      const more = answersOf(others, tap);
      await turns(50);
      expect(log.groups).toEqual([3]);
      log.isSlow = false;
      log.answer(true);
      for (const answer of [...(await answers), ...(await more)]) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(log.groups).toEqual([3, 4]);
    });

    it('starts as many as a turn runs, and holds others until both groups are appended', async () => {
      const { log, answers, others, tap } = await busyServer(9);
      const more = answersOf(others.slice(0, 8), tap);
      await vi.waitUntil(() => log.groups.length > 1);
      expect(log.groups).toEqual([3, 8]);
      const last = answersOf(others.slice(8), tap);
      await turns(50);
      log.answer(true);
      await answers;
      await turns(50);
      expect(log.groups).toEqual([3, 8]);
      log.isSlow = false;
      log.answer(true);
      for (const answer of [...(await more), ...(await last)]) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(log.groups).toEqual([3, 8, 1]);
    });

    it('holds writes until the log has refused a group', async () => {
      const { log, answers, others, tap } = await busyServer(4);
      const more = answersOf(others, tap);
      await turns(50);
      log.isSlow = false;
      log.answer(false);
      for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      for (const answer of await more) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(log.groups).toEqual([3, 4]);
    });

    it.each([
      { second: 1, after: [1, 1, 1], about: 'starts a write at once while the log appends two updates' },
      { second: 2, after: [1, 2], about: 'holds it while the log appends three in two groups' },
    ])('$about', async ({ second, after }) => {
      const log = new SlowLog();
      const { sockets, tap } = await walletServer(2 + second, log);
      log.isSlow = true;
      log.groups.length = 0;
      const answers = [answersOf(sockets.slice(0, 1), tap)];
      await vi.waitUntil(() => log.groups.length === 1);
      answers.push(answersOf(sockets.slice(1, 1 + second), tap));
      await vi.waitUntil(() => log.groups.length === 2);
      answers.push(answersOf(sockets.slice(1 + second), tap));
      await turns(50);
      expect(log.groups).toEqual([1, second]);
      log.answer(true);
      await answers[0];
      await turns(50);
      expect(log.groups).toEqual(after);
      log.isSlow = false;
      for (let i = 0; i < 2; i++) log.answer(true);
      for (const answer of (await Promise.all(answers)).flat()) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(log.groups).toEqual([1, second, 1]);
    });
  });

  it('answers requests that need no log although the log never answers', async () => {
    const { log, others } = await busyServer(1);
    const malformed = 'POST /v0/wallet/tap HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    for (let i = 0; i < 2; i++)
      for (const answer of await answersOf(others, malformed)) expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(log.groups).toEqual([3]);
  });
});
