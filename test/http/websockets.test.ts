import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { Amount, type PartyId } from '@coinlab/core';
import {
  createServer,
  listen,
  signToken,
  type CoinlabServer,
  type ListeningServer,
  type ServerConfigInput,
} from '@coinlab/http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { ledgerServer } from './ledger-commands-fixture.ts';
import { alice, bob, walletServer } from './wallet-fixture.ts';
import { FREE_TRAFFIC } from './steady-settings.ts';

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

let open: { server: CoinlabServer; port: ListeningServer }[] = [];
afterEach(async () => {
  await Promise.all(open.map(({ port }) => port.close()));
  open = [];
});

async function started(settings: ServerConfigInput = {}): Promise<{ server: CoinlabServer; port: ListeningServer }> {
  const server = await createServer({ ...FREE_TRAFFIC, dev: true, clock: 'manual', port: 0, ...settings });
  const one = { server, port: await listen(server) };
  open.push(one);
  return one;
}

class Client {
  readonly socket: WebSocket;
  readonly messages: any[] = [];
  readonly closed: Promise<number>;

  constructor(url: string, protocols: readonly string[], options = {}) {
    this.socket = new WebSocket(url.replace('http', 'ws'), [...protocols], options);
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }

  /** Waits for the handshake. Returns the status of a refused one. */
  async opened(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve(101));
      this.socket.once('unexpected-response', (_, answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      });
      this.socket.once('error', reject);
    });
  }

  async until(count: number): Promise<any[]> {
    while (this.messages.length < count) await once(this.socket, 'message');
    return this.messages;
  }
}

async function client(
  { server, port }: { server: CoinlabServer; port: ListeningServer },
  path: string,
  request: object,
  user = 'alice',
): Promise<Client> {
  const one = new Client(port.url + path, [`jwt.token.${await server.token(user)}`, 'daml.ws.auth']);
  expect(await one.opened()).toBe(101);
  one.socket.send(JSON.stringify(request));
  return one;
}

const tap = (server: CoinlabServer, receiver: PartyId) =>
  server.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, receiver);
const readers = async ({ port }: { port: ListeningServer }): Promise<number> => {
  const metrics = await (await fetch(`${port.url}/metrics`)).text();
  return Number(/^coinlab_websocket_readers (\d+)$/m.exec(metrics)?.[1]);
};
const filter = { filtersByParty: { [alice]: {} } };
const offsets = (messages: readonly any[]): number[] => messages.map(({ update }) => update.Transaction.value.offset);

describe('a websocket of updates', () => {
  it.each(['/v2/updates', '//v2/updates', '/api/ledger/v2/updates', '/v2/updates/flats', '/v2/updates/trees'])(
    'at %s sends the updates after an offset, then each new update',
    async (path) => {
      const one = await started();
      const begin = Number(one.server.state.offset);
      await tap(one.server, alice);
      const stream = await client(one, path, { beginExclusive: begin, filter, verbose: true });
      await stream.until(1);
      await tap(one.server, bob);
      await tap(one.server, alice);
      const messages = await stream.until(2);
      const transactions = messages.map(({ update }) => (update.Transaction ?? update.TransactionTree).value);
      expect(transactions.map(({ offset }) => offset)).toEqual([begin + 1, begin + 3]);
      expect(stream.socket.protocol).toBe('daml.ws.auth');
    },
  );

  it('of a fork sends the updates of the fork, and ends when it is removed', async () => {
    const one = await started();
    const dev = (method: string, path: string, body?: object) =>
      one.server.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) });
    await dev('POST', '/dev/fork', { name: 'a' });
    const begin = Number(one.server.state.offset);
    const stream = await client(one, '/fork/a/v2/updates', { beginExclusive: begin, filter, verbose: true });
    await tap(one.server, alice);
    await tap(one.server, alice);
    const command = { type: 'Tap', receiver: alice, amount: '3.25' };
    await dev('POST', '/fork/a/dev/submit', { actAs: [alice], command });
    const [first] = await stream.until(1);
    expect(offsets([first])).toEqual([begin + 1]);
    expect(JSON.stringify(first)).toContain('3.25');
    const past = await client(one, `/fork/a/dev/at/${begin}/v2/updates`, { beginExclusive: begin - 3, filter });
    const live = await client(one, '/v2/updates', { beginExclusive: begin, filter });
    expect(offsets(await live.until(2))).toEqual([begin + 1, begin + 2]);
    await dev('DELETE', '/dev/forks/a');
    expect(await stream.closed).toBe(1000);
    expect(offsets(past.messages).every((offset) => offset <= begin)).toBe(true);
    expect(live.messages).toHaveLength(2);
  });

  it('of a past state sends no later updates, and lists the contracts of that state', async () => {
    const one = await started();
    await tap(one.server, alice);
    const then = Number(one.server.state.offset);
    await tap(one.server, alice);
    const range = { beginExclusive: then - 1, endInclusive: then, filter };
    const past = await client(one, `/dev/at/${then}/v2/updates`, range);
    expect(await past.closed).toBe(1000);
    expect(offsets(past.messages)).toEqual([then]);
    const coinsAt = async (path: string, activeAtOffset: number): Promise<number> => {
      const list = await client(one, `${path}/v2/state/active-contracts`, { activeAtOffset, filter });
      await list.closed;
      return list.messages.length;
    };
    expect(await coinsAt('', then + 1)).toBe((await coinsAt(`/dev/at/${then}`, then)) + 1);
  });

  it.each([
    ['/fork/nowhere/v2/updates', 404],
    ['/dev/at/9999/v2/updates', 404],
    ['/dev/at/%E0%A4%A/v2/updates', 400],
  ])('is refused at %s with the status %i', async (path, status) => {
    const one = await started();
    const refused = new Client(one.port.url + path, [`jwt.token.${await one.server.token('alice')}`, 'daml.ws.auth']);
    expect(await refused.opened()).toBe(status);
  });

  it('accepts an older filter with an empty updateFormat, as wallet SDK 1.4.0 sends it', async () => {
    const one = await started();
    const interfaceId = { InterfaceFilter: { value: { interfaceId: HOLDING, includeInterfaceView: true } } };
    const cumulative = [{ identifierFilter: interfaceId }];
    const request = { verbose: true, updateFormat: {}, filter: { filtersByParty: { [alice]: { cumulative } } } };
    const stream = await client(one, '//v2/updates', { beginExclusive: 0, ...request });
    const [first] = await stream.until(1);
    expect(first.update.Transaction.value.events[0].CreatedEvent.interfaceViews).toHaveLength(1);
  });

  it('ends after endInclusive, in descending order on request', async () => {
    const one = await started();
    const begin = Number(one.server.state.offset);
    for (let i = 0; i < 3; i++) await tap(one.server, alice);
    const range = { beginExclusive: begin, endInclusive: begin + 2, filter };
    const stream = await client(one, '/v2/updates', range);
    expect(await stream.closed).toBe(1000);
    expect(offsets(stream.messages)).toEqual([begin + 1, begin + 2]);
    const down = await client(one, '/v2/updates', { ...range, descendingOrder: true });
    await down.closed;
    expect(offsets(down.messages)).toEqual([begin + 2, begin + 1]);
  });

  it('sends an update before the submission is answered, so that a client has the update when it gets the answer', async () => {
    const ledger = await ledgerServer(await walletServer({ port: 0 }));
    const one = { server: ledger.server, port: await listen(ledger.server) };
    open.push(one);
    const stream = await client(one, '/v2/updates', { beginExclusive: ledger.server.state.offset, filter });
    for (let i = 1; i <= 5; i++) {
      const { disclosedContracts, ...exercise } = ledger.tapOf('alice', '1');
      const answer = await fetch(`${one.port.url}/v2/commands/submit-and-wait`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await ledger.server.token('alice')}` },
        body: JSON.stringify({
          commands: [{ ExerciseCommand: exercise }],
          disclosedContracts,
          commandId: `tap ${i}`,
          actAs: [alice],
        }),
      });
      expect(answer.status).toBe(200);
      expect(stream.messages).toHaveLength(i);
      await answer.body?.cancel();
    }
  });

  it('ends with an error when the ledger is reverted', async () => {
    const one = await started();
    const beginExclusive = one.server.state.offset;
    const stream = await client(one, '/v2/updates', { beginExclusive, filter });
    const completions = await client(one, '/v2/commands/completions', { beginExclusive, parties: [alice] });
    const snapshot = await one.server.snapshot();
    await tap(one.server, alice);
    await stream.until(1);
    await one.server.revert(snapshot);
    await Promise.all([stream.closed, completions.closed]);
    expect(stream.messages.at(-1)).toMatchObject({ code: 'ABORTED' });
    expect(completions.messages).toEqual([expect.objectContaining({ code: 'ABORTED' })]);
  });
});

describe('a websocket of completions', () => {
  it('sends the completion of each command of the user', async () => {
    const ledger = await ledgerServer(await walletServer({ port: 0 }));
    const one = { server: ledger.server, port: await listen(ledger.server) };
    open.push(one);
    const begin = ledger.server.state.offset;
    const stream = await client(one, '/v2/commands/completions', { beginExclusive: begin, parties: [alice] });
    const done = await ledger.exercise('alice', ledger.tapOf('alice', '1'), { commandId: 'one', submissionId: 's' });
    await ledger.exercise('bob', ledger.tapOf('bob', '1'));
    await stream.until(1);
    expect(stream.messages.map(({ completionResponse }) => completionResponse.Completion.value)).toEqual([
      {
        commandId: 'one',
        submissionId: 's',
        userId: 'alice',
        actAs: [alice],
        updateId: done.body.updateId,
        offset: done.body.completionOffset,
        status: { code: 0, message: '', details: [] },
        deduplicationPeriod: { Empty: {} },
        synchronizerTime: { synchronizerId: expect.any(String), recordTime: expect.any(String) },
      },
    ]);
  });
});

describe('a websocket of active contracts', () => {
  it('sends every contract, also more than the limit of a list, and then ends', async () => {
    const one = await started({ limits: { listElements: 2 } });
    for (let i = 0; i < 120; i++) await tap(one.server, alice);
    const activeAtOffset = one.server.state.offset;
    const stream = await client(one, '/v2/state/active-contracts', { activeAtOffset, filter });
    expect(await stream.closed).toBe(1000);
    expect(stream.messages.length).toBeGreaterThan(120);
    expect(stream.messages[0].contractEntry.JsActiveContract.createdEvent.witnessParties).toEqual([alice]);
  });

  it('ends with an error when the ledger is reverted before the last contract is sent', async () => {
    const one = await started();
    const snapshot = await one.server.snapshot();
    await Promise.all(Array.from({ length: 2_000 }, () => tap(one.server, alice)));
    const activeAtOffset = one.server.state.offset;
    const stream = await client(one, '/v2/state/active-contracts', { activeAtOffset, filter });
    await stream.until(1);
    await one.server.revert(snapshot);
    await stream.closed;
    expect(stream.messages.length).toBeLessThan(2_000);
    expect(stream.messages.at(-1)).toMatchObject({ code: 'ABORTED' });
  });
});

describe('a handshake', () => {
  it.each([
    ['/v2/updates', 'no token', {}, 401],
    ['/v2/updates', 'a wrong token', { protocols: ['jwt.token.a.b.c', 'daml.ws.auth'] }, 401],
    ['/v2/parties', 'a path without a websocket', {}, 404],
    ['/v2/updates', 'another site', { origin: 'https://evil.example' }, 403],
  ] as const)('at %s with %s is refused', async (path, _, given, status) => {
    const { port } = await started();
    const { protocols = [], origin } = given as { protocols?: string[]; origin?: string };
    const one = new Client(port.url + path, protocols, { origin });
    expect(await one.opened()).toBe(status);
  });

  it('with the token in the header Authorization is accepted, and needs no protocol', async () => {
    const { server, port } = await started();
    const headers = { authorization: `Bearer ${await server.token('alice')}` };
    const one = new Client(`${port.url}/v2/updates`, [], { headers, origin: 'http://localhost:3000' });
    expect(await one.opened()).toBe(101);
  });

  it.each([0, 200])('may be followed by the first message without waiting, %i ms later', async (later) => {
    const { server, port } = await started();
    const socket = createConnection(port.port, '127.0.0.1');
    let heard = '';
    socket.on('data', (data: Buffer) => (heard += data.toString('latin1')));
    const lines = [
      'GET /v2/updates HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      `Authorization: Bearer ${await server.token('alice')}`,
    ];
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
    // A final text frame with a mask of zeros and the text `{`: RFC 6455, section 5.2.
    const frame = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x7b]);
    if (later === 0) socket.write(Buffer.concat([head, frame]));
    else {
      socket.write(head);
      setTimeout(() => socket.write(frame), later);
    }
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 101 [^]*message: expected JSON/);
    socket.destroy();
  });
});

describe('the first message', () => {
  it.each([
    ['/v2/updates', '{', { code: 'INVALID_ARGUMENT', cause: 'message: expected JSON' }],
    ['/v2/updates', '{}', { code: 'INVALID_ARGUMENT', cause: expect.stringContaining('beginExclusive') }],
    ['/v2/updates', JSON.stringify({ beginExclusive: 1e9, filter }), { code: 'OFFSET_AFTER_LEDGER_END' }],
    ['/v2/updates', JSON.stringify({ beginExclusive: 3, endInclusive: 2, filter }), { code: 'OFFSET_OUT_OF_RANGE' }],
    ['/v2/updates', JSON.stringify({ beginExclusive: 0, filter: { filtersByParty: { [bob]: {} } } }), { code: 'NA' }],
    ['/v2/updates', JSON.stringify({ beginExclusive: 0, filter, descendingOrder: true }), { code: 'INVALID_ARGUMENT' }],
    [
      '/v2/updates',
      JSON.stringify({ beginExclusive: 0, endInclusive: 1e9, filter, descendingOrder: true }),
      { code: 'OFFSET_AFTER_LEDGER_END' },
    ],
    ['/v2/commands/completions', JSON.stringify({ parties: [bob] }), { code: 'NA' }],
    [
      '/v2/state/active-contracts',
      JSON.stringify({ activeAtOffset: 1e9, filter }),
      { code: 'OFFSET_AFTER_LEDGER_END' },
    ],
  ])('at %s that is %s ends the websocket with the error', async (path, message, error) => {
    const { server, port } = await started();
    const one = new Client(port.url + path, [`jwt.token.${await server.token('alice')}`, 'daml.ws.auth']);
    await one.opened();
    one.socket.send(message);
    await one.closed;
    expect(one.messages).toEqual([expect.objectContaining(error)]);
  });

  it('must arrive within the time limit, and be the only one', async () => {
    const one = await started({ limits: { requestSeconds: 1 } });
    const silent = new Client(`${one.port.url}/v2/updates`, [`jwt.token.${await one.server.token('alice')}`]);
    expect(await silent.closed).toBe(1008);
    const chatty = await client(one, '/v2/updates', { beginExclusive: 0, filter });
    chatty.socket.send('{}');
    expect(await chatty.closed).toBe(1008);
  });
});

describe('the memory of websockets', () => {
  it('is bounded: a client that reads nothing is disconnected, and other clients get their updates', async () => {
    const one = await started({ limits: { stalledSeconds: 1 } });
    const begin = Number(one.server.state.offset);
    const slow = await client(one, '/v2/updates', { beginExclusive: begin, filter });
    await tap(one.server, alice);
    await slow.until(1);
    slow.socket.pause();
    const warnings: string[] = [];
    const warn = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warn);
    const quick = await client(one, '/v2/updates', { beginExclusive: begin, filter });
    // Far more than the buffers of the connection hold.
    for (let i = 0; i < 8_000; i++) void tap(one.server, alice);
    await quick.until(8_001);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    slow.socket.resume();
    expect(await slow.closed).not.toBe(1000);
    expect(slow.messages.length).toBeLessThan(8_001);
  }, 60_000);

  it('is freed when the clients of 100 websockets go away', async () => {
    const one = await started();
    const begin = one.server.state.offset;
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => client(one, '/v2/updates', { beginExclusive: begin, filter })),
    );
    await tap(one.server, alice);
    await Promise.all(clients.map((each) => each.until(1)));
    expect(await readers(one)).toBe(100);
    for (const { socket } of clients) socket.terminate();
    await Promise.all(clients.map(({ closed }) => closed));
    await vi.waitFor(async () => expect(await readers(one)).toBe(0));
  });
});

it('ends with 1001 when the server shuts down', async () => {
  const one = await started();
  const stream = await client(one, '/v2/updates', { beginExclusive: 0, filter });
  await one.port.close();
  expect(await stream.closed).toBe(1001);
});

describe('a request that offers another protocol', () => {
  const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA' };

  /** Sends requests on one connection and returns the answers. `fetch` cannot set these headers. */
  async function offering(
    { port }: ListeningServer,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<{ status: number | undefined; text: string }> {
    const sent = request({
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...offer },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, text: await readText(answer) };
  }

  it('is answered as an ordinary request', async () => {
    const { server, port } = await started();
    const headers = { authorization: `Bearer ${await server.token('alice')}`, 'content-type': 'application/json' };
    expect(await offering(port, '/livez')).toMatchObject({ status: 200 });
    expect((await offering(port, '/v2/updates', { body: '{"beginExclusive":0}' })).status).toBe(401);
    const balance = await offering(port, '/v0/wallet/balance', { headers });
    expect(balance.status).toBe(200);
    expect(JSON.parse(balance.text)).toMatchObject({ effective_unlocked_qty: expect.any(String) });
    await tap(server, alice);
    const body = JSON.stringify({ beginExclusive: server.state.offset - 1, endInclusive: server.state.offset, filter });
    const updates = await offering(port, '/v2/updates', { headers, body });
    expect(updates.status).toBe(200);
    expect(offsets(JSON.parse(updates.text))).toEqual([server.state.offset]);
  });

  it('leaves its connection open for the next request', async () => {
    const { port } = await started();
    const socket = createConnection(port.port, '127.0.0.1');
    const answers: string[] = [];
    socket.on('data', (data: Buffer) => answers.push(data.toString()));
    for (const upgrade of ['Connection: Upgrade\r\nUpgrade: h2c\r\n', '']) {
      socket.write(`GET /livez HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`);
      await once(socket, 'data');
    }
    expect(answers.filter((one) => one.startsWith('HTTP/1.1 200 '))).toHaveLength(2);
    socket.destroy();
  });
});

describe('a websocket of a caller who may no longer read', () => {
  const request = { beginExclusive: 0, filter };

  it('closes within two seconds after its token has expired', async () => {
    const auth = { algorithm: 'hs-256-unsafe', clock: 'ledger' } as const;
    const { server, port } = await started({ auth });
    // Tokens last 366 days, so this one has an hour left.
    const issuedAt = Number(server.now / 1_000_000n) - 366 * 86_400 + 3_600;
    const stream = new Client(`${port.url}/v2/updates`, [`jwt.token.${await signToken('alice', { issuedAt })}`]);
    expect(await stream.opened()).toBe(101);
    stream.socket.send(JSON.stringify(request));
    await stream.until(1);
    await server.advance('61m');
    expect(await stream.closed).toBe(1008);
    expect(stream.messages.at(-1)).toMatchObject({ code: 'NA', grpcCodeValue: 16 });
  });

  it('closes when its user is deactivated, while websockets of other users stay open', async () => {
    const { server, port } = await started();
    const stream = await client({ server, port }, '/v2/updates', request);
    const other = await client({ server, port }, '/v2/updates', { ...request, filter: ofBob }, 'bob');
    await stream.until(1);
    const answer = await server.fetch('/v2/users/alice', {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await server.token('ledger-api-user')}` },
      body: JSON.stringify({
        user: { id: 'alice', isDeactivated: true },
        updateMask: { paths: ['is_deactivated'] },
      }),
    });
    expect(answer.status).toBe(200);
    expect(await stream.closed).toBe(1008);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });
});

const ofBob = { filtersByParty: { [bob]: {} } };

describe('a fault plan', () => {
  const planned = (server: CoinlabServer, plan: object): Promise<Response> =>
    server.fetch('/dev/faults', { method: 'POST', body: JSON.stringify(plan) });

  it.each(['//v2/updates', '/api/ledger/v2/updates'])('refuses the handshake with its status at %s', async (path) => {
    const { server, port } = await started();
    await planned(server, { errorRate: 1, status: 429, path: '/v2/updates', count: 1 });
    const protocols = [`jwt.token.${await server.token('alice')}`];
    expect(await new Client(port.url + path, protocols).opened()).toBe(429);
    expect(await new Client(port.url + path, protocols).opened()).toBe(101);
  });

  it('with the option `when: after` closes the websocket after the first message', async () => {
    const one = await started();
    await planned(one.server, { errorRate: 1, when: 'after', path: '/v2/updates', count: 1 });
    const cut = await client(one, '/v2/updates', { beginExclusive: 0, filter });
    expect(await cut.closed).toBe(1011);
    expect(cut.messages).toEqual([]);
    const whole = await client(one, '/v2/updates', { beginExclusive: 0, filter });
    await whole.until(1);
  });

  it('for another path does not affect websockets', async () => {
    const one = await started();
    await planned(one.server, { errorRate: 1, path: '/v2/commands' });
    await (await client(one, '/v2/updates', { beginExclusive: 0, filter })).until(1);
  });
});
