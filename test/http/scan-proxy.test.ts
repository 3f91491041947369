import { PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { dso, nameAlice, scanServer, synchronizer } from './scan-fixture.ts';
import { alice } from './wallet-fixture.ts';

const NOTHING_CACHED = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
const UNKNOWN = PartyId.of('unknown');

/** The routes of the proxy, with their status for a valid token. */
const ROUTES = [
  ['GET', 'dso-party-id', 200],
  ['GET', 'dso', 200],
  ['GET', 'amulet-rules', 200],
  ['GET', 'open-and-issuing-mining-rounds', 200],
  ['POST', 'ans-rules', 200],
  ['GET', `featured-apps/${alice}`, 200],
  ['GET', 'unclaimed-development-fund-coupons', 200],
  ['GET', 'ans-entries?page_size=5', 200],
  ['GET', 'ans-entries?page_size=x', 400],
  ['GET', `ans-entries/by-party/${dso}`, 200],
  ['GET', `ans-entries/by-party/${UNKNOWN}`, 404],
  ['GET', 'ans-entries/by-name/dso.ans', 200],
  ['GET', 'ans-entries/by-name/nobody', 404],
  ['GET', `transfer-preapprovals/by-party/${UNKNOWN}`, 404],
  ['GET', `transfer-command-counter/${UNKNOWN}`, 404],
  ['GET', `transfer-command/status?sender=${UNKNOWN}&nonce=0`, 404],
  ['GET', `transfer-command/status?sender=${UNKNOWN}&nonce=x`, 400],
  ['POST', 'holdings/summary', 400],
] as const;

describe.each(ROUTES)('%s /v0/scan-proxy/%s', (method, path, expected) => {
  it(`returns ${expected} with any valid token`, async () => {
    const scan = await scanServer();
    const { status } = await scan.askAs(
      'stranger',
      method,
      `/v0/scan-proxy/${path}`,
      method === 'POST' ? {} : undefined,
    );
    expect(status).toBe(expected);
  });

  it('answers 401 without a token and with a malformed token', async () => {
    const { server, ask } = await scanServer();
    expect((await ask(method, `/v0/scan-proxy/${path}`, method === 'POST' ? {} : undefined)).status).toBe(401);
    const answer = await server.app.request(`/api/validator/v0/scan-proxy/${path}`, {
      method,
      headers: { authorization: 'Bearer a.b.c' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });
});

describe('the scan proxy', () => {
  it('returns the same responses as scan', async () => {
    const scan = await scanServer();
    await nameAlice(scan);
    await scan.submit({ type: 'GrantFeaturedAppRight', provider: alice }, dso);
    for (const path of [
      'dso-party-id',
      'dso',
      `featured-apps/${alice}`,
      'ans-entries?page_size=5',
      `ans-entries/by-party/${alice}`,
      'ans-entries/by-name/alice.unverified.ans',
    ])
      expect(await scan.askAs('bob', 'GET', `/v0/scan-proxy/${path}`)).toEqual(await scan.ask('GET', `/v0/${path}`));
    expect(await scan.askAs('bob', 'POST', '/v0/scan-proxy/ans-rules', {})).toEqual(
      await scan.ask('POST', '/v0/ans-rules', {}),
    );
  });

  it('returns the rules in full, and the rounds as lists', async () => {
    const scan = await scanServer();
    const { contract, domain_id } = (await scan.ask('POST', '/v0/amulet-rules', {})).body.amulet_rules_update;
    expect((await scan.askAs('bob', 'GET', '/v0/scan-proxy/amulet-rules')).body).toEqual({
      amulet_rules: { contract, domain_id },
    });
    const rounds = (await scan.ask('POST', '/v0/open-and-issuing-mining-rounds', NOTHING_CACHED)).body;
    const { body } = await scan.askAs('bob', 'GET', '/v0/scan-proxy/open-and-issuing-mining-rounds');
    expect(body).toEqual({ open_mining_rounds: Object.values(rounds.open_mining_rounds), issuing_mining_rounds: [] });
    expect(body.open_mining_rounds).toMatchObject([0, 1, 2].map(() => ({ domain_id: synchronizer })));
  });
});
