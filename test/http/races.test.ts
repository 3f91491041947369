import { Duration, PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import {
  alice,
  bob,
  fund,
  heldLog,
  inSeconds,
  walletServer,
  type Answered,
  type WalletServer,
} from './wallet-fixture.ts';

/*
 * Concurrent equal requests, and concurrent answers to one offer: exactly one takes effect, and the others get the precise error.
 * Source: specification of the API §5.2, §6.2, §6.4.
 */

const carol = PartyId.of('carol');
const times = <Value>(count: number, make: (i: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Sends 100 equal requests. The log holds the winner's update until the others are answered. */
async function atOnce(log: ReturnType<typeof heldLog>, ask: () => Promise<Answered>): Promise<readonly Answered[]> {
  log.hold();
  let answered = 0;
  return Promise.all(
    times(100, async () => {
      const answer = await ask();
      answered++;
      if (answered === 99) log.release();
      return answer;
    }),
  );
}

function tally(answers: readonly Answered[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const offer = (tracking_id: string, receiver = bob): object => ({
  receiver_party_id: receiver,
  amount: '5',
  description: '',
  expires_at: inSeconds(3600),
  tracking_id,
});
const purchase = ({ server }: WalletServer): object => ({
  receiving_validator_party_id: server.validator,
  domain_id: 'global-domain::1220b20a7257b2d3cdf2ff1e76c30e488f57329c858978e7392b60102c5d7b634bda',
  traffic_amount: 1_000_000,
  expires_at: inSeconds(3600),
  tracking_id: 'once',
});

describe('100 concurrent equal requests', () => {
  it.each([
    ['/v0/wallet/transfer-offers', 'locked', () => offer('once', carol)],
    ['/v0/wallet/transfer-offers', 'public', () => offer('once', carol)],
    ['/v0/wallet/buy-traffic-requests', 'locked', purchase],
  ] as const)('%s (%s): one succeeds, 99 get 429, later ones get 409', async (path, walletOffers, body) => {
    const held = heldLog();
    const world = await walletServer({ walletOffers }, held);
    await world.submit({ type: 'AllocateParty', party: carol }, carol);
    await fund(world, alice, '1000');
    const answers = await atOnce(held, () => world.post('alice', path, body(world)));
    expect(tally(answers)).toEqual({ 200: 1, 429: 99 });
    for (let i = 0; i < 3; i++) expect((await world.post('alice', path, body(world))).status).toBe(409);
    // Another wallet may use the same id.
    await fund(world, bob, '1000');
    expect(await world.post('bob', path, body(world))).toMatchObject({ status: 200 });
  });

  it.each(['/v0/wallet/token-standard/transfers', '/v2/wallet/token-standard/transfers'])(
    '%s: one succeeds, 99 get 429, and later ones get the first result',
    async (path) => {
      const held = heldLog();
      const world = await walletServer({}, held);
      await fund(world, alice, '1000');
      const answers = await atOnce(held, () => world.post('alice', path, offer('once')));
      expect(tally(answers)).toEqual({ 200: 1, 429: 99 });
      const first = answers.find(({ status }) => status === 200);
      for (let i = 0; i < 3; i++) expect(await world.post('alice', path, offer('once'))).toEqual(first);
      expect((await world.get('alice', '/v0/wallet/token-standard/transfers')).body.transfers).toHaveLength(1);
    },
  );

  it('to send under a preapproval: one succeeds, 99 get 429, and the receiver is paid once', async () => {
    const held = heldLog();
    const world = await walletServer({}, held);
    await fund(world, world.server.validator, '1000');
    await fund(world, alice, '1000');
    expect((await world.post('bob', '/v0/wallet/transfer-preapproval')).status).toBe(200);
    const payment = { receiver_party_id: bob, amount: '5', deduplication_id: 'once' };
    const answers = await atOnce(held, () => world.post('alice', '/v0/wallet/transfer-preapproval/send', payment));
    expect(tally(answers)).toEqual({ 200: 1, 429: 99 });
    expect((await world.post('alice', '/v0/wallet/transfer-preapproval/send', payment)).status).toBe(200);
    expect((await world.get('bob', '/v0/wallet/balance')).body.effective_unlocked_qty).toBe('5.0000000000');
  });
});

describe('1,000 concurrent accepts and withdraws of one offer', () => {
  it.each(['locked', 'public'] as const)('(%s) let one succeed; the others get 404', async (walletOffers) => {
    const { log, hold, release } = heldLog();
    const world = await walletServer({ walletOffers, automation: { dso: false } }, { log });
    await fund(world, alice, '1000');
    const { body } = await world.post('alice', '/v0/wallet/transfer-offers', offer('rent'));
    const id = body.offer_contract_id as string;
    const before = world.server.host.state.offset;
    const [ofAlice, ofBob] = [await world.server.token('alice'), await world.server.token('bob')];
    const ask = async (verb: 'accept' | 'withdraw'): Promise<Answered & { verb: string }> => {
      const answer = await world.server.app.request(`/v0/wallet/transfer-offers/${id}/${verb}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${verb === 'accept' ? ofBob : ofAlice}` },
      });
      return { status: answer.status, body: await answer.json(), verb };
    };
    hold();
    const asked = times(1000, (i) => ask(i % 2 === 0 ? 'accept' : 'withdraw'));
    setTimeout(release, 50);
    const answers = await Promise.all(asked);
    expect(tally(answers)).toEqual({ 200: 1, 404: 999 });
    const [won] = answers.filter(({ status }) => status === 200);
    for (const { status, body: told } of answers)
      if (status === 404) expect(told).toEqual({ error: expect.any(String) as string });
    const { history } = world.server;
    expect(history.updateAt(before + 1).kind).toMatch(won?.verb === 'accept' ? /Accepted$/ : /Withdrawn$/);

    const status = await world.post('alice', '/v0/wallet/transfer-offers/rent/status');
    const accepted = walletOffers === 'locked' ? 'completed' : expect.stringMatching(/accepted|completed/);
    expect(status.body.status).toEqual(won?.verb === 'accept' ? accepted : 'failed');
    // No coin is locked, and none is paid twice.
    await world.server.advance(Duration.minutes(1));
    const [payer, payee] = [
      await world.get('alice', '/v0/wallet/balance'),
      await world.get('bob', '/v0/wallet/balance'),
    ];
    expect(payer.body.effective_locked_qty).toBe('0.0000000000');
    const paid = won?.verb === 'accept' ? '5' : '0';
    expect([payer.body.effective_unlocked_qty, payee.body.effective_unlocked_qty]).toEqual([
      `${1000 - Number(paid)}.0000000000`,
      `${paid}.0000000000`,
    ]);
  });
});
