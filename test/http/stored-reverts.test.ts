import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount } from '@coinlab/core';
import { createServer, type CoinlabServer, type LogPort } from '@coinlab/http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stored } from './stored.ts';

let folder: string;
let server: CoinlabServer;

const SETTINGS = { clock: 'manual', dev: true, traffic: 'free' } as const;
const start = async (): Promise<void> => void (server = await createServer(SETTINGS, await stored(folder)));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function dev(method: string, path: string, body?: unknown) {
  const answer = await server.fetch(`/dev/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const party = (user: string) => server.party(user);
const tap = (user: string, amount = '5.0') =>
  dev('POST', 'submit', { actAs: [party(user)], command: { type: 'Tap', receiver: party(user), amount } });
const hash = async (): Promise<unknown> => (await dev('GET', 'state')).body['hash'];
const restart = async (): Promise<void> => {
  await server.close();
  await start();
};

describe('a ledger with a stored log', () => {
  it('can be reverted to an offset, a named snapshot and its start, and has the reverted state after a restart', async () => {
    const begun = await hash();
    await tap('alice');
    const tapped = await hash();
    await dev('POST', 'snapshot', { name: 'tapped' });
    for (const to of [{ offset: 45 }, { snapshot: 'tapped' }]) {
      await tap('bob');
      await tap('carol');
      expect((await dev('POST', 'revert', to)).body).toMatchObject({ offset: 45 });
      expect(await hash()).toBe(tapped);
      await restart();
      expect(await hash()).toBe(tapped);
    }
    expect((await dev('POST', 'reset')).status).toBe(200);
    expect(await hash()).toBe(begun);
    await restart();
    expect(await hash()).toBe(begun);
    expect((await dev('GET', 'snapshots')).body).toEqual({ snapshots: [] });
  });

  it('continues after a revert like a ledger without the reverted updates', async () => {
    await tap('alice');
    await tap('bob', '7');
    await dev('POST', 'revert', { offset: 45 });
    await tap('carol');
    await tap('bob');
    const after = await hash();
    const updates = (await dev('GET', 'updates?from=40')).body;
    await restart();
    expect(await hash()).toBe(after);
    expect((await dev('GET', 'updates?from=40')).body).toEqual(updates);
    const other = await createServer(SETTINGS);
    for (const user of ['alice', 'carol', 'bob'])
      await other.submit({ type: 'Tap', receiver: other.party(user), amount: Amount.of('5.0') }, other.party(user));
    expect((await (await other.fetch('/dev/state')).json()) as object).toMatchObject({ hash: after });
    await other.close();
  });

  it('keeps named and numbered snapshots after a restart', async () => {
    await dev('POST', 'snapshot', { name: 'funded' });
    await tap('alice');
    expect((await dev('POST', 'snapshot', {})).body).toEqual({ snapshot: 1 });
    await tap('alice');
    await dev('POST', 'snapshot', { name: 'gone' });
    await dev('DELETE', 'snapshots/gone');
    const { snapshots } = (await dev('GET', 'snapshots')).body;
    await restart();
    expect((await dev('GET', 'snapshots')).body).toEqual({ snapshots });
    expect(snapshots).toMatchObject([
      { snapshot: 'funded', offset: 44 },
      { snapshot: 1, offset: 45 },
    ]);
    expect((await dev('GET', 'at/funded/dev/clock')).body).toMatchObject({ offset: 44 });
    expect((await dev('POST', 'snapshot', {})).body).toEqual({ snapshot: 2 });
    expect((await dev('POST', 'revert', { snapshot: 1 })).body).toMatchObject({ offset: 45 });
    expect((await dev('POST', 'revert', { snapshot: 'funded' })).body).toMatchObject({ offset: 44 });
    await restart();
    expect((await dev('GET', 'snapshots')).body).toMatchObject({ snapshots: [{ snapshot: 'funded' }] });
  });

  it('keeps the updates that a revert removes in a file of the folder', async () => {
    await tap('alice');
    await dev('POST', 'revert', { offset: 44 });
    expect(readdirSync(folder).filter((name) => name.startsWith('reverted-'))).toEqual([
      expect.stringMatching(/^reverted-000000000045-000000000045-[0-9a-f]{12}\.ndjson$/),
    ]);
  });

  it('answers commands that arrive during a revert on the reverted state, in order', async () => {
    for (let i = 0; i < 20; i++) await tap('alice');
    const reverted = dev('POST', 'revert', { offset: 50 });
    const answers = await Promise.all([...Array.from({ length: 12 }, () => tap('bob')), reverted]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { updates } = (await dev('GET', 'updates?from=50')).body as { updates: { offset: number }[] };
    expect(updates.map(({ offset }) => offset)).toEqual(updates.map((_, i) => 51 + i));
    const after = await hash();
    await restart();
    expect(await hash()).toBe(after);
  });

  it('continues unchanged when the log refuses the revert', async () => {
    await server.close();
    const { log, recovered } = await stored(folder);
    if (!log) throw new Error('there is no log');
    const refusing: LogPort = {
      append: (offset, updates) => log.append(offset, updates),
      lineAt: (offset) => log.lineAt?.(offset) ?? '',
      close: () => log.close(),
      cut: async () => ({ ok: false, error: { code: 'WRITE_FAILED', reason: 'no space left' } }),
    };
    server = await createServer(SETTINGS, { log: refusing, ...(recovered && { recovered }) });
    await tap('alice');
    const before = await hash();
    const refused = { status: 503, body: { error: 'the log cannot be reverted: no space left' } };
    expect(await dev('POST', 'revert', { offset: 44 })).toEqual(refused);
    expect(await hash()).toBe(before);
    expect((await tap('alice')).status).toBe(200);
  });
});
