import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer, listen, type CoinlabServer, type ListeningServer, type ServerConfigInput } from '@coinlab/http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { runs } from '../chance.js';

const open: ListeningServer[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function started(settings: ServerConfigInput = {}): Promise<{ server: CoinlabServer; here: ListeningServer }> {
  const server = await createServer({ clock: 'manual', port: 0, ...settings });
  const here = await listen(server);
  open.push(here);
  return { server, here };
}

interface Conversation {
  readonly socket: Socket;
  /** All output until the connection closed. */
  readonly answered: Promise<string>;
  heard(): string;
}

function say({ port }: ListeningServer, text: string): Conversation {
  let answer = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  sockets.push(socket);
  socket.on('data', (data) => (answer += data.toString())).on('error', () => undefined);
  const answered = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  return { socket, answered, heard: () => answer };
}

interface Slow {
  readonly here: ListeningServer;
  readonly handled: () => number;
  readonly release: () => void;
}

/** Starts a server whose route `/slow` answers no request until it is released. */
async function startedSlow(): Promise<Slow> {
  const { server, here } = await started();
  let handled = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  server.app.get('/slow', async (c) => {
    handled += 1;
    await held;
    return c.json({});
  });
  return { here, handled: () => handled, release: () => release() };
}

/** Calls the function with the server's socket of every request that Node has parsed. Returns a function that ends this. */
function onParsed(act: (socket: Socket) => void): () => void {
  // Cast: the message of Node's channel, https://nodejs.org/api/diagnostics_channel.html#http
  const listener = (message: unknown): void => act((message as { readonly socket: Socket }).socket);
  subscribe('http.server.request.start', listener);
  return () => void unsubscribe('http.server.request.start', listener);
}

const head = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;

describe('a request with a body that does not arrive', () => {
  it.each(['POST /v0/wallet/tap', 'POST /v0/admin/users', 'POST /nothing', 'PUT /v0/wallet/nothing'])(
    'is answered without waiting for its body: %s',
    async (line) => {
      const { here } = await started();
      const one = say(here, head(line, 'Content-Length: 900'));
      await expect
        .poll(() => one.heard().split(' ')[1])
        .toBe(line.endsWith('/nothing') && !line.includes('wallet') ? '404' : '401');
    },
  );
});

describe('unfinished request bodies', () => {
  const UNFINISHED = 60_000;
  const begin = head('POST /registry/transfer-instruction/v1/transfer-factory', 'Content-Length: 60000');

  it('are refused above the memory limit, oldest first, and complete bodies are accepted', async () => {
    const { here } = await started({ limits: { unfinishedBodyBytes: UNFINISHED } });
    const slow: Conversation[] = [];
    for (let i = 0; i < 4; i++) {
      slow.push(say(here, `${begin}${'x'.repeat(20_000)}`));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const [first, second] = await Promise.all(slow.slice(0, 2).map(({ answered }) => answered));
    for (const answer of [first, second])
      expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*connection: close[^]*\{"error":".+"\}$/i);
    const whole = await fetch(`${here.url}/v0/amulet-rules`, { method: 'POST', body: `{"x":"${'x'.repeat(5_000)}"}` });
    expect(whole.status).toBe(200);
    expect(slow.slice(2).map((one) => one.heard())).toEqual(['', '']);
  });

  it('free their memory when the client disconnects, and count the overhead of single bytes', async () => {
    const { here } = await started({ limits: { unfinishedBodyBytes: UNFINISHED } });
    for (let i = 0; i < 5; i++) {
      const one = say(here, `${begin}${'x'.repeat(20_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      one.socket.destroy();
      await one.answered;
    }
    const last = say(here, `${begin}${'x'.repeat(20_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(last.heard()).toBe('');
    const drip = setInterval(() => last.socket.write('x'), 1);
    expect(await last.answered).toMatch(/^HTTP\/1\.1 503 /);
    clearInterval(drip);
  });
});

describe('pipelined requests of one connection', () => {
  it('are answered in order', async () => {
    const { here } = await started();
    const paths = ['/livez', '/nothing', '/readyz', '/v0/wallet/balance', '/livez'];
    const last = head('GET /version', 'Connection: close');
    const answer = await say(here, `${paths.map((path) => head(`GET ${path}`)).join('')}${last}`).answered;
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '404',
      '200',
      '401',
      '200',
      '200',
    ]);
  });

  it('with bodies are answered in the order of arrival', async () => {
    const { server, here } = await started({ dev: true });
    const token = await server.token('alice');
    const tap = (amount: number): string => {
      const body = `{"amount":"${amount}"}`;
      return head('POST /v0/wallet/tap', `Authorization: Bearer ${token}`, `Content-Length: ${body.length}`) + body;
    };
    const answer = await say(here, `${tap(1)}${tap(0)}${tap(2)}${head('GET /livez', 'Connection: close')}`).answered;
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400', '200', '200']);
  });

  it('are dropped when their connection closes', async () => {
    const { here, handled, release } = await startedSlow();
    const { socket, answered } = say(here, head('GET /slow').repeat(50));
    await expect.poll(handled).toBe(1);
    socket.destroy();
    await answered;
    release();
    await fetch(`${here.url}/livez`);
    await fetch(`${here.url}/livez`);
    expect(handled()).toBe(1);
  });

  it('are dropped when their connection closes after many answers', async () => {
    const { here, handled, release } = await startedSlow();
    const many = say(here, head('GET /livez').repeat(1_000));
    await expect.poll(() => many.heard().split('HTTP/1.1 200').length - 1).toBe(1_000);
    many.socket.write(head('GET /slow').repeat(3));
    await expect.poll(handled).toBe(1);
    many.socket.write(head('GET /slow'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    many.socket.destroy();
    await many.answered;
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await fetch(`${here.url}/livez`);
    await fetch(`${here.url}/livez`);
    expect(handled()).toBe(1);
  });

  it('with bodies that look like the ends of many heads are answered as quickly as with others', async () => {
    const { here } = await started();
    const millisOf = async (blank: string): Promise<number> => {
      const body = `{"x":1${blank.repeat(250_000)}}`;
      const post = head('POST /v0/amulet-rules', `Content-Length: ${body.length}`) + body;
      const began = performance.now();
      const answer = await say(here, post + head('GET /livez', 'Connection: close')).answered;
      expect(answer.split('HTTP/1.1 200').length - 1).toBe(2);
      return performance.now() - began;
    };
    await millisOf('    ');
    expect((await millisOf('\r\n\r\n')) / (await millisOf('    '))).toBeLessThan(10);
  });

  it('are all answered when 2,000 are sent at once', async () => {
    const { here } = await started();
    const last = head('GET /livez', 'Connection: close');
    const answer = await say(here, head('GET /livez').repeat(1_999) + last).answered;
    expect(answer.split('HTTP/1.1 200').length - 1).toBe(2_000);
  });

  it('of a client that reads no response and disconnects cause no error', async () => {
    const { here } = await started();
    const failures: Error[] = [];
    const fail = (error: Error): void => void failures.push(error);
    process.on('uncaughtException', fail);
    const socket = connect(here.port, '127.0.0.1');
    // Node answers these requests itself, and pauses the connection when its buffers are full.
    const refused = head('GET /livez', 'Expect: nothing', `X: ${'x'.repeat(500)}`).repeat(60_000);
    for (let at = 0; at < refused.length; at += 1_000_000) socket.write(refused.slice(at, at + 1_000_000));
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    socket.destroy();
    await here.close();
    process.off('uncaughtException', fail);
    expect(failures).toEqual([]);
  });

  it('delay a request of another connection by fewer than 250 requests', async () => {
    const { server, here } = await started();
    const order: string[] = [];
    server.app.get('/from/:client', (c) => {
      order.push(c.req.param('client'));
      return c.json({});
    });
    const pipelining = say(here, head('GET /from/pipelining').repeat(500));
    await expect.poll(() => order.length, { interval: 1 }).toBeGreaterThan(0);
    const before = order.length;
    const other = say(here, head('GET /from/other', 'Connection: close'));
    await other.answered;
    expect(order.indexOf('other') - before).toBeLessThan(250);
    await expect.poll(() => pipelining.heard().split('HTTP/1.1 200').length - 1).toBe(500);
  });

  it('with bodies of a megabyte are read completely', async () => {
    const { here } = await started();
    const body = `{"x":"${'x'.repeat(1_000_000)}"}`;
    const post = head('POST /v0/amulet-rules', `Content-Length: ${body.length}`) + body;
    const answer = await say(here, post + post + head('GET /livez', 'Connection: close')).answered;
    expect(answer.split('HTTP/1.1 200').length - 1).toBe(3);
  });

  it.each([1_500, 2_048, 3_000, 4_500, 22_000, 70_000])(
    'with bodies of %i bytes are read completely and answered in order',
    async (size) => {
      const { server, here } = await started({ dev: true });
      const token = await server.token('alice');
      const tap = (amount: number): string => {
        const body = `{"amount":"${amount}"${' '.repeat(size)}}`;
        return head('POST /v0/wallet/tap', `Authorization: Bearer ${token}`, `Content-Length: ${body.length}`) + body;
      };
      const last = head('GET /livez', 'Connection: close');
      const answer = await say(here, `${tap(1)}${tap(0)}${tap(2)}${last}`).answered;
      expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        '200',
        '400',
        '200',
        '200',
      ]);
    },
  );

  it('are not read from the network without limit while another is answered', async () => {
    const { here, release } = await startedSlow();
    const sockets = new Set<Socket>();
    const end = onParsed((socket) => sockets.add(socket));
    const pipelining = say(here, head('GET /slow').repeat(40_000));
    await new Promise((resolve) => setTimeout(resolve, 500));
    end();
    expect(sockets.size).toBe(1);
    for (const { bytesRead } of sockets) expect(bytesRead).toBeLessThan(200_000);
    pipelining.socket.destroy();
    release();
  });

  it('are answered alike, however their bytes are cut', async () => {
    const { server, here } = await started({ dev: true });
    const token = await server.token('alice');
    const tap = (body: string): string =>
      head('POST /v0/wallet/tap', `Authorization: Bearer ${token}`, `Content-Length: ${body.length}`) + body;
    const requests: readonly (readonly [text: string, status: string])[] = [
      [head('GET /livez'), '200'],
      [head('GET /nothing', `X: ${'x'.repeat(3_000)}`), '404'],
      [head('GET /v0/wallet/balance'), '401'],
      [tap('{"amount":"1"}'), '200'],
      [tap(`{"amount":"0"${'\r\n\r\n'.repeat(1_000)}}`), '400'],
      [head('POST /v0/wallet/tap', 'Transfer-Encoding: chunked') + 'c\r\n{"x":"\r\n\r\n"}\r\n0\r\n\r\n', '401'],
    ];
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 4_000 })), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...requests), { maxLength: 12 }), sizes, async (asked, cuts) => {
        const text = asked.map(([each]) => each).join('') + head('GET /livez', 'Connection: close');
        const one = say(here, '');
        one.socket.setNoDelay();
        for (let at = 0, i = 0; at < text.length; i++) {
          // Single bytes only at first: a whole text of them would take too long.
          const size = i < 200 ? (cuts[i % cuts.length] as number) : text.length;
          one.socket.write(text.slice(at, at + size));
          at += size;
          await new Promise((resolve) => setImmediate(resolve));
        }
        const statuses = [...(await one.answered).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
        expect(statuses).toEqual([...asked.map(([, status]) => status), '200']);
      }),
      { numRuns: runs(60) },
    );
  });

  it('are read one at a time while another is answered', async () => {
    const { here, release } = await startedSlow();
    const parsed = new Map<Socket, number>();
    const end = onParsed((socket) => parsed.set(socket, (parsed.get(socket) ?? 0) + 1));
    const slow = head('GET /slow');
    const many = slow.repeat(1_000);
    const clients = [say(here, many), say(here, slow)];
    // A head that arrives in two pieces, cut at each place of its end.
    for (const cut of [1, 2, 3]) clients.push(say(here, many.slice(0, slow.length * 2 - cut)));
    // A head with its end in single bytes.
    const inBytes = say(here, many.slice(0, slow.length * 2 - 4));
    clients.push(inBytes);
    await expect.poll(() => parsed.size).toBe(6);
    for (const [i, cut] of [1, 2, 3].entries()) clients[2 + i]?.socket.write(many.slice(slow.length * 2 - cut));
    for (let at = slow.length * 2 - 4; at < slow.length * 2 - 1; at++) {
      inBytes.socket.setNoDelay().write(many.charAt(at));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    inBytes.socket.write(many.slice(slow.length * 2 - 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([...parsed.values()].toSorted()).toEqual([1, 2, 2, 2, 2, 2]);
    end();
    release();
    const answers = (): number[] => clients.map((one) => one.heard().split('HTTP/1.1 200').length - 1);
    await expect.poll(answers, { timeout: 20_000 }).toEqual([1_000, 1, 1_000, 1_000, 1_000, 1_000]);
  });
});

describe('the OpenAPI document and its page', () => {
  it.each(['/openapi.json', '/docs', '/docs/swagger-ui-bundle.js'])(
    'take less than 10 ms of CPU at %s',
    async (path) => {
      const { server } = await started();
      await server.app.request(path);
      // The smallest of ten figures: on a busy machine garbage collection and caches double single ones.
      const millis: number[] = [];
      for (let batch = 0; batch < 10; batch++) {
        const before = process.cpuUsage();
        for (let i = 0; i < 5; i++) await (await server.app.request(path)).arrayBuffer();
        const { user, system } = process.cpuUsage(before);
        millis.push((user + system) / 5_000);
      }
      expect(Math.min(...millis)).toBeLessThan(10);
    },
  );
});

describe('deeply nested JSON', () => {
  it.each([
    ['arrays', '['.repeat(200_000)],
    ['closed arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a field of a command', `{"actAs":[],"command":{"type":"Tap","amount":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`],
    [
      'after a string with brackets and quotes',
      `{"a":"]]]]\\"","actAs":[],"command":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    ],
  ])('is refused with 400 in a body with %s', async (_, body) => {
    const { server } = await started({ dev: true });
    const headers = { authorization: `Bearer ${await server.token('ledger-api-user')}` };
    for (const path of [
      '/dev/submit',
      '/dev/faults',
      '/v0/wallet/tap',
      '/v0/admin/users',
      '/v0/amulet-rules',
      '/v1/state/acs',
    ])
      expect([path, (await server.app.request(path, { method: 'POST', headers, body })).status]).toEqual([path, 400]);
  });

  it('is accepted up to 100 levels, not counting brackets in strings', async () => {
    const { server } = await started();
    const deep = `{"a":${'['.repeat(99)}"${'[{'.repeat(500)}"${']'.repeat(99)}}`;
    expect((await server.app.request('/v0/amulet-rules', { method: 'POST', body: deep })).status).toBe(200);
  });
});

describe('a shared secret of a server that listens beyond loopback', () => {
  it('is refused if it is shorter than 32 bytes', async () => {
    const listenWith = async (secret: string): Promise<void> => {
      const auth = { algorithm: 'hs-256-unsafe', secret } as const;
      const server = await createServer({ clock: 'manual', host: '0.0.0.0', port: 0, auth });
      open.push(await listen(server).catch((error: unknown) => server.close().then(() => Promise.reject(error))));
    };
    await expect(listenWith('x'.repeat(31))).rejects.toThrow(/auth\.secret/);
    await listenWith('x'.repeat(32));
    await listenWith('ä'.repeat(16));
  });
});

describe('a request sent in pieces', () => {
  it('is read completely, after its token is checked', async () => {
    const { server, here } = await started({ dev: true });
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const status = await new Promise((resolve, reject) => {
      const post = request(
        { port: here.port, host: '127.0.0.1', method: 'POST', path: '/v0/wallet/tap', headers },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      post.on('error', reject);
      post.write('{"amount":');
      setTimeout(() => post.end('"1"}'), 50);
    });
    expect(status).toBe(200);
  });
});
