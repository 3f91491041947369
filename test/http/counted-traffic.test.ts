import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type CoinlabServer, type ServerConfigInput, type ServerPorts } from '@coinlab/http';
import { Duration, holdingsOf, PartyId, stateHash, type Update } from '@coinlab/core';
import { afterEach, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { dso, synchronizer } from './scan-fixture.ts';
import { stored } from './stored.ts';
import type { Answered } from './wallet-fixture.ts';

/*
 * A server with the setting `traffic: counted`: every transaction of a hosted party consumes traffic of its participant.
 * Source: specification of the domain §2.4, §8.3.
 */

const servers: CoinlabServer[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))));

const QUIET = {
  dso: false,
  rewards: false,
  preapprovals: false,
  mintingDelegations: false,
  topUp: { targetThroughput: 0 },
};

async function counting(settings: ServerConfigInput = {}, ports: ServerPorts = {}): Promise<CoinlabServer> {
  const server = await createServer(
    { clock: 'manual', dev: true, traffic: 'counted', automation: QUIET, ...settings },
    ports,
  );
  servers.push(server);
  return server;
}

async function ask(server: CoinlabServer, user: string, path: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${await server.token(user)}` };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  return askDeclared(server, path, init);
}

const tap = (server: CoinlabServer, command_id?: string): Promise<Answered> =>
  ask(server, 'alice', '/v0/wallet/tap', { amount: '1.0', command_id });

async function tapUntilRefused(server: CoinlabServer): Promise<{ count: number; refused: Answered }> {
  for (let count = 0; ; count++) {
    const refused = await tap(server);
    if (refused.status !== 200) return { count, refused };
  }
}

async function consumed(server: CoinlabServer): Promise<number> {
  const path = `/v0/domains/${synchronizer}/members/${server.participantId}/traffic-status`;
  return (await ask(server, 'alice', path)).body.traffic_status.actual.total_consumed;
}

function updatesAfter(server: CoinlabServer, offset: number): readonly Update[] {
  const { history } = server;
  return Array.from({ length: history.head - offset }, (_, i) => history.updateAt(offset + 1 + i));
}

const costsOf = (updates: readonly Update[]): readonly number[] =>
  updates.flatMap(({ kind, detail }) => (kind === 'TrafficConsumed' ? [detail.costBytes] : []));

/** Merges the coins of alice as the payment of one transaction. */
async function merge(server: CoinlabServer): Promise<void> {
  const owner = server.party('alice');
  const inputs = [...holdingsOf(server.state, owner, 'oldest')].map(({ id }) => id);
  expect(await server.submit({ type: 'MergeHoldings', owner, inputs }, owner)).toMatchObject({ ok: true });
}

describe('a server that counts traffic', () => {
  it('charges a transaction by its inputs and outputs before it takes effect', async () => {
    const server = await counting();
    const { offset } = server.state;
    await tap(server);
    await merge(server);
    const updates = updatesAfter(server, offset);
    expect(updates.map(({ kind }) => kind)).toEqual(['TrafficConsumed', 'Tapped', 'TrafficConsumed', 'HoldingsMerged']);
    expect(costsOf(updates)).toEqual([6_000 + 800, 6_000 + 2 * 1_200 + 800]);
    expect(updates[0]?.actAs).toEqual([dso]);
  });

  it('charges nothing for its founding, parties of other nodes and the allocation of a party', async () => {
    const server = await counting();
    expect(costsOf(updatesAfter(server, 0))).toEqual([]);
    const sv = updatesAfter(server, 0).flatMap(({ kind, actAs }) => (kind === 'PartyAllocated' ? actAs : []))[0];
    if (!sv) throw new Error('the founding allocates the super validator');
    await server.submit({ type: 'Tap', receiver: sv, amount: 10n as never }, sv);
    const zoe = PartyId.of('zoe');
    const allocated = await server.submit({ type: 'AllocateParty', party: zoe }, zoe, server.party('alice'));
    expect(allocated.ok).toBe(true);
    expect(costsOf(updatesAfter(server, 0))).toEqual([]);
  });

  it('refuses transactions without enough traffic on wallet and ledger routes until the free base has grown again', async () => {
    const server = await counting();
    const { count, refused } = await tapUntilRefused(server);
    expect(count).toBe(Math.floor(400_000 / 6_800));
    const error = 'INSUFFICIENT_TRAFFIC: The message costs 6800 bytes of traffic: 5600 are available.';
    expect(refused).toEqual({ status: 429, body: { error } });
    const { offset } = server.state;
    const delegation = { operator: server.validator, owner: server.party('alice'), meta: { values: {} } };
    const templateId =
      '#splice-util-token-standard-wallet:Splice.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal';
    const submitted = await ask(server, 'alice', '/v2/commands/submit-and-wait', {
      commands: [{ CreateCommand: { templateId, createArguments: { delegation } } }],
      commandId: 'c-1',
      actAs: [server.party('alice')],
    });
    expect(submitted).toMatchObject({
      status: 409,
      body: { code: 'SEQUENCER_REQUEST_FAILED', errorCategory: 2, grpcCodeValue: 10 },
    });
    expect(server.state.offset).toBe(offset);
    await server.advance(Duration.minutes(20));
    expect((await tap(server)).status).toBe(200);
  });

  it('refuses in /dev/check the same commands as in /dev/submit, and charges nothing for a check', async () => {
    const server = await counting();
    const alice = server.party('alice');
    const body = { actAs: [alice], command: { type: 'Tap', receiver: alice, amount: '1.0' } };
    const { offset } = server.state;
    expect((await ask(server, 'alice', '/dev/check', body)).status).toBe(200);
    expect(server.state.offset).toBe(offset);
    await tapUntilRefused(server);
    expect((await ask(server, 'alice', '/dev/check', body)).status).toBe(429);
    expect((await ask(server, 'alice', '/dev/submit', body)).body).toMatchObject({ code: 'INSUFFICIENT_TRAFFIC' });
  });

  it('tops up, and withholds traffic from clients so that top-ups remain possible', async () => {
    const topUp = { targetThroughput: 1_000, minTopupIntervalSeconds: 600 };
    const server = await counting({ automation: { ...QUIET, topUp } });
    const { offset } = server.state;
    const { refused } = await tapUntilRefused(server);
    expect(refused.status).toBe(429);
    const [, cost, available] = /costs (\d+) bytes of traffic: (\d+) are/.exec(refused.body.error) ?? [];
    expect(Number(cost)).toBe(200_000 + 6_800);
    expect(Number(available)).toBeGreaterThanOrEqual(200_000);
    await server.advance(Duration.minutes(10));
    const kinds = updatesAfter(server, offset).map(({ kind }) => kind);
    expect(kinds).toContain('TrafficToppedUp');
    expect((await tap(server)).status).toBe(200);
    expect(await consumed(server)).toBeGreaterThan(0);
  });

  it('has the same traffic after a restart, and its log replays to the same state', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
    const first = await counting({}, await stored(folder));
    const { count } = await tapUntilRefused(first);
    expect(count).toBeGreaterThan(50);
    const hash = stateHash(first.state);
    await first.close();
    const second = await counting({}, await stored(folder));
    expect(stateHash(second.state)).toBe(hash);
    expect((await tap(second)).status).toBe(429);
    await second.close();
    servers.length = 0;
    rmSync(folder, { recursive: true });
  });

  it('tops up on a development server by default, before the first request, so that wallets work', async () => {
    const server = await createServer({ clock: 'manual', dev: true });
    servers.push(server);
    expect(server.config).toMatchObject({ traffic: 'counted', automation: { topUp: { targetThroughput: 1_000_000 } } });
    const path = `/v0/domains/${synchronizer}/members/${server.participantId}/traffic-status`;
    expect((await ask(server, 'alice', path)).body.traffic_status.target.total_purchased).toBe(600_000_000);
    for (let i = 0; i < 100; i++) expect((await tap(server)).status).toBe(200);
    expect(await consumed(server)).toBeGreaterThan(0);
  });

  it.each([
    [{ dev: true, isDevNet: false }, 'free'],
    [{ dev: false }, 'free'],
    [{ dev: true, traffic: 'free' }, 'free'],
    [{ dev: true, automation: { topUp: { targetThroughput: 0 } } }, 'counted'],
  ] as const)('with the settings %j has the traffic setting "%s"', async (settings, traffic) => {
    const server = await createServer({ clock: 'manual', ...settings });
    servers.push(server);
    expect(server.config.traffic).toBe(traffic);
    expect(server.config.automation.topUp?.targetThroughput ?? 0).toBe(0);
  });

  it('warns once per turn that its operator has no coin, on networks other than DevNet', async () => {
    const warnings: unknown[] = [];
    const logger = {
      info: () => undefined,
      error: () => undefined,
      warn: (facts: object, message: string) => void warnings.push([message, Object.keys(facts)]),
      flush: () => undefined,
    };
    const topUp = { targetThroughput: 1_000 };
    const automation = { ...QUIET, dso: true, topUp };
    const server = await counting({ isDevNet: false, automation }, { logger });
    warnings.length = 0;
    await server.advance(Duration.seconds(30));
    const expected = ['the operator lacks coin for a traffic top-up', ['validator', 'price']];
    expect(warnings).toEqual([expected]);
    await server.advance(Duration.seconds(60));
    expect(warnings).toEqual([expected, expected, expected]);
    expect(updatesAfter(server, 0).filter(({ kind }) => kind === 'TrafficToppedUp')).toEqual([]);
  });
});

it('a server with free traffic records no consumption', async () => {
  const server = await counting({ traffic: 'free' });
  for (let i = 0; i < 70; i++) expect((await tap(server)).status).toBe(200);
  expect(costsOf(updatesAfter(server, 0))).toEqual([]);
});
