import { Amount, ContractId, Duration, holdingsOf, Instant, PartyId, Round } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { advanceRounds, dso, nameAlice, pass, scanServer, sv, synchronizer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund, GENESIS } from './wallet-fixture.ts';

const UNKNOWN = PartyId.of('unknown');

describe('the preapproval of a party', () => {
  it('is returned until it expires', async () => {
    const scan = await scanServer();
    await fund(scan, bob, '1000');
    const inputs = [...holdingsOf(scan.server.host.state, bob, 'largest')].map(({ id }) => id);
    const expiresAt = Instant.plus(GENESIS, Duration.days(30));
    await scan.submit({ type: 'CreatePreapproval', receiver: alice, provider: bob, expiresAt, inputs }, alice, bob);
    const path = `/v0/transfer-preapprovals/by-party/${alice}`;
    const { status, body } = await scan.ask('GET', path);
    expect(status).toBe(200);
    expect(body.transfer_preapproval.domain_id).toBe(synchronizer);
    expect(body.transfer_preapproval.contract.payload).toMatchObject({ receiver: alice, provider: bob, dso });
    expect((await scan.askAs('bob', 'GET', path.replace('/v0', '/v0/scan-proxy'))).body).toEqual(body);
    pass(scan, 30 * 86_400);
    expect((await scan.ask('GET', path)).status).toBe(404);
  });

  it.each([UNKNOWN, 'no-party'])('is answered with 404 for the party %s', async (party) => {
    expect((await (await scanServer()).ask('GET', `/v0/transfer-preapprovals/by-party/${party}`)).status).toBe(404);
  });
});

describe('the transfer commands of a sender', () => {
  const command = async (scan: ScanServer, nonce: number): Promise<ContractId> => {
    const expiresAt = Instant.plus(scan.server.host.clock.now(), Duration.days(2));
    const terms = { sender: alice, receiver: bob, delegate: scan.server.validator, amount: Amount.of('1') };
    const update = await scan.submit({ type: 'CreateTransferCommand', ...terms, expiresAt, nonce }, alice);
    return update.created[0]?.id as ContractId;
  };
  const statusPath = (nonce: number | string): string => `/v0/transfer-command/status?sender=${alice}&nonce=${nonce}`;

  it('have a counter of nonces for the sender', async () => {
    const scan = await scanServer();
    const path = `/v0/transfer-command-counter/${alice}`;
    expect((await scan.ask('GET', path)).status).toBe(404);
    await scan.submit({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
    const { status, body } = await scan.ask('GET', path);
    expect(status).toBe(200);
    expect(body.transfer_command_counter.contract.payload).toEqual({ dso, sender: alice, nextNonce: '0' });
  });

  it('are listed by contract id with their status', async () => {
    const scan = await scanServer();
    const [kept, withdrawn] = [await command(scan, 3), await command(scan, 3)];
    await command(scan, 4);
    await scan.submit({ type: 'WithdrawTransferCommand', command: withdrawn }, alice);
    const { status, body } = await scan.ask('GET', statusPath(3));
    expect(status).toBe(200);
    const commands = body.transfer_commands_by_contract_id;
    expect(Object.keys(commands).sort()).toEqual([kept, withdrawn].map(ContractId.format).sort());
    expect(commands[ContractId.format(kept)].status).toEqual({ status: 'created' });
    expect(commands[ContractId.format(withdrawn)].status).toEqual({
      status: 'failed',
      failure_kind: 'withdrawn',
      reason: '',
    });
    expect(commands[ContractId.format(kept)].contract.payload).toMatchObject({
      sender: alice,
      nonce: '3',
      amount: '1.0',
    });
  });

  it('show the failure and its reason after a failed execution', async () => {
    const scan = await scanServer();
    await scan.submit({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
    const id = await command(scan, 0);
    await fund(scan, alice, '100');
    const { host, validator } = scan.server;
    const inputs = [...holdingsOf(host.state, alice, 'largest')].map((holding) => holding.id);
    await scan.submit({ type: 'SendTransferCommand', command: id, inputs, preapproval: null }, validator);
    const [told] = Object.values<any>((await scan.ask('GET', statusPath(0))).body.transfer_commands_by_contract_id);
    expect(told.status).toMatchObject({ status: 'failed', failure_kind: 'failed' });
    expect(told.status.reason).toMatch(/^[A-Z_]+$/);
  });

  it('are omitted from 24 hours after their last update', async () => {
    const scan = await scanServer();
    await command(scan, 0);
    pass(scan, 86_400);
    expect((await scan.ask('GET', statusPath(0))).status).toBe(200);
    pass(scan, 1);
    expect((await scan.ask('GET', statusPath(0))).status).toBe(404);
  });

  it('are answered with 404 for an unused nonce', async () => {
    const scan = await scanServer();
    await command(scan, 0);
    expect((await scan.ask('GET', statusPath(1))).status).toBe(404);
  });

  it.each(['', '1.5', 'x', '-1', '1e3'])('are refused with 400 for the nonce %j', async (nonce) => {
    expect((await (await scanServer()).ask('GET', statusPath(nonce))).status).toBe(400);
  });
});

describe('featured apps', () => {
  it('are listed, and found by provider and by contract id', async () => {
    const scan = await scanServer();
    expect((await scan.ask('GET', '/v0/featured-apps')).body).toEqual({ featured_apps: [] });
    await scan.submit({ type: 'GrantFeaturedAppRight', provider: alice }, dso);
    const { featured_apps } = (await scan.ask('GET', '/v0/featured-apps')).body;
    expect(featured_apps).toMatchObject([{ payload: { dso, provider: alice } }]);
    const [right] = featured_apps;
    expect((await scan.ask('GET', `/v0/featured-apps/${alice}`)).body).toEqual({ featured_app_right: right });
    expect((await scan.ask('GET', `/v0/featured-apps/by-provider/${alice}`)).body).toEqual({ featured_apps: [right] });
    const byId = await scan.ask('GET', `/v0/featured-apps/by-contract-id/${right.contract_id}`);
    expect(byId.body).toEqual({ featured_app_right: right });
  });

  it('are an empty object, not 404, for a provider without a right', async () => {
    const scan = await scanServer();
    expect(await scan.ask('GET', `/v0/featured-apps/${bob}`)).toEqual({ status: 200, body: {} });
    expect(await scan.ask('GET', `/v0/featured-apps/by-provider/${bob}`)).toEqual({
      status: 200,
      body: { featured_apps: [] },
    });
    const license = ContractId.format(ContractId.of(2));
    for (const id of ['x', license])
      expect(await scan.ask('GET', `/v0/featured-apps/by-contract-id/${id}`)).toEqual({ status: 200, body: {} });
  });
});

describe('the unclaimed coupons of the development fund', () => {
  it('are listed once the fund has coin', async () => {
    const scan = await scanServer();
    const path = '/v0/unclaimed-development-fund-coupons';
    expect((await scan.ask('GET', path)).body).toEqual({ 'unclaimed-development-fund-coupons': [] });
    await advanceRounds(scan);
    await scan.submit({ type: 'StartIssuing', round: Round.of(0) }, dso);
    const { status, body } = await scan.ask('GET', path);
    expect(status).toBe(200);
    expect(body['unclaimed-development-fund-coupons']).toMatchObject([
      { contract: { payload: { dso } }, domain_id: synchronizer },
    ]);
    expect((await scan.askAs('bob', 'GET', path.replace('/v0', '/v0/scan-proxy'))).body).toEqual(body);
  });
});

describe('names', () => {
  const NAME = 'alice.unverified.ans';

  it('are listed alphabetically, by prefix, up to the page size', async () => {
    const scan = await scanServer();
    await nameAlice(scan);
    await nameAlice(scan, 'zoe.unverified.ans');
    const listed = async (query: string): Promise<string[]> =>
      (await scan.ask('GET', `/v0/ans-entries?${query}`)).body.entries.map((entry: { name: string }) => entry.name);
    expect(await listed('page_size=10')).toEqual([NAME, 'dso.ans', 'zoe.unverified.ans']);
    expect(await listed('page_size=1')).toEqual([NAME]);
    expect(await listed('page_size=10&name_prefix=zo')).toEqual(['zoe.unverified.ans']);
  });

  it('are found by name and by party until they expire', async () => {
    const scan = await scanServer();
    await nameAlice(scan);
    const byName = await scan.ask('GET', `/v0/ans-entries/by-name/${NAME}`);
    expect(byName.body.entry).toMatchObject({
      user: alice,
      name: NAME,
      url: 'https://alice.example',
      description: 'Alice',
      expires_at: '2026-04-01T00:00:00.000000Z',
    });
    expect(await scan.ask('GET', `/v0/ans-entries/by-party/${alice}`)).toEqual(byName);
    pass(scan, 90 * 86_400);
    for (const path of [`by-name/${NAME}`, `by-party/${alice}`])
      expect((await scan.ask('GET', `/v0/ans-entries/${path}`)).status).toBe(404);
    expect((await scan.ask('GET', '/v0/ans-entries?page_size=10')).body.entries).toHaveLength(1);
  });

  it('include the names of the DSO, without a contract', async () => {
    const scan = await scanServer();
    const entry = { user: dso, name: 'dso.ans', url: '', description: '' };
    expect((await scan.ask('GET', '/v0/ans-entries/by-name/dso.ans')).body).toEqual({ entry });
    expect((await scan.ask('GET', `/v0/ans-entries/by-party/${dso}`)).body).toEqual({ entry });
  });

  it.each(['', 'page_size=', 'page_size=0', 'page_size=1001', 'page_size=x'])(
    'are refused with 400 for the query %j',
    async (query) => {
      expect((await (await scanServer()).ask('GET', `/v0/ans-entries?${query}`)).status).toBe(400);
    },
  );
});

describe('traffic and hosting', () => {
  const statusPath = (domain: string, member: string): string =>
    `/v0/domains/${domain}/members/${member}/traffic-status`;

  it('returns the traffic that a member bought and consumed', async () => {
    const scan = await scanServer();
    const { participantId, host } = scan.server;
    const path = statusPath(synchronizer, participantId);
    const nothing = { actual: { total_consumed: 0, total_limit: 0 }, target: { total_purchased: 0 } };
    expect(await scan.ask('GET', path)).toEqual({ status: 200, body: { traffic_status: nothing } });
    await fund(scan, alice, '10000');
    const inputs = [...holdingsOf(host.state, alice, 'largest')].map(({ id }) => id);
    const order = { memberId: participantId, trafficBytes: 500_000, inputs };
    await scan.submit({ type: 'BuyMemberTraffic', payer: alice, ...order }, alice);
    await scan.submit({ type: 'ConsumeTraffic', memberId: participantId, bytes: 450_000 }, dso);
    expect((await scan.ask('GET', path)).body.traffic_status).toEqual({
      actual: { total_consumed: 50_000, total_limit: 500_000 },
      target: { total_purchased: 500_000 },
    });
  });

  it('returns 400 for malformed and 404 for unknown member ids', async () => {
    const scan = await scanServer();
    const { participantId } = scan.server;
    expect((await scan.ask('GET', statusPath(synchronizer, alice))).status).toBe(400);
    expect((await scan.ask('GET', statusPath(synchronizer, `SEQ::${alice}`))).status).toBe(400);
    expect((await scan.ask('GET', statusPath(synchronizer, `PAR::${UNKNOWN}`))).status).toBe(404);
    expect((await scan.ask('GET', statusPath('elsewhere::1220', participantId))).status).toBe(404);
  });

  it('returns the participant of a party', async () => {
    const scan = await scanServer();
    const { participantId } = scan.server;
    for (const [party, host] of [
      [alice, participantId],
      [sv, `PAR::${sv}`],
    ]) {
      const path = `domains/${synchronizer}/parties/${party}/participant-id`;
      expect((await scan.ask('GET', `/v0/${path}`)).body).toEqual({ participant_id: host });
      expect((await scan.ask('GET', `/v1/${path}`)).body).toEqual({ participant_ids: [host] });
    }
    for (const version of ['v0', 'v1']) {
      const path = (domain: string, party: string): string =>
        `/${version}/domains/${domain}/parties/${party}/participant-id`;
      expect((await scan.ask('GET', path(synchronizer, UNKNOWN))).status).toBe(404);
      expect((await scan.ask('GET', path('elsewhere::1220', alice))).status).toBe(404);
    }
  });
});
