import { allOf, countOfTemplate, openRoundsOf } from '@coinlab/core/views';
import { ANS_CONFIG, entryNamed } from '@coinlab/core/rules';
import { find, supplyOf, type Command, type ContractId, type ProfileName } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { appCoupons, issuingRound } from '../../automation/automation-fixture.ts';
import { alice, amount, bob, carol, dso, tickOf, worldOf, type World } from '../ledger-fixture.ts';

const day = 86_400;
const profiles: readonly ProfileName[] = ['legacy-fees', 'feeless', 'feeless-24h'];

/** A network with a name service, price 0.5 USD: a name costs 2 coins. */
function named(profile: ProfileName = 'feeless'): World {
  const world = worldOf({ profile, amuletPrice: amount('0.5') });
  world.submit(
    { type: 'BootstrapDso', svs: [{ party: carol, name: 'SV', rewardWeight: 1, participantId: 'PAR::sv' }] },
    dso,
  );
  return world;
}

function request(world: World, user = alice, name = 'alice.test'): ContractId {
  return world.accepted(
    'AnsEntryRequested',
    { type: 'RequestAnsEntry', user, name, url: 'https://example.org', description: 'me' },
    user,
  ).detail.reference;
}

function pay(world: World, subscription: ContractId, user = alice) {
  const inputs = [world.fund(user, '10')];
  return world.accepted('AnsPaymentMade', { type: 'PayAnsSubscription', subscription, inputs }, user).detail;
}

function collect(world: World, payment: ContractId) {
  return world.accepted('AnsPaymentCollected', { type: 'CollectAnsPayment', payment }, dso).detail;
}

function idle(world: World): ContractId {
  for (const { id } of allOf(world.state, 'SubscriptionIdleState')) return id;
  throw new Error('a subscription is paid');
}

describe('a name', () => {
  it.each(profiles)(
    'belongs for 90 days to the user whose payment is collected and burned, in the profile %s',
    (profile) => {
      const world = named(profile);
      const { payment, lockedHolding, amount: paid } = pay(world, request(world));
      expect(paid).toBe(amount('2'));
      expect(find(world.state, 'Holding', lockedHolding)?.lock?.holders).toEqual([dso]);
      const { supply } = supplyOf(world.state);
      const collected = collect(world, payment);
      expect(collected).toMatchObject({ minted: 0n, burned: amount('2'), isFirst: true });
      expect(supplyOf(world.state).supply).toBe(supply - amount('2'));
      expect(entryNamed(world.state, 'alice.test', world.now)).toMatchObject({
        user: alice,
        url: 'https://example.org',
        expiresAt: world.now + ANS_CONFIG.entryLifetime,
      });
    },
  );

  it('can be paid with rewards, which its payment then lists', () => {
    const world = named();
    issuingRound(world, 0);
    const inputs = [world.fund(alice, '1'), ...appCoupons(world, alice, 0, ['5'])];
    const paid = { type: 'PayAnsSubscription', subscription: request(world), inputs } as const;
    const { detail } = world.accepted('AnsPaymentMade', paid, alice);
    expect(detail).toMatchObject({ inputs: 2, minted: amount('10'), rewards: { appRewards: amount('10') } });
    expect(world.coinsOf(alice)).toEqual(['9.0']);
  });

  it('is renewed within its last 30 days, starting at its old end', () => {
    const world = named();
    const { expiresAt } = collect(world, pay(world, request(world)).payment);
    world.wait(60 * day - 1);
    const early = { type: 'PayAnsSubscription', subscription: idle(world), inputs: [] } as const;
    world.refused('TOO_SOON', early, alice);
    world.wait(1);
    const collected = collect(world, pay(world, idle(world)).payment);
    expect(collected).toMatchObject({ isFirst: false, expiresAt: expiresAt + ANS_CONFIG.entryLifetime });
    expect(countOfTemplate(world.state, 'AnsEntry')).toBe(1);
  });

  it('is free from its end on, and goes to the first payer', () => {
    const world = named();
    collect(world, pay(world, request(world)).payment);
    world.wait(90 * day);
    expect(entryNamed(world.state, 'alice.test', world.now)).toBeNull();
    collect(world, pay(world, request(world, bob), bob).payment);
    expect(entryNamed(world.state, 'alice.test', world.now)?.user).toBe(bob);
    expect(countOfTemplate(world.state, 'AnsEntry')).toBe(1);
  });

  it('goes to the first of two payers, and the second payer gets its coin back', () => {
    const world = named();
    const [first, second] = [pay(world, request(world)), pay(world, request(world, bob), bob)];
    collect(world, first.payment);
    world.refused('ALREADY_EXISTS', { type: 'CollectAnsPayment', payment: second.payment }, dso);
    const rejected = world.accepted('AnsPaymentRejected', { type: 'RejectAnsPayment', payment: second.payment }, dso);
    expect(rejected.detail).toMatchObject({ user: bob, amount: amount('2'), isFirst: true });
    expect(world.coinsOf(bob)).toEqual(['8.0', '2.0']);
    expect(countOfTemplate(world.state, 'AnsEntryContext')).toBe(1);
  });

  it('costs the USD price fixed in its request, converted at the current price of coin', () => {
    const world = named();
    const reference = request(world);
    const newConfig = { ...ANS_CONFIG, entryFeeUsd: amount('100') };
    world.submit({ type: 'ExecuteAction', action: { type: 'SetAnsConfig', baseConfig: ANS_CONFIG, newConfig } }, dso);
    expect(pay(world, reference).amount).toBe(amount('2'));
    const later = request(world, bob);
    expect(find(world.state, 'SubscriptionRequest', later)?.terms.paymentUsd).toBe(amount('100'));
  });

  it('is removed with its subscription when it was not renewed', () => {
    const world = named();
    const { entry } = collect(world, pay(world, request(world)).payment);
    const subscription = idle(world);
    world.refused('DEADLINE_NOT_REACHED', { type: 'ExpireAnsEntry', entry }, dso);
    world.refused('DEADLINE_NOT_REACHED', { type: 'ExpireAnsSubscription', subscription }, dso);
    world.wait(90 * day);
    world.refused('NOT_AUTHORISED', { type: 'ExpireAnsEntry', entry }, bob);
    world.accepted('AnsEntryExpired', { type: 'ExpireAnsEntry', entry }, dso);
    world.accepted('AnsSubscriptionExpired', { type: 'ExpireAnsSubscription', subscription }, alice);
    const left = ['AnsEntry', 'AnsEntryContext', 'SubscriptionIdleState'] as const;
    expect(left.map((template) => countOfTemplate(world.state, template))).toEqual([0, 0, 0]);
  });

  it('remains valid until its end when the subscription is cancelled', () => {
    const world = named();
    collect(world, pay(world, request(world)).payment);
    const subscription = idle(world);
    world.refused('NOT_AUTHORISED', { type: 'CancelAnsSubscription', subscription }, dso);
    world.accepted('AnsSubscriptionCancelled', { type: 'CancelAnsSubscription', subscription }, alice);
    expect(entryNamed(world.state, 'alice.test', world.now)).not.toBeNull();
    world.refused('CONTRACT_NOT_FOUND', { type: 'ExpireAnsSubscription', subscription }, dso);
  });
});

describe('a payment for a name', () => {
  it('returns its coin to a user that reclaims it after two ticks', () => {
    const world = named();
    const { payment } = pay(world, request(world));
    world.wait(1199);
    world.refused('NOT_AUTHORISED', { type: 'ReclaimAnsPayment', payment }, dso);
    world.refused('DEADLINE_NOT_REACHED', { type: 'ReclaimAnsPayment', payment }, alice);
    world.wait(1);
    world.accepted('AnsPaymentReclaimed', { type: 'ReclaimAnsPayment', payment }, alice);
    expect(world.coinsOf(alice)).toEqual(['8.0', '2.0']);
    world.refused('CONTRACT_NOT_FOUND', { type: 'CollectAnsPayment', payment }, dso);
  });

  it('leaves the subscription active when a renewal is rejected', () => {
    const world = named();
    const { expiresAt } = collect(world, pay(world, request(world)).payment);
    world.wait(70 * day);
    const { payment } = pay(world, idle(world));
    world.accepted('AnsPaymentRejected', { type: 'RejectAnsPayment', payment }, dso);
    expect(find(world.state, 'SubscriptionIdleState', idle(world))?.nextPaymentDueAt).toBe(expiresAt);
    world.at(expiresAt);
    const overdue = { type: 'PayAnsSubscription', subscription: idle(world), inputs: [] } as const;
    world.refused('DEADLINE_PASSED', overdue, alice);
  });

  it('can be collected for a renewal until one microsecond before the name expires', () => {
    const world = named();
    const { expiresAt } = collect(world, pay(world, request(world)).payment);
    world.at(tickOf(expiresAt, -1));
    const { payment } = pay(world, idle(world));
    const collected: Command = { type: 'CollectAnsPayment', payment };
    world.fork().accepted('AnsPaymentCollected', collected, dso);
    expect(world.at(expiresAt).refused('DEADLINE_PASSED', collected, dso).deadline).toBe(expiresAt);
  });

  it('earns coupons for its fees in the profile with fees, and none in the others', () => {
    const couponsIn = (profile: ProfileName): number => {
      const world = named(profile);
      pay(world, request(world));
      return countOfTemplate(world.state, 'AppRewardCoupon') + countOfTemplate(world.state, 'ValidatorRewardCoupon');
    };
    expect(profiles.map(couponsIn)).toEqual([2, 0, 0]);
  });

  it('cannot be made while no round is open', () => {
    const world = named();
    const subscription = request(world);
    const inputs = [world.fund(alice, '10')];
    for (const { id } of openRoundsOf(world.state)) world.take(id);
    world.refused('ROUND_NOT_OPEN', { type: 'PayAnsSubscription', subscription, inputs }, alice);
  });

  it('that lost its coin cannot be collected, and is rejected without returning coin', () => {
    const world = named();
    const { payment, lockedHolding } = pay(world, request(world));
    world.take(lockedHolding);
    world.refused('CONTRACT_NOT_FOUND', { type: 'CollectAnsPayment', payment }, dso);
    const rejected = world.accepted('AnsPaymentRejected', { type: 'RejectAnsPayment', payment }, dso);
    expect(rejected.detail.holding).toBeNull();
  });

  it('is refused with the code of the first failed check', () => {
    const world = named();
    const subscription = request(world);
    const inputs = [world.fund(alice, '1')];
    world.refused('NOT_AUTHORISED', { type: 'PayAnsSubscription', subscription, inputs: [] }, bob);
    world.refused('NO_INPUTS', { type: 'PayAnsSubscription', subscription, inputs: [] }, alice);
    const short = world.refused('INSUFFICIENT_FUNDS', { type: 'PayAnsSubscription', subscription, inputs }, alice);
    expect(short.missing).toBe(amount('1'));
    world.refused('NOT_AUTHORISED', { type: 'WithdrawAnsRequest', request: subscription }, bob);
    world.accepted('AnsRequestWithdrawn', { type: 'WithdrawAnsRequest', request: subscription }, alice);
    world.refused('CONTRACT_NOT_FOUND', { type: 'PayAnsSubscription', subscription, inputs }, alice);
    world.refused('CONTRACT_NOT_FOUND', { type: 'WithdrawAnsRequest', request: subscription }, alice);
    world.refused('CONTRACT_NOT_FOUND', { type: 'ExpireAnsEntry', entry: subscription }, dso);
  });
});

describe('a request for a name', () => {
  it('is refused with the code of the first failed check', () => {
    const empty = { type: 'RequestAnsEntry', user: alice, name: '', url: '', description: '' } as const;
    worldOf().refused('NOT_BOOTSTRAPPED', empty, bob);
    const world = named();
    world.refused('NOT_AUTHORISED', empty, bob);
    world.refused('INVALID_ARGUMENT', empty, alice);
  });
});
