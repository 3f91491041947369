import { getEventListeners } from 'node:events';
import { Amount, codec, Duration, holdingsOf, Instant } from '@coinlab/core';
import { createServer, listen, type CoinlabServer } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askDeclared } from './declared.ts';
import { FREE_TRAFFIC } from './steady-settings.ts';

interface Sent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Reads the stream like a browser's EventSource. */
class Reader {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';
  comments = 0;

  private constructor(answer: Response) {
    this.#body = (answer.body as ReadableStream<Uint8Array>).getReader();
  }

  static async open(server: CoinlabServer, query = '', headers: Record<string, string> = {}): Promise<Reader> {
    const answer = await server.app.request(`/dev/events${query}`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    return new Reader(answer);
  }

  /** Returns null when the stream has ended. */
  async next(): Promise<Sent | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        const field = (name: string): string =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
        if (lines.every((line) => line.startsWith(':'))) this.comments += 1;
        else return { event: field('event'), id: field('id'), data: field('data') };
        continue;
      }
      const { done, value } = await this.#body.read();
      if (done) return null;
      this.#text += new TextDecoder().decode(value);
    }
  }

  async take(count: number): Promise<readonly Sent[]> {
    const sent: Sent[] = [];
    while (sent.length < count) {
      const next = await this.next();
      if (!next) throw new Error(`the stream ended after ${sent.length} of ${count} events`);
      sent.push(next);
    }
    return sent;
  }

  leave(): Promise<void> {
    return this.#body.cancel();
  }
}

let server: CoinlabServer;

beforeEach(async () => void (server = await createServer({ ...FREE_TRAFFIC, clock: 'manual', dev: true })));
afterEach(() => server.close());

const head = (): number => server.host.state.offset;

async function tap(times = 1): Promise<void> {
  const { host, validator } = server;
  for (let i = 0; i < times; i++)
    expect((await host.submit({ type: 'Tap', receiver: validator, amount: 1n as never }, [validator])).ok).toBe(true);
}

const ids = (sent: readonly Sent[]): readonly string[] => sent.map(({ id }) => id);
const range = (from: number, to: number, suffix = ''): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}${suffix}`);

describe('the event stream', () => {
  it('sends every update from the first one, then new updates, as JSON lines of the log', async () => {
    const before = head();
    const reader = await Reader.open(server, '?from=0');
    const past = await reader.take(before);
    expect(ids(past)).toEqual(range(1, before));
    for (const [index, { data }] of past.entries()) expect(data).toBe(codec.encode(server.history.updateAt(index + 1)));
    await tap(2);
    expect(ids(await reader.take(2))).toEqual(range(before + 1, before + 2));
    await reader.leave();
  });

  it('sends only new updates when the request names no start', async () => {
    const reader = await Reader.open(server);
    await tap();
    expect(await reader.next()).toMatchObject({ event: '', id: String(head()) });
    await reader.leave();
  });

  it('resumes after the last event of a reader, without gaps or duplicates, while updates are appended', async () => {
    const seen: string[] = [];
    const start = head();
    let last = String(start);
    for (let round = 0; round < 5; round++) {
      const reader = await Reader.open(server, '?from=0', { 'last-event-id': last });
      const [taken] = await Promise.all([reader.take(7), tap(9)]);
      seen.push(...ids(taken));
      last = seen.at(-1) ?? '';
      await reader.leave();
    }
    expect(seen).toEqual(range(start + 1, start + 35));
  });

  it('buffers nothing for a reader that stalls, and sends every update when it continues', async () => {
    const start = head();
    const fetched = vi.spyOn(server.history, 'updateAt');
    const reader = await Reader.open(server, `?from=${start}`);
    await tap(300);
    // At most the stream's own buffers.
    expect(fetched.mock.calls.length).toBeLessThan(10);
    expect(ids(await reader.take(300))).toEqual(range(start + 1, start + 300));
    await reader.leave();
  });

  describe('with the parameter changes', () => {
    const balance = async (user: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${await server.token(user)}` };
      return (await server.fetch('/v0/wallet/balance', { headers })).json();
    };
    const changesIn = (sent: readonly Sent[]): unknown[] =>
      sent.filter(({ event }) => event === 'changes').map(({ data }) => JSON.parse(data));

    it('sends the affected parties with the balances of the wallet API, and the affected templates', async () => {
      const [alice, bob] = [server.party('alice'), server.party('bob')];
      const reader = await Reader.open(server, `?changes=${head()}`);
      const [coin] = holdingsOf(server.host.state, alice, 'largest');
      const offer = { sender: alice, receiver: bob, amount: Amount.of('2.5'), inputs: [coin?.id ?? (0 as never)] };
      const executeBefore = Instant.plus(server.now, Duration.of('1h'));
      const offered = await server.submit({ type: 'CreateOffer', ...offer, executeBefore }, alice);
      const instruction = offered.ok ? offered.value.update.detail.instruction : (0 as never);
      expect(changesIn(await reader.take(2))).toMatchObject([
        {
          offset: head(),
          round: 1,
          speed: 0,
          templates: ['Holding', 'TransferInstruction'],
          parties: [
            { party: alice, coins: 2, balance: await balance('alice') },
            { party: bob, coins: 1, balance: await balance('bob') },
          ],
          controls: false,
        },
      ]);
      // The update names the archived instruction by its id only.
      await server.submit({ type: 'WithdrawOffer', instruction }, alice);
      expect(changesIn(await reader.take(2))).toMatchObject([
        { templates: ['Holding', 'TransferInstruction'], parties: [{ party: alice }, { party: bob }] },
      ]);
      await reader.leave();
    });

    it('reports that everything may have changed after a revert, and to a reader that missed updates', async () => {
      const from = head();
      await tap();
      const reader = await Reader.open(server, `?from=${from}&changes=${from}`);
      expect(changesIn(await reader.take(2))).toMatchObject([{ offset: head(), templates: null, parties: null }]);
      await server.app.request('/dev/revert', { method: 'POST', body: JSON.stringify({ offset: from }) });
      expect(changesIn(await reader.take(2))).toMatchObject([{ offset: from, templates: null, parties: null }]);
      await reader.leave();
    });

    it('reports a change of the controls without an update', async () => {
      const reader = await Reader.open(server, `?changes=${head()}`);
      await server.app.request('/dev/snapshot', { method: 'POST' });
      expect(changesIn(await reader.take(1))).toMatchObject([{ controls: true, templates: [], parties: [] }]);
      await reader.leave();
    });

    it('collects the updates of a quarter of a second in one event', async () => {
      const reader = await Reader.open(server, `?changes=${head()}`);
      const last = head() + 40;
      const sent: Sent[] = [];
      // The reader keeps up: without the limit each update would have an event of its own.
      const read = async (): Promise<void> => {
        for (let at = 0; at !== last;) {
          const [one] = await reader.take(1);
          if (one) sent.push(one);
          if (one?.event === 'changes') at = (JSON.parse(one.data) as { offset: number }).offset;
        }
      };
      const taps = async (): Promise<void> => {
        for (let turn = 0; turn < 40; turn++) {
          await tap();
          await new Promise((resolve) => setTimeout(resolve, 15));
        }
      };
      await Promise.all([read(), taps()]);
      expect(ids(sent.filter(({ event }) => event === ''))).toHaveLength(40);
      expect(changesIn(sent).length).toBeLessThanOrEqual(8);
      await reader.leave();
    });
  });

  it('sends heartbeats while there are no updates', async () => {
    const reader = await Reader.open(server, '?heartbeat=0.05');
    const next = reader.next();
    await expect.poll(() => reader.comments).toBeGreaterThanOrEqual(3);
    await tap();
    await next;
    await reader.leave();
  });

  it('sends a reset after a revert, then the new updates', async () => {
    const snapshot = (await (await server.app.request('/dev/snapshot', { method: 'POST' })).json()) as object;
    const start = head();
    const reader = await Reader.open(server, `?from=${start}`);
    await tap(3);
    await reader.take(3);
    await server.app.request('/dev/revert', { method: 'POST', body: JSON.stringify(snapshot) });
    const reset = await reader.next();
    expect(reset).toEqual({ event: 'reset', id: `${start}.1`, data: JSON.stringify({ offset: start }) });
    await tap(5);
    expect(ids(await reader.take(5))).toEqual(range(start + 1, start + 5, '.1'));
    await reader.leave();
  });

  it('sends a missed reset to a reader that reconnects, also when the ledger has passed its position', async () => {
    const start = head();
    await tap(3);
    await server.app.request('/dev/reset', { method: 'POST' });
    await tap(9);
    const missed = await Reader.open(server, '', { 'last-event-id': String(start + 2) });
    expect(await missed.next()).toMatchObject({ event: 'reset', id: `${start}.1` });
    expect(ids(await missed.take(9))).toEqual(range(start + 1, start + 9, '.1'));
    await missed.leave();
    const knowing = await Reader.open(server, '', { 'last-event-id': `${start + 2}.1` });
    expect(await knowing.next()).toMatchObject({ event: '', id: `${start + 3}.1` });
    await knowing.leave();
  });

  it('sends a reset to a reader with a position from another server run', async () => {
    const beyond = await Reader.open(server, '?from=100000');
    expect(await beyond.next()).toMatchObject({ event: 'reset', data: JSON.stringify({ offset: head() }) });
    await beyond.leave();
    const other = await Reader.open(server, '?from=3.7');
    expect(await other.next()).toMatchObject({ event: 'reset', data: '{"offset":0}' });
    expect(await other.next()).toMatchObject({ event: '', id: '1' });
    await other.leave();
  });

  it('ends when the server shuts down, and new readers get 503', async () => {
    const waiting = await Reader.open(server);
    const next = waiting.next();
    server.end();
    expect(await next).toBe(null);
    expect((await askDeclared(server, '/dev/events')).status).toBe(503);
  });

  it('of a past state leaves no reader in the server when its client has disconnected', async () => {
    const listeners = (): number => getEventListeners(server.ending, 'abort').length;
    const before = listeners();
    for (const offset of [40, 41, 42]) {
      const { body } = await server.app.request(`/dev/at/${offset}/dev/events?from=39`);
      const reader = body?.getReader();
      await reader?.read();
      await reader?.read();
      await reader?.cancel();
      await vi.waitFor(() => expect(listeners()).toBe(before));
    }
  });

  it.each(['?from=x', '?from=-1', '?from=1.2.3', '?heartbeat=0', '?heartbeat=x'])(
    'refuses the query %s',
    async (query) => {
      expect((await askDeclared(server, `/dev/events${query}`)).status).toBe(400);
    },
  );

  it('refuses a malformed Last-Event-ID', async () => {
    const init = { headers: { 'last-event-id': 'nonsense' } };
    expect((await askDeclared(server, '/dev/events', init)).status).toBe(400);
  });

  it('returns 404 without dev', async () => {
    const plain = await createServer({ clock: 'manual' });
    expect((await plain.app.request('/dev/events')).status).toBe(404);
    await plain.close();
  });
});

describe('the event stream over a socket', () => {
  it('ends when the server shuts down, without delaying the shutdown', async () => {
    const server = await createServer({ clock: 'manual', dev: true, port: 0, limits: { shutdownSeconds: 60 } });
    const listening = await listen(server);
    const stream = (await fetch(`${listening.url}/dev/events?from=0`)).body?.pipeThrough(new TextDecoderStream());
    let text = '';
    let isClosed: Promise<void> | null = null;
    const began = performance.now();
    for await (const part of stream ?? []) {
      text += part;
      isClosed ??= listening.close();
    }
    await isClosed;
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(text).toContain('\nid: 1\n');
  });
});
