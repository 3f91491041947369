import { Amount, ContractId, find, holdingsOf, type ContractId as Id } from '@coinlab/core';
import { entryNamed } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';
import { dso } from './scan-fixture.ts';
import { alice, fund, heldLog, NO_CONTRACT, wait, walletServer, type Answered } from './wallet-fixture.ts';

/*
 * The life of a name as a subscription of a wallet, from the request to the renewal.
 * Source: specification of the API §6.5, §7.7, §11.9.
 */

const REQUESTS = '/v0/wallet/subscription-requests';
const PAYMENTS = '/v0/wallet/subscription-initial-payments';
const SUBSCRIPTIONS = '/v0/wallet/subscriptions';
const DAY = 86_400;
const wish = { name: 'alice.unverified.ans', url: 'https://alice.example', description: 'Alice' };

/** Requests of the wallet, with responses checked against the declarations. */
async function asking(ports: Parameters<typeof walletServer>[1] = {}) {
  const world = await walletServer({}, ports);
  const as = (user: string | null, method: string) => async (path: string, body?: unknown) =>
    (await askDeclared(world.server, path, {
      method,
      headers: user === null ? {} : { authorization: `Bearer ${await world.server.token(user)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })) as Answered;
  return { ...world, as, get: as('alice', 'GET'), post: as('alice', 'POST'), remove: as('alice', 'DELETE') };
}
type World = Awaited<ReturnType<typeof asking>>;

const idOf = (text: string): Id => {
  const id = ContractId.parse(text);
  if (!id.ok) throw new Error(text);
  return id.value;
};

/** Requests alice's name. Returns the id of the subscription request. */
async function wished({ post }: World): Promise<string> {
  const { status, body } = await post('/v0/entry/create', wish);
  expect(status).toBe(200);
  return body.subscriptionRequestCid as string;
}

/** Buys alice's name. Returns the id of the subscription's idle state. */
async function subscribed(world: World): Promise<string> {
  await fund(world, alice, '1000');
  const { body } = await world.post(`${REQUESTS}/${await wished(world)}/accept`);
  await world.submit({ type: 'CollectAnsPayment', payment: idOf(body.initial_payment_contract_id) }, dso);
  const listed = await world.get(SUBSCRIPTIONS);
  return listed.body.subscriptions[0].state.idle.contract_id as string;
}

describe('a name', () => {
  it('is requested, and creates a subscription request', async () => {
    const world = await asking();
    const made = await world.post('/v0/entry/create', wish);
    expect(made).toEqual({
      status: 200,
      body: { ...wish, entryContextCid: expect.any(String), subscriptionRequestCid: expect.any(String) },
    });
    const { state } = world.server.host;
    expect(find(state, 'AnsEntryContext', idOf(made.body.entryContextCid))).toMatchObject({ user: alice, ...wish });
    const { body } = await world.get(REQUESTS);
    expect(body.subscription_requests).toMatchObject([
      {
        contract_id: made.body.subscriptionRequestCid,
        payload: {
          subscriptionData: { sender: alice, receiver: dso, description: `ANS entry: ${wish.name}` },
          payData: { paymentAmount: { amount: '1.0', unit: 'USDUnit' } },
        },
      },
    ]);
    const one = await world.get(`${REQUESTS}/${made.body.subscriptionRequestCid}`);
    expect(one).toEqual({ status: 200, body: body.subscription_requests[0] });
  });

  it('is refused with 400 when the name is empty or a field is missing', async () => {
    const world = await asking();
    for (const body of [{ ...wish, name: '' }, { name: 'x' }, [], 'x'])
      expect((await world.post('/v0/entry/create', body)).status).toBe(400);
    expect((await world.get(REQUESTS)).body).toEqual({ subscription_requests: [] });
  });

  it('is listed with its price once it is paid', async () => {
    const world = await asking();
    expect((await world.get('/v0/entry/all')).body).toEqual({ entries: [] });
    await subscribed(world);
    const { body } = await world.get('/v0/entry/all');
    const { state, clock } = world.server.host;
    const entry = entryNamed(state, wish.name, clock.now());
    expect(body.entries).toEqual([
      {
        contractId: ContractId.format(entry?.id as Id),
        name: wish.name,
        amount: '1.0',
        unit: 'USDUnit',
        expiresAt: '2026-04-01T00:00:00.000000Z',
        paymentInterval: String(90 * DAY * 1_000_000),
        paymentDuration: String(30 * DAY * 1_000_000),
      },
    ]);
    expect((await world.as('bob', 'GET')('/v0/entry/all')).body).toEqual({ entries: [] });
    wait(world, 90 * DAY);
    expect((await world.get('/v0/entry/all')).body).toEqual({ entries: [] });
  });
});

describe('a subscription', () => {
  it('starts with a payment that locks coin until the DSO collects it', async () => {
    const world = await asking();
    await fund(world, alice, '1000');
    const request = await wished(world);
    const { status, body } = await world.post(`${REQUESTS}/${request}/accept`);
    expect(status).toBe(200);
    expect((await world.get(REQUESTS)).body).toEqual({ subscription_requests: [] });
    const { initial_payments } = (await world.get(PAYMENTS)).body;
    expect(initial_payments).toMatchObject([
      { contract_id: body.initial_payment_contract_id, payload: { reference: request, targetAmount: '200.0' } },
    ]);
    expect(initial_payments[0].template_id).toMatch(/:Splice.Wallet.Subscriptions:SubscriptionInitialPayment$/);
    expect((await world.get(SUBSCRIPTIONS)).body).toEqual({ subscriptions: [] });
    expect((await world.get('/v0/wallet/balance')).body).toMatchObject({ effective_locked_qty: '200.0000000000' });
    expect((await world.post(`${REQUESTS}/${request}/accept`)).status).toBe(404);
  });

  it('is idle until its next payment, which it accepts within the payment window', async () => {
    const world = await asking();
    const idle = await subscribed(world);
    const { subscriptions } = (await world.get(SUBSCRIPTIONS)).body;
    expect(subscriptions).toMatchObject([
      {
        subscription: { payload: { subscriptionData: { sender: alice } } },
        state: { idle: { contract_id: idle, payload: { nextPaymentDueAt: '2026-04-01T00:00:00.000000Z' } } },
      },
    ]);
    const [{ subscription, state }] = subscriptions;
    expect(subscription.template_id).toMatch(/:Splice.Wallet.Subscriptions:Subscription$/);
    expect(state.idle.payload.subscription).toBe(subscription.contract_id);
    expect((await world.get(PAYMENTS)).body).toEqual({ initial_payments: [] });
    wait(world, 61 * DAY);
    const { host } = world.server;
    const inputs = [...holdingsOf(host.state, alice, 'largest')].map(({ id }) => id);
    await world.submit({ type: 'PayAnsSubscription', subscription: idOf(idle), inputs }, alice);
    const paying = (await world.get(SUBSCRIPTIONS)).body.subscriptions;
    expect(paying).toMatchObject([
      {
        subscription: { contract_id: subscription.contract_id },
        state: { payment: { payload: { thisPaymentDueAt: '2026-04-01T00:00:00.000000Z' } } },
      },
    ]);
    expect((await world.get(PAYMENTS)).body).toEqual({ initial_payments: [] });
    expect((await world.get('/v0/entry/all')).body.entries).toHaveLength(1);
  });

  it('is cancelled by the id of its idle state, and the name stays valid for the paid period', async () => {
    const world = await asking();
    const idle = await subscribed(world);
    expect(await world.remove(`${REQUESTS}/${idle}`)).toEqual({ status: 200, body: {} });
    expect((await world.get(SUBSCRIPTIONS)).body).toEqual({ subscriptions: [] });
    const { state, clock } = world.server.host;
    expect(entryNamed(state, wish.name, clock.now())).not.toBeNull();
    expect((await world.remove(`${REQUESTS}/${idle}`)).status).toBe(404);
  });

  it('can be rejected while it is a request', async () => {
    const world = await asking();
    const request = await wished(world);
    expect(await world.post(`${REQUESTS}/${request}/reject`)).toEqual({ status: 200, body: {} });
    for (const path of [`${request}/reject`, `${request}/accept`])
      expect((await world.post(`${REQUESTS}/${path}`)).status).toBe(404);
    expect((await world.get(`${REQUESTS}/${request}`)).status).toBe(404);
  });

  it('is refused with 400 when the wallet has too little coin, and remains a request', async () => {
    const world = await asking();
    const request = await wished(world);
    expect((await world.post(`${REQUESTS}/${request}/accept`)).status).toBe(400);
    await fund(world, alice, '199.9999999999');
    expect((await world.post(`${REQUESTS}/${request}/accept`)).status).toBe(400);
    await world.submit({ type: 'Tap', receiver: alice, amount: Amount.of('0.0000000001') }, alice);
    expect((await world.post(`${REQUESTS}/${request}/accept`)).status).toBe(200);
  });

  it('is accepted by one of two concurrent requests, and the other request gets 429', async () => {
    const { log, hold, release } = heldLog();
    const world = await asking({ log });
    await fund(world, alice, '1000');
    const request = await wished(world);
    hold();
    const [first, second] = [world.post(`${REQUESTS}/${request}/accept`), world.post(`${REQUESTS}/${request}/accept`)];
    await Promise.race([first, second]);
    release();
    expect((await Promise.all([first, second])).map(({ status }) => status).sort()).toEqual([200, 429]);
  });

  it('is hidden from other users, who cannot change it', async () => {
    const world = await asking();
    const idle = await subscribed(world);
    const { body } = await world.post('/v0/entry/create', { ...wish, name: 'other.unverified.ans' });
    const request = body.subscriptionRequestCid as string;
    for (const [method, path] of [
      ['GET', request],
      ['POST', `${request}/accept`],
      ['POST', `${request}/reject`],
      ['DELETE', idle],
      ['DELETE', request],
    ] as const)
      expect((await world.as('bob', method)(`${REQUESTS}/${path}`)).status, `${method} ${path}`).toBe(404);
    for (const path of [REQUESTS, PAYMENTS, SUBSCRIPTIONS]) {
      expect(Object.values((await world.as('bob', 'GET')(path)).body)).toEqual([[]]);
      expect((await world.as('carol', 'GET')(path)).status).toBe(404);
    }
    for (const id of [NO_CONTRACT, 'x']) {
      expect((await world.get(`${REQUESTS}/${id}`)).status).toBe(404);
      expect((await world.remove(`${REQUESTS}/${id}`)).status).toBe(404);
      for (const verb of ['accept', 'reject']) expect((await world.post(`${REQUESTS}/${id}/${verb}`)).status).toBe(404);
    }
    expect((await world.get(REQUESTS)).body.subscription_requests).toHaveLength(1);
  });
});
