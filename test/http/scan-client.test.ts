import { ScanClient, ScanProxyClient } from '@canton-network/core-splice-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dso, now, scanServer, synchronizer, type ScanServer } from './scan-fixture.ts';
import { alice, fund } from './wallet-fixture.ts';

type Logger = ConstructorParameters<typeof ScanClient>[1];
type Tokens = ConstructorParameters<typeof ScanClient>[2];

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} } as unknown as Logger;

/** Directs the client's requests to the server in this process. */
function connect({ server }: ScanServer): Tokens {
  vi.stubGlobal('fetch', (request: Request, init?: RequestInit) => server.app.request(new Request(request, init)));
  return {
    getUserAccessToken: () => server.token('alice'),
    getAdminAccessToken: () => server.token('ledger-api-user'),
    getAccessToken: () => server.token('alice'),
  } as unknown as Tokens;
}

afterEach(() => vi.unstubAllGlobals());

describe('the published client of scan', () => {
  it('reads the rules, the rounds, the DSO and holdings', async () => {
    const scan = await scanServer();
    await fund(scan, alice, '5');
    const client = new ScanClient(new URL('http://server/api/scan'), silent, connect(scan));
    expect(await client.post('/v0/amulet-rules', {})).toMatchObject({
      amulet_rules_update: { contract: { payload: { dso } }, domain_id: synchronizer },
    });
    expect(await client.getAmuletSynchronizerId()).toBe(synchronizer);
    expect(await client.isDevNet()).toBe(true);
    expect(await client.getOpenMiningRounds()).toHaveLength(3);
    expect(await client.get('/v0/dso')).toMatchObject({ dso_party_id: dso });
    const wanted = { migration_id: 0, record_time: now(scan), owner_party_ids: [alice] };
    expect(await client.post('/v0/holdings/summary', { ...wanted, record_time_match: 'at_or_before' })).toMatchObject({
      summaries: [{ party_id: alice, total_unlocked_coin: '5.0000000000' }],
    });
    expect(await client.post('/v2/updates', { page_size: 3, daml_value_encoding: 'compact_json' })).toMatchObject({
      transactions: expect.any(Array),
    });
  });

  it('reads through the proxy with a token', async () => {
    const scan = await scanServer();
    const client = new ScanProxyClient(new URL('http://server/api/validator'), silent, connect(scan));
    expect(await client.get('/v0/scan-proxy/dso-party-id')).toEqual({ dso_party_id: dso });
    expect(await client.getOpenMiningRounds()).toHaveLength(3);
    expect(await client.getAmuletRules()).toMatchObject({ payload: { dso } });
    expect(await client.isDevNet()).toBe(true);
  });
});
