import { describe, expect, it } from 'vitest';
import { scanServer, type ScanServer } from './scan-fixture.ts';
import { alice, fund } from './wallet-fixture.ts';

/*
 * The update history in the formats of other releases, compared with the current format.
 * Source: specification of the API §0.4, §4.3.
 */

const PAGE = { page_size: 1000 };

/** Taps two coins. `now` is the history in the current format. */
async function withHistory(): Promise<{ readonly scan: ScanServer; readonly now: readonly any[] }> {
  const scan = await scanServer();
  await fund(scan, alice, '5');
  await fund(scan, alice, '7');
  return { scan, now: (await scan.ask('POST', '/v2/updates', PAGE)).body.transactions };
}

describe('the update history', () => {
  it('adds the offset in version 1', async () => {
    const { scan, now } = await withHistory();
    const { status, body } = await scan.ask('POST', '/v1/updates', PAGE);
    expect(status).toBe(200);
    expect(body.transactions).toEqual(now.map((update, i) => ({ ...update, offset: String(i + 1) })));
    for (const one of body.transactions)
      expect((await scan.ask('GET', `/v1/updates/${one.update_id}`)).body).toEqual(one);
  });

  it('prefixes event ids with # in version 0', async () => {
    const { scan, now } = await withHistory();
    const { transactions } = (await scan.ask('POST', '/v0/updates', PAGE)).body;
    expect(transactions).toHaveLength(now.length);
    for (const [i, one] of transactions.entries()) {
      const ids = now[i].root_event_ids.map((id: string) => `#${id}`);
      expect(one).toMatchObject({ update_id: now[i].update_id, offset: String(i + 1), root_event_ids: ids });
      const all = Object.keys(now[i].events_by_id).map((id) => `#${id}`);
      const events = Object.values<any>(one.events_by_id);
      expect(Object.keys(one.events_by_id)).toEqual(all);
      expect(events.map(({ event_id }) => event_id)).toEqual(all);
      expect([...ids, ...events.flatMap(({ child_event_ids = [] }) => child_event_ids)].sort()).toEqual(all.sort());
      expect((await scan.ask('GET', `/v0/updates/${one.update_id}`)).body).toEqual(one);
    }
  });

  it.each(['/v0/updates', '/v1/updates'])('is paged at %s', async (path) => {
    const { scan, now } = await withHistory();
    const [first, second] = now;
    const after = { after_migration_id: 0, after_record_time: first.record_time };
    const { body } = await scan.ask('POST', path, { after, page_size: 1 });
    expect(body.transactions.map((one: any) => one.update_id)).toEqual([second.update_id]);
  });

  it('has one event for each update, which contains the update', async () => {
    const { scan, now } = await withHistory();
    const { status, body } = await scan.ask('POST', '/v0/events', PAGE);
    expect(status).toBe(200);
    expect(body.events).toEqual(now.map((update) => ({ update })));
    expect((await scan.ask('GET', `/v0/events/${now.at(-1).update_id}`)).body).toEqual({ update: now.at(-1) });
  });

  it.each([
    ['/v0/updates', { page_size: 0 }],
    ['/v0/updates', { page_size: 5, lossless: true }],
    ['/v1/updates', { page_size: 5, daml_value_encoding: 'protobuf_json' }],
    ['/v1/updates', {}],
    ['/v0/events', { page_size: 1001 }],
    ['/v0/events', { page_size: 5, daml_value_encoding: 'protobuf_json' }],
  ])('is refused at %s with 400 for the body %j', async (path, body) => {
    expect((await (await scanServer()).ask('POST', path, body)).status).toBe(400);
  });

  it.each(['/v0/updates/', '/v1/updates/', '/v0/events/', '/v2/updates/hash/'])(
    'is answered at %s with 404 for an unknown id, and with 400 for another encoding',
    async (path) => {
      const scan = await scanServer();
      for (const id of ['x', `1220${'ab'.repeat(32)}`])
        expect((await scan.ask('GET', `${path}${id}`)).status).toBe(404);
      const other = path === '/v0/updates/' ? 'lossless=true' : 'daml_value_encoding=protobuf_json';
      expect((await scan.ask('GET', `${path}x?${other}`)).status).toBe(400);
    },
  );
});
