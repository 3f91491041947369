import { createServer, type CoinlabServer } from '@coinlab/http';
import { allOf } from '@coinlab/core/views';
import {
  Duration,
  GENESIS_TIME,
  formatCommand,
  holdingsOf,
  rulesOf,
  settingsOf,
  ContractId,
  PartyId,
} from '@coinlab/core';
import { stakeholdersOf, TEMPLATE_NAMES } from '@coinlab/core/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { routesOf, textFor, type Route } from './routes.ts';

/*
 * Isolation of wallets: bob calls every wallet route with every id that alice could use there. A route with an id fails this test if
 * alice herself cannot use it: create a contract for her then.
 */

const IN_A_DAY = Number(GENESIS_TIME) + 86_400_000_000;
const MARK = 'secret-of-alice';
const NO_ID = textFor('contract_id');
const OFFERS = ['locked', 'public'] as const;

let server: CoinlabServer;
afterEach(() => server.close());

async function ask(
  user: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  const answer = await server.app.request(path, {
    method,
    headers: { authorization: `Bearer ${await server.token(user)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function done(user: string, path: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const { status, text } = await ask(user, 'POST', path, body);
  expect(text).not.toMatch(/^\{"error/);
  expect(status).toBe(200);
  return JSON.parse(text) as Record<string, unknown>;
}

async function partyOf(user: string): Promise<PartyId> {
  return (JSON.parse((await ask(user, 'GET', '/v0/wallet/user-status')).text) as { party_id: PartyId }).party_id;
}

/** Makes alice the manager of a filled development fund; she allocates a coupon to carol. */
async function managesFund(alice: PartyId, carol: PartyId): Promise<void> {
  const { state } = server.host;
  const rules = rulesOf(state);
  if (!rules) throw new Error('the ledger is open');
  const newConfig = { ...rules.config, developmentFundManager: alice };
  const command = formatCommand({
    type: 'ExecuteAction',
    action: { type: 'SetAmuletConfig', baseConfig: rules.config, newConfig },
  });
  await done('', '/dev/submit', { actAs: [settingsOf(state).dso], command });
  await server.advance(Duration.minutes(60));
  const terms = { beneficiary: carol, amount: '1.0', expiresAt: IN_A_DAY, reason: MARK };
  await done('alice', '/v0/wallet/development-fund-coupons/allocate', terms);
}

/** Alice pays for her name and the DSO collects, so that she can cancel. */
async function subscribes(request: unknown): Promise<void> {
  const path = `/v0/wallet/subscription-requests/${String(request)}/accept`;
  const { initial_payment_contract_id: made } = await done('alice', path);
  const payment = ContractId.parse(made);
  if (!payment.ok) throw new Error(String(made));
  const { dso } = settingsOf(server.host.state);
  await done('', '/dev/submit', { actAs: [dso], command: { type: 'CollectAnsPayment', payment: payment.value } });
}

/** Starts a server where alice has contracts of every kind, sent and received, all with a marker. Her counterparty is carol. */
async function started(walletOffers: (typeof OFFERS)[number], route: Route): Promise<{ alice: PartyId; bob: PartyId }> {
  server = await createServer({ clock: 'manual', dev: true, walletOffers });
  const [alice, bob, carol] = await Promise.all([partyOf('alice'), partyOf('bob'), partyOf('carol')]);
  // Only where needed: it takes an hour of rounds.
  if (route.path.includes('development-fund')) await managesFund(alice, carol);
  const { subscriptionRequestCid: request } = await done('alice', '/v0/entry/create', {
    name: 'alice.unverified.ans',
    url: 'https://alice.example',
    description: MARK,
  });
  const terms = (receiver: PartyId, name: string): object => ({
    receiver_party_id: receiver,
    amount: '1.0',
    description: MARK,
    expires_at: IN_A_DAY,
    tracking_id: `${MARK}-${name}`,
  });
  for (const path of ['/v0/wallet/transfer-offers', '/v0/wallet/token-standard/transfers']) {
    await done('alice', path, terms(carol, `${path}-sent`));
    await done('carol', path, terms(alice, `${path}-received`));
  }
  await done('alice', '/v0/wallet/buy-traffic-requests', {
    receiving_validator_party_id: server.validator,
    domain_id: PartyId.of('global-domain'),
    traffic_amount: 1_000_000,
    tracking_id: `${MARK}-traffic`,
    expires_at: IN_A_DAY,
  });
  if (route.method === 'DELETE' && route.path.includes('subscription')) await subscribes(request);
  const expiresAt = '2026-01-02T00:00:00.000000Z';
  const delegation = { type: 'ProposeMintingDelegation', delegate: alice, amuletMergeLimit: 10, expiresAt };
  for (const beneficiary of [carol, server.validator])
    await done('', '/dev/submit', { actAs: [beneficiary], command: { ...delegation, beneficiary } });
  const [proposal] = contractsOf(alice, bob).filter(({ template }) => template === 'MintingDelegationProposal');
  await done('alice', `/v0/wallet/minting-delegation-proposals/${proposal?.id}/accept`);
  await done('alice', '/v0/wallet/self-grant-feature-app-right');
  // Let automation react now, not during bob's request.
  for (let turn = 0; turn < 3; turn++) await server.advance(Duration.seconds(0));
  return { alice, bob };
}

/** Contracts with `party` and without `other` as stakeholder. */
function contractsOf(party: PartyId, other: PartyId): readonly { template: string; id: string }[] {
  const { state } = server.host;
  const { dso } = settingsOf(state);
  const others = TEMPLATE_NAMES.flatMap((template) => (template === 'Holding' ? [] : [...allOf(state, template)]));
  return [...others, ...holdingsOf(state, party, 'oldest')].flatMap((contract) => {
    const stakeholders = stakeholdersOf(contract, dso);
    return stakeholders.includes(party) && !stakeholders.includes(other)
      ? [{ template: contract.template, id: ContractId.format(contract.id) }]
      : [];
  });
}

/** The ids that a route can take: alice's contracts or her tracking ids. */
function thingsFor(route: Route, contracts: readonly { readonly id: string }[]): readonly string[] {
  if (!namesSomething(route)) return [''];
  if (!/tracking_id/.test(route.path)) return contracts.map(({ id }) => id);
  return ['traffic', '/v0/wallet/transfer-offers-sent'].map((name) => `${MARK}-${name}`);
}

function namesSomething({ path, fullBody }: Route): boolean {
  return path.includes('{') || /contract_id":/.test(JSON.stringify(fullBody));
}

function about(route: Route, thing: string): [method: string, path: string, body?: unknown] {
  const { method, path, body, fullBody } = route;
  const filled = path.replaceAll(/\{[\w-]+\}/g, encodeURIComponent(thing));
  if (body === null) return [method, filled];
  if (!namesSomething(route)) return [method, filled, body];
  return [method, filled, JSON.parse(JSON.stringify(fullBody).replaceAll(NO_ID, thing))];
}

const { app, close } = await createServer({ clock: 'manual' });
const wallet = (await routesOf({ app } as CoinlabServer)).filter(({ path }) => /^\/v\d+\/wallet\//.test(path));
await close();

describe.each(OFFERS)('with the setting walletOffers: %s', (walletOffers) => {
  it.each(wallet.map((route): [string, Route] => [`${route.method} ${route.path}`, route]))(
    "the route %s shows bob none of alice's data and changes none of her contracts",
    async (_, route) => {
      const { alice, bob } = await started(walletOffers, route);
      const hers = contractsOf(alice, bob);
      expect(hers.length).toBeGreaterThan(5);
      for (const thing of thingsFor(route, hers)) {
        const { status, text } = await ask('bob', ...about(route, thing));
        if (namesSomething(route)) expect(status, thing).toBeGreaterThanOrEqual(400);
        expect(text.replaceAll(thing || MARK.repeat(9), '')).not.toContain(MARK);
        for (const { id } of hers) if (id !== thing) expect(text).not.toContain(id);
      }
      expect(contractsOf(alice, bob)).toEqual(hers);
      if (!namesSomething(route)) return;
      // The id is valid: one of its stakeholders may use it.
      const statuses: number[] = [];
      for (const user of ['alice', 'carol'])
        for (const thing of thingsFor(route, hers)) statuses.push((await ask(user, ...about(route, thing))).status);
      expect(statuses).toContain(200);
    },
  );
});
