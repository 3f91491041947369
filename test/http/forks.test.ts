import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { Amount, Instant, PartyId } from '@coinlab/core';
import { HistoryIndex } from '@coinlab/core/histories';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runs, seed } from '../chance.ts';
import { stored } from './stored.ts';

const bob = PartyId.of('bob');
const { add } = HistoryIndex.prototype;

let server: CoinlabServer;
let token: string;

beforeEach(async () => {
  server = await createServer({ clock: 'manual', dev: true, traffic: 'free' });
  token = await server.token('alice');
});
afterEach(() => server.close());

async function ask(method: string, path: string, body?: unknown) {
  const answer = await server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const fork = (name: string, more: object = {}, of = '') => ask('POST', `${of}/dev/fork`, { name, ...more });
const stateOf = async (prefix: string): Promise<Record<string, unknown>> =>
  (await ask('GET', `${prefix}/dev/state`)).body;
const tap = (prefix: string) => ask('POST', `${prefix}/v0/wallet/tap`, { amount: '1.5' });
const offer = (prefix: string, tracking_id: string) =>
  ask('POST', `${prefix}/v0/wallet/token-standard/transfers`, {
    receiver_party_id: bob,
    amount: '1.5',
    description: '',
    expires_at: 1_900_000_000_000_000,
    tracking_id,
  });

interface Rules {
  readonly contract: { readonly contract_id: string };
}

/** Requests to one ledger, by the prefix of its routes. */
const STEPS: Readonly<Record<string, (prefix: string, step: number) => Promise<unknown>>> = {
  tap,
  offer: (prefix, step) => offer(prefix, `offer-${step}`),
  advance: (prefix) => ask('POST', `${prefix}/dev/advance`, { rounds: 1 }),
  fault: (prefix) => ask('POST', `${prefix}/dev/faults`, { errorRate: 1, count: 2, path: '/' }),
  revert: (prefix) => ask('POST', `${prefix}/dev/revert`, { offset: 40 }),
  snapshot: (prefix, step) => ask('POST', `${prefix}/dev/snapshot`, { name: `s-${step}` }),
  async transit(prefix, step) {
    const read = await ask('GET', `${prefix}/v0/dso`);
    // An earlier step may have made it fail.
    if (read.status !== 200) return read;
    const { contract_id: contractId } = (read.body as { amulet_rules: Rules }).amulet_rules.contract;
    return ask('POST', `${prefix}/dev/reassign`, { contractId, inTransit: step % 3 !== 0 });
  },
};

describe('a fork', () => {
  it('starts with the state of its origin, and answers all APIs under its path', async () => {
    const { offset, time } = server.state;
    const known = { name: 'lesson-1', path: '/fork/lesson-1', offset, time: Instant.format(time) };
    const expected = { ...known, from: { offset, time: Instant.format(time) } };
    expect(await fork('lesson-1')).toEqual({ status: 200, body: expected });
    expect((await ask('GET', '/dev/forks')).body).toEqual({ forks: [expected] });
    for (const path of [
      '/v0/wallet/balance',
      '/v0/dso',
      '/api/scan/v0/dso',
      '/registry/metadata/v1/instruments',
      '/v2/state/ledger-end',
      '/dev/state',
    ])
      expect(await ask('GET', `/fork/lesson-1${path}`)).toEqual(await ask('GET', path));
    expect((await tap('/fork/lesson-1')).status).toBe(200);
    const live = await ask('GET', '/v0/wallet/balance');
    expect(await ask('GET', '/fork/lesson-1/v0/wallet/balance')).not.toEqual(live);
    expect(await ask('GET', `/fork/lesson-1/dev/at/${offset}/v0/wallet/balance`)).toEqual(live);
  });

  it('answers like a separate server while its origin and other forks change', async () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('', '/fork/a', '/fork/b'), fc.constantFrom(...Object.keys(STEPS))),
      { minLength: 6, maxLength: 16 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (mixed) => {
        const answersOf = async (only: string | null): Promise<Record<string, readonly unknown[]>> => {
          const answers: Record<string, unknown[]> = { '': [], '/fork/a': [], '/fork/b': [] };
          server = await createServer({ clock: 'manual', dev: true, traffic: 'free' });
          await fork('a');
          await fork('b');
          for (const [step, [prefix, name]] of mixed.entries())
            if (only === null || prefix === only) answers[prefix]?.push(await STEPS[name]?.(prefix, step));
          for (const [prefix, list] of Object.entries(answers)) list.push(await stateOf(prefix));
          await server.close();
          return answers;
        };
        await server.close();
        const together = await answersOf(null);
        for (const prefix of Object.keys(together)) expect((await answersOf(prefix))[prefix]).toEqual(together[prefix]);
      }),
      { seed, numRuns: runs(4) },
    );
  });

  it('can begin at an offset, a time or a snapshot, and survives a revert of its origin', async () => {
    const start = await stateOf('');
    await ask('POST', '/dev/snapshot', { name: 'start' });
    await tap('');
    const tapped = await stateOf('');
    await fork('early', { at: 44 });
    await fork('named', { at: 'start' });
    await fork('late', { at: 45 });
    await fork('timed', { at: '2026-01-01T00:00:00Z' });
    await ask('POST', '/dev/revert', { offset: 40 });
    await tap('');
    for (const name of ['early', 'named']) expect((await stateOf(`/fork/${name}`))['hash']).toBe(start['hash']);
    for (const name of ['late', 'timed']) expect((await stateOf(`/fork/${name}`))['hash']).toBe(tapped['hash']);
  });

  it.each([
    ['in memory', false],
    ['with a stored log', true],
  ])('reads its own past after its origin (%s) is reverted twice and appends other updates', async (_, isStored) => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    await server.close();
    server = await createServer(
      { clock: 'manual', dev: true, traffic: 'free' },
      isStored ? await stored(folder) : undefined,
    );
    const tapOf = (amount: string) => ask('POST', '/v0/wallet/tap', { amount });
    for (const amount of ['1.5', '2.5', '3.5']) await tapOf(amount);
    const pastOf = async (prefix: string) => {
      const balances: unknown[] = [];
      for (const offset of [44, 45, 46, 47])
        balances.push((await ask('GET', `${prefix}/dev/at/${offset}/v0/wallet/balance`)).body);
      const { updates } = (await ask('GET', `${prefix}/dev/updates?from=40`)).body;
      return { updates: (updates as unknown[]).slice(0, 7), balances };
    };
    const expected = await pastOf('');
    await fork('late');
    await fork('later', {}, '/fork/late');
    await fork('early', { at: 46 });
    for (const offset of [46, 44]) {
      expect((await ask('POST', '/dev/revert', { offset })).status).toBe(200);
      for (const amount of ['10', '20', '30', '40']) await tapOf(amount);
    }
    expect(await pastOf('')).not.toEqual(expected);
    for (const name of ['late', 'later']) expect(await pastOf(`/fork/${name}`)).toEqual(expected);
    const early = (await ask('GET', '/fork/early/dev/updates?from=40')).body['updates'];
    expect(early).toEqual(expected.updates.slice(0, 6));
    await tap('/fork/late');
    expect(await pastOf('/fork/late')).toEqual(expected);
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('can be forked, and the second fork remains when the first is removed', async () => {
    await fork('a');
    await tap('/fork/a');
    await fork('b', {}, '/fork/a');
    await ask('DELETE', '/dev/forks/a');
    expect((await stateOf('/fork/b'))['offset']).toBe(45);
    expect((await tap('/fork/b')).status).toBe(200);
    expect((await ask('GET', '/fork/b/dev/at/45/v0/wallet/balance')).status).toBe(200);
    expect(await ask('GET', '/fork/a/v0/dso')).toEqual({
      status: 404,
      body: { error: 'no fork a; this server has: b' },
    });
  });

  it('answers browsers with the page, also without the slash at the end', async () => {
    await fork('a');
    const pageAt = (path: string) => server.fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect((await pageAt('/fork/a')).headers.get('location')).toBe('a/');
    expect(await (await pageAt('/fork/a/')).text()).toBe(await (await pageAt('/')).text());
    expect((await server.fetch('/fork/a')).status).toBe(404);
  });

  it('ends its streams when it is removed', async () => {
    await fork('a');
    const stream = await server.fetch('/fork/a/dev/events?from=43');
    await ask('DELETE', '/dev/forks/a');
    expect((await stream.text()).match(/^id: .+$/gm)).toEqual(['id: 44']);
  });

  it.each<[string, object, number, RegExp]>([
    ['a name in use', { name: 'a' }, 409, /^name: the fork a exists; /],
    ['an unknown field', { name: 'y', att: 5 }, 400, /att/],
    ['a malformed name', { name: 'a/b' }, 400, /^name: expected a letter/],
    ['a future offset', { name: 'b', at: 99 }, 404, /^offset 99 is in the future: the newest is 44$/],
    ['an unknown snapshot', { name: 'b', at: 'rent' }, 404, /^no snapshot rent; this ledger has: none$/],
  ])('is refused with %s', async (_, body, status, error) => {
    await fork('a');
    expect(await ask('POST', '/dev/fork', body)).toEqual({ status, body: { error: expect.stringMatching(error) } });
    expect(((await ask('GET', '/dev/forks')).body['forks'] as unknown[]).length).toBe(1);
  });

  it('is refused when limits.forks is reached, until a fork is removed', async () => {
    await server.close();
    server = await createServer({ clock: 'manual', dev: true, traffic: 'free', limits: { forks: 2 } });
    for (const name of ['a', 'b']) expect((await fork(name)).status).toBe(200);
    const error = expect.stringContaining('limits.forks') as string;
    expect(await fork('c')).toEqual({ status: 409, body: { error } });
    await ask('DELETE', '/dev/forks/a');
    expect((await fork('c')).status).toBe(200);
  });

  it('counts its uptime from its creation', async () => {
    await fork('a');
    await ask('POST', '/fork/a/dev/advance', { seconds: 90 });
    expect((await ask('GET', '/fork/a/status')).body).toMatchObject({ success: { uptime: 'PT1M30S' } });
    expect((await ask('GET', '/status')).body).toMatchObject({ success: { uptime: 'PT0S' } });
  });

  it('lets other requests run while it reads a long log for its first list of transactions', async () => {
    const party = server.party('alice');
    for (let i = 0; i < 1_500; i++)
      void server.submit({ type: 'Tap', receiver: party, amount: Amount.of('1.5') }, party);
    await server.host.settled();
    await fork('a');
    const readInTurn: number[] = [0];
    const adding = vi.spyOn(HistoryIndex.prototype, 'add').mockImplementation(function (this: HistoryIndex, update) {
      readInTurn[readInTurn.length - 1]! += 1;
      add.call(this, update);
    });
    const turn = setInterval(() => readInTurn.push(0), 0);
    expect((await ask('POST', '/fork/a/v0/wallet/transactions', { page_size: 10 })).status).toBe(200);
    clearInterval(turn);
    adding.mockRestore();
    expect(Math.max(...readInTurn)).toBeLessThan(1_000);
    expect(readInTurn.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_500);
  });

  it('answers pages of allowed origins on all its routes except /dev', async () => {
    await fork('a');
    const grantFor = async (path: string): Promise<string | null> =>
      (await server.fetch(path, { headers: { origin: 'http://localhost:3000' } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await grantFor('/fork/a/v0/dso')).toBe('http://localhost:3000');
    for (const path of [
      '/fork/a/dev/state',
      '/fork/a/api/scan/dev/state',
      '/fork/a/%64ev/state',
      '/fork/a/dev%2Fstate',
    ])
      expect(await grantFor(path)).toBeNull();
    const other = await server.fetch('/fork/a/dev/state', { headers: { origin: 'https://evil.example' } });
    expect(other.status).toBe(403);
  });
});
