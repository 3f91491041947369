import { createServer, type CoinlabServer } from '@coinlab/http';
import { Instant, PartyId } from '@coinlab/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs, seed } from '../chance.ts';

const parties = ['alice', 'bob', 'carol'].map((user) => PartyId.of(user));

let server: CoinlabServer;

beforeEach(async () => void (server = await createServer({ clock: 'manual', dev: true, traffic: 'free' })));
afterEach(() => server.close());

async function dev(method: string, path: string, body?: unknown) {
  const answer = await server.fetch(`/dev/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const tap = (who = 0) => {
  const party = parties[who % parties.length];
  return dev('POST', 'submit', { actAs: [party], command: { type: 'Tap', receiver: party, amount: '5.0' } });
};
const hash = async (): Promise<unknown> => (await dev('GET', 'state')).body['hash'];
const revert = (to: object) => dev('POST', 'revert', to);

describe('a revert', () => {
  it('frees the ids of removed updates: another command at that offset and time gets the same ids', async () => {
    const newest = () => server.history.updateAt(server.state.offset);
    await dev('POST', 'snapshot', { name: 'before' });
    await tap(0);
    const removed = newest();
    await revert({ snapshot: 'before' });
    await tap(1);
    expect(newest()).toMatchObject({ updateId: removed.updateId, offset: removed.offset });
    expect(newest().actAs).not.toEqual(removed.actAs);
    await revert({ snapshot: 'before' });
    await dev('POST', 'advance', { seconds: 1 });
    await tap(1);
    expect(newest().updateId).not.toBe(removed.updateId);
  });

  it.each<[string, () => object]>([
    ['an offset', () => ({ offset: 45 })],
    ['the name of a snapshot', () => ({ snapshot: 'one-tap' })],
  ])('to %s restores that state, and the same commands give the same hash again', async (_, to) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }), async (takers) => {
        await dev('POST', 'reset');
        await tap();
        const before = await hash();
        await dev('POST', 'snapshot', { name: 'one-tap' });
        for (const who of takers) await tap(who);
        const after = await hash();
        expect((await revert(to())).body).toMatchObject({ offset: 45 });
        expect(await hash()).toBe(before);
        for (const who of takers) await tap(who);
        expect(await hash()).toBe(after);
      }),
      { seed, numRuns: runs(5) },
    );
  });

  it('to a time restores the state after the last update up to that time', async () => {
    await tap();
    const before = await hash();
    const time = Instant.format(server.now);
    await server.advance('5m');
    await tap(1);
    expect((await revert({ time })).status).toBe(200);
    expect(await hash()).toBe(before);
  });

  it('deletes the snapshots of later offsets', async () => {
    await dev('POST', 'snapshot', { name: 'early' });
    await tap();
    await dev('POST', 'snapshot', { name: 'late' });
    await revert({ offset: 44 });
    expect((await dev('GET', 'snapshots')).body).toMatchObject({ snapshots: [{ snapshot: 'early' }] });
  });

  it.each<[string, object, number, string]>([
    ['nothing', {}, 400, 'body: expected exactly one of snapshot, offset and time'],
    ['two targets', { offset: 44, snapshot: 'a' }, 400, 'body: expected exactly one of snapshot, offset and time'],
    ['a future offset', { offset: 46 }, 404, 'offset 46 is in the future: the newest is 44'],
    ['an unknown name', { snapshot: 'rent' }, 404, 'no snapshot rent; this ledger has: start'],
  ])('to %s is refused and changes nothing', async (_, to, status, error) => {
    await dev('POST', 'snapshot', { name: 'start' });
    expect(await revert(to)).toEqual({ status, body: { error } });
  });
});

describe('a snapshot with a name', () => {
  it('can be listed, read as a past state, used for several reverts, and deleted', async () => {
    const { offset, time } = server.state;
    const funded = { snapshot: 'funded', offset, time: Instant.format(time) };
    expect((await dev('POST', 'snapshot', { name: 'funded' })).body).toEqual({ snapshot: 'funded' });
    const start = await hash();
    for (let i = 0; i < 3; i++) {
      await tap(i);
      expect((await dev('GET', 'at/funded/dev/clock')).body).toMatchObject({ offset });
      await revert({ snapshot: 'funded' });
      expect(await hash()).toBe(start);
    }
    expect((await dev('GET', 'snapshots')).body).toEqual({ snapshots: [funded] });
    expect((await dev('DELETE', 'snapshots/funded')).body).toEqual({ snapshots: [] });
    expect((await dev('DELETE', 'snapshots/funded')).body).toEqual({
      error: 'no snapshot funded; this ledger has: none',
    });
    expect((await dev('GET', 'at/funded/dev/clock')).status).toBe(404);
  });

  it.each([
    ['in use', 'funded', 409, /^name: the snapshot funded exists, of offset 44; /],
    ['that begins with a digit', '45', 400, /^name: expected a letter/],
    ['with a slash', 'a/b', 400, /^name: expected a letter/],
    ['of 64 characters', 'a'.repeat(64), 400, /^name: expected a letter/],
  ])('is refused with a name %s', async (_, name, status, error) => {
    await dev('POST', 'snapshot', { name: 'funded' });
    expect(await dev('POST', 'snapshot', { name })).toEqual({ status, body: { error: expect.stringMatching(error) } });
  });
});
