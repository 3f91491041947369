import { Duration, rulesOf, type AmuletConfig } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { dso, scanServer, sv, synchronizer, type ScanServer } from './scan-fixture.ts';

const SINGLETONS = [
  ['amulet-rules', 'amulet_rules', 'Splice.AmuletRules:AmuletRules'],
  ['ans-rules', 'ans_rules', 'Splice.Ans:AnsRules'],
  [
    'external-party-amulet-rules',
    'external_party_amulet_rules',
    'Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules',
  ],
] as const;

describe.each(SINGLETONS)('the contract at /v0/%s', (path, field, template) => {
  const rulesOfNow = async (scan: ScanServer, body: object = {}) => {
    const answer = await scan.ask('POST', `/v0/${path}`, body);
    expect(answer.status).toBe(200);
    return answer.body[`${field}_update`];
  };

  it('is complete, with its synchronizer, for a caller that has no cached version', async () => {
    const { contract, domain_id } = await rulesOfNow(await scanServer());
    expect(domain_id).toBe(synchronizer);
    expect(contract.template_id).toMatch(new RegExp(`^[0-9a-f]{64}:${template}$`));
    expect(contract.created_event_blob).toMatch(/^CgMy/);
    expect(contract.created_at).toBe('2026-01-01T00:00:00.000000Z');
    expect(contract.payload.dso).toBe(dso);
  });

  it('is omitted for a caller that has the current version cached, for any cached synchronizer', async () => {
    const scan = await scanServer();
    const { contract } = await rulesOfNow(scan);
    const cached = { [`cached_${field}_contract_id`]: contract.contract_id };
    expect(await rulesOfNow(scan, cached)).toEqual({ domain_id: synchronizer });
    expect(await rulesOfNow(scan, { ...cached, [`cached_${field}_domain_id`]: 'elsewhere::1220' })).toEqual({
      domain_id: synchronizer,
    });
  });

  it('is complete for a caller that has another version cached', async () => {
    const scan = await scanServer();
    const { contract } = await rulesOfNow(scan);
    expect(await rulesOfNow(scan, { [`cached_${field}_contract_id`]: 'something' })).toEqual({
      contract,
      domain_id: synchronizer,
    });
  });

  it.each([undefined, '', '[]', '{"', { [`cached_${field}_contract_id`]: 5 }])(
    'returns 400 for the body %j',
    async (body) => {
      const scan = await scanServer();
      const { status, body: answer } = await scan.call(null, 'POST', `/v0/${path}`, body);
      expect(status).toBe(400);
      expect(answer.error).toBeTypeOf('string');
    },
  );
});

describe('the coin rules', () => {
  it('are returned after a vote changed them to a caller that has the older version cached', async () => {
    const scan = await scanServer();
    const before = (await scan.ask('POST', '/v0/amulet-rules', {})).body.amulet_rules_update.contract;
    const baseConfig = rulesOf(scan.server.host.state)?.config as AmuletConfig;
    const newConfig = { ...baseConfig, tickDuration: Duration.seconds(300) };
    await scan.submit({ type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig, newConfig } }, dso);
    const cached = { cached_amulet_rules_contract_id: before.contract_id };
    const after = (await scan.ask('POST', '/v0/amulet-rules', cached)).body.amulet_rules_update.contract;
    expect(after.contract_id).not.toBe(before.contract_id);
    expect(after.payload.configSchedule.initialValue.tickDuration).toEqual({ microseconds: '300000000' });
  });
});

describe('the DSO', () => {
  it('has a route that returns its party id', async () => {
    const scan = await scanServer();
    expect(await scan.ask('GET', '/v0/dso-party-id')).toEqual({ status: 200, body: { dso_party_id: dso } });
  });

  it('has a route that returns its super validators, rules and first round', async () => {
    const { body } = await (await scanServer()).ask('GET', '/v0/dso');
    expect(body).toMatchObject({
      sv_user: 'sv-1',
      sv_party_id: sv,
      dso_party_id: dso,
      voting_threshold: 1,
      initial_round: '0',
      sv_node_states: [],
    });
    expect(body.latest_mining_round.contract.payload.round).toEqual({ number: '1' });
    expect(body.dso_rules.contract.template_id).toContain('Splice.DsoRules:DsoRules');
    expect(body.amulet_rules.domain_id).toBe(synchronizer);
  });
});

describe('scan before the network is founded', () => {
  it('answers 500 to requests for the rules', async () => {
    const scan = await scanServer();
    const { host, history } = scan.server;
    host.replaceState(history.stateAt(2));
    expect((await scan.ask('POST', '/v0/ans-rules', {})).status).toBe(500);
    expect((await scan.ask('GET', '/v0/dso')).status).toBe(500);
    expect((await scan.ask('POST', '/v0/amulet-rules', {})).status).toBe(200);
    host.replaceState(history.stateAt(0));
    for (const path of ['amulet-rules', 'external-party-amulet-rules'])
      expect((await scan.ask('POST', `/v0/${path}`, {})).status).toBe(500);
  });
});

describe('scan', () => {
  it('returns the display names of the coin and the network', async () => {
    const { body } = await (await scanServer()).ask('GET', '/v0/splice-instance-names');
    expect(body).toMatchObject({ amulet_name: 'Amulet', amulet_name_acronym: 'AMT' });
  });

  it('returns which optional features it supports', async () => {
    expect((await (await scanServer()).ask('GET', '/v0/feature-support')).body).toMatchObject({ dummy: false });
  });

  it('is served at the root and under the prefix /api/scan', async () => {
    const scan = await scanServer();
    const [root, prefixed] = await Promise.all(
      ['', '/api/scan'].map((prefix) => scan.call(null, 'POST', `${prefix}/v0/amulet-rules`, {})),
    );
    expect(prefixed).toEqual(root);
  });
});
