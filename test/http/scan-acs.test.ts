import { gunzipSync } from 'node:zlib';
import { Duration, holdingsOf, Instant, PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { dso, now, pass, scanServer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund } from './wallet-fixture.ts';

interface Line {
  readonly template_id: string;
  readonly contract_id: string;
  readonly created_at: string;
  readonly payload: Record<string, unknown>;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
}

async function acsOf(scan: ScanServer, party: string, recordTime?: string): Promise<Line[]> {
  const query = recordTime === undefined ? '' : `?record_time=${recordTime}`;
  const { status, body } = await scan.ask('GET', `/v0/acs/${party}${query}`);
  expect(status).toBe(200);
  const text = gunzipSync(Buffer.from(body.acs_snapshot, 'base64')).toString('utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

describe('the contracts of a party', () => {
  it('are the contracts that it shares with the DSO, oldest first', async () => {
    const scan = await scanServer();
    await fund(scan, alice, '5');
    pass(scan, 10);
    await scan.submit({ type: 'GrantFeaturedAppRight', provider: alice }, dso);
    await scan.submit({ type: 'ProposePreapproval', receiver: alice, provider: bob }, alice);
    const lines = await acsOf(scan, alice);
    expect(lines.map(({ template_id }) => template_id.split(':').at(-1))).toEqual(['Amulet', 'FeaturedAppRight']);
    expect(lines[0]).toMatchObject({ payload: { owner: alice }, signatories: [alice, dso], observers: [] });
    expect(lines[1]).toMatchObject({ signatories: [dso], observers: [alice] });
    expect(lines.map(({ created_at }) => created_at).toSorted()).toEqual(lines.map(({ created_at }) => created_at));
  });

  it('are listed as of a past time, including contracts that were archived later', async () => {
    const scan = await scanServer();
    await fund(scan, alice, '5');
    const before = now(scan);
    pass(scan, 3_600);
    const { host } = scan.server;
    const inputs = [...holdingsOf(host.state, alice, 'oldest')].map(({ id }) => id);
    const expiresAt = Instant.plus(host.clock.now(), Duration.seconds(2));
    await scan.submit({ type: 'CreatePreapproval', receiver: bob, provider: alice, expiresAt, inputs }, alice, bob);
    const [coin] = await acsOf(scan, alice, before);
    expect(coin?.payload).toMatchObject({ amount: { initialAmount: '5.0' } });
    const after = await acsOf(scan, alice, now(scan));
    expect(after.map(({ contract_id }) => contract_id)).not.toContain(coin?.contract_id);
    expect(after).toEqual(await acsOf(scan, alice));
    expect(await acsOf(scan, alice, '2025-12-31T23:59:59Z')).toEqual([]);
  });

  it('are an empty list for an unknown party', async () => {
    expect(await acsOf(await scanServer(), PartyId.of('unknown'))).toEqual([]);
  });

  it.each(['x', 'a::b', `${alice}?record_time=yesterday`, `${alice}?record_time=2026-01-01T00:00:00.000001Z`])(
    'are refused with 400 for the request %s',
    async (path) => {
      expect((await (await scanServer()).ask('GET', `/v0/acs/${path}`)).status).toBe(400);
    },
  );

  it('carry a Deprecation header in every response', async () => {
    const { server } = await scanServer();
    for (const path of [alice, 'x']) {
      const answer = await server.app.request(`/api/scan/v0/acs/${path}`);
      expect(answer.headers.get('deprecation')).toBe('true');
    }
    expect((await server.app.request('/v0/dso-party-id')).headers.has('deprecation')).toBe(false);
  });
});
