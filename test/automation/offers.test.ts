import { autoAccept, completeOffers, completeTrafficRequests, expireOffers } from '@coinlab/automation';
import { Duration, find, genesisConfig, type ContractId } from '@coinlab/core';
import { trackingOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, provider, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { settle } from './automation-fixture.ts';

const wallet = { party: alice, validator: provider };
const grace = Duration.seconds(5);

function offer(world: World, trackingId: string, value: string, unit: 'coin' | 'usd' = 'coin'): ContractId {
  return world.accepted(
    'WalletOfferCreated',
    {
      type: 'CreateWalletOffer',
      sender: alice,
      receiver: bob,
      amount: amount(value),
      unit,
      expiresAt: second(600),
      trackingId,
      description: 'rent',
    },
    alice,
  ).detail.offer;
}

function accepted(world: World, trackingId: string, value: string, unit: 'coin' | 'usd' = 'coin'): void {
  world.submit({ type: 'AcceptWalletOffer', offer: offer(world, trackingId, value, unit) }, bob);
}

function lock(world: World, meta: Readonly<Record<string, string>>, sender = alice): ContractId {
  return world.accepted(
    'TransferOffered',
    {
      type: 'CreateOffer',
      sender,
      receiver: bob,
      amount: amount('1'),
      inputs: [world.fund(sender, '1')],
      executeBefore: second(600),
      meta,
    },
    sender,
  ).detail.instruction;
}

describe('a wallet with automatic acceptance', () => {
  const tracked = { 'splice.lfdecentralizedtrust.org/tracking-id': 'T1' };

  it('accepts the offers of listed senders', () => {
    const world = worldOf();
    offer(world, 'T1', '1');
    const policy = autoAccept(bob, { fromParties: [alice], instructions: 'none' });
    expect(settle(world, autoAccept(bob, { fromParties: [carol], instructions: 'all' }))).toEqual([]);
    expect(settle(world, policy)).toEqual(['WalletOfferAccepted']);
  });

  it.each([
    ['none', []],
    ['wallet', ['TransferAccepted']],
    ['all', ['TransferAccepted', 'TransferAccepted']],
  ] as const)('accepts two-step transfers: %s', (instructions, kinds) => {
    const world = worldOf();
    lock(world, {});
    lock(world, tracked);
    lock(world, { ...tracked }, carol);
    expect(settle(world, autoAccept(bob, { fromParties: [alice], instructions }))).toEqual(kinds);
  });

  it('does not accept its own offers', () => {
    const world = worldOf();
    lock(world, {});
    expect(settle(world, autoAccept(alice, { fromParties: [alice], instructions: 'all' }))).toEqual([]);
  });

  it('does not accept a transfer that lost its locked coin', () => {
    const world = worldOf();
    const id = lock(world, {});
    const instruction = find(world.state, 'TransferInstruction', id);
    if (!instruction) throw new Error('the transfer was offered');
    world.take(instruction.lockedHolding);
    expect(settle(world, autoAccept(bob, { fromParties: [alice], instructions: 'all' }))).toEqual([]);
  });

  it('ignores offers that have expired or lost their locked coin', () => {
    const world = worldOf();
    offer(world, 'T1', '1');
    const instruction = lock(world, {});
    const { lockedHolding } = find(world.state, 'TransferInstruction', instruction) ?? {};
    if (!lockedHolding) throw new Error('the offer has its coin');
    world.take(lockedHolding);
    lock(world, {});
    const policy = autoAccept(bob, { fromParties: [alice], instructions: 'all' });
    world.at(second(600));
    expect(settle(world, policy)).toEqual([]);
  });
});

describe('a wallet with automatic completion', () => {
  it('pays each accepted offer from the change of the payment before', () => {
    const world = worldOf();
    world.fundEach(alice, ['5', '3']);
    accepted(world, 'T1', '4');
    accepted(world, 'T2', '3');
    expect(settle(world, completeOffers(wallet))).toEqual(['WalletOfferCompleted', 'WalletOfferCompleted']);
    expect([world.coinsOf(alice), world.coinsOf(bob)]).toEqual([['1.0'], ['4.0', '3.0']]);
  });

  it('converts an offer in USD at the price of the usable round', () => {
    const world = worldOf({ amuletPrice: amount('0.15') });
    world.fund(alice, '10');
    accepted(world, 'T1', '1', 'usd');
    settle(world, completeOffers(wallet));
    expect(world.coinsOf(bob)).toEqual(['6.6666666667']);
  });

  it('aborts an offer in USD when it lacks the coin at the current price', () => {
    const world = worldOf({ amuletPrice: amount('0.15') });
    world.fund(alice, '5');
    accepted(world, 'T1', '1', 'usd');
    expect(settle(world, completeOffers(wallet))).toEqual(['WalletOfferAborted']);
    expect(trackingOf(world.state, alice, 'transfer', 'T1')).toMatchObject({
      reason: 'out of funds (missing 1.6666666667 CC)',
    });
  });

  it('skips an offer in USD that is worth no coin, and pays the next offer', () => {
    const world = worldOf({ amuletPrice: amount('10') });
    world.fund(alice, '5');
    accepted(world, 'T1', '0.0000000001', 'usd');
    accepted(world, 'T2', '1');
    expect(settle(world, completeOffers(wallet))).toEqual(['WalletOfferCompleted']);
    expect(world.coinsOf(bob)).toEqual(['1.0']);
  });

  it('waits until a round is usable', () => {
    const world = worldOf();
    world.fund(alice, '10000');
    accepted(world, 'T1', '1', 'usd');
    request(world, 'R1', 200_000);
    world.at(second(-1));
    expect(settle(world, completeOffers(wallet))).toEqual([]);
    expect(settle(world, completeTrafficRequests(wallet))).toEqual([]);
    world.at(second(0));
    expect(settle(world, completeOffers(wallet))).toEqual(['WalletOfferCompleted']);
    expect(settle(world, completeTrafficRequests(wallet))).toEqual(['TrafficRequestCompleted']);
  });

  it('aborts an offer when it lacks the coin, and reports the missing amount', () => {
    const world = worldOf();
    world.fund(alice, '5');
    accepted(world, 'T1', '7.5');
    accepted(world, 'T2', '5');
    expect(settle(world, completeOffers(wallet))).toEqual(['WalletOfferAborted', 'WalletOfferCompleted']);
    expect(trackingOf(world.state, alice, 'transfer', 'T1')).toMatchObject({
      status: 'failed',
      reason: 'out of funds (missing 2.5 CC)',
    });
  });

  it('ignores offers made to its owner and expired offers', () => {
    const world = worldOf();
    world.fundEach(bob, ['5']);
    accepted(world, 'T1', '4');
    expect(settle(world, completeOffers({ party: bob, validator: provider }))).toEqual([]);
    world.fund(alice, '5');
    world.at(second(600));
    expect(settle(world, completeOffers(wallet))).toEqual([]);
  });

  it('removes expired offers once the configured grace for clock skew has passed', () => {
    const world = worldOf();
    offer(world, 'T1', '1');
    accepted(world, 'T2', '1');
    request(world, 'R1', 300_000);
    world.at(second(604.999));
    expect(settle(world, expireOffers(wallet, grace))).toEqual([]);
    world.at(second(605));
    expect(settle(world, expireOffers({ party: bob }, grace))).toEqual(['WalletOfferExpired', 'WalletOfferExpired']);
    expect(settle(world, expireOffers(wallet, grace))).toEqual(['TrafficRequestExpired']);
  });

  function request(world: World, trackingId: string, trafficBytes: number, synchronizerId?: string): void {
    world.submit(
      {
        type: 'CreateTrafficRequest',
        endUser: alice,
        memberId: 'PAR::bob',
        trafficBytes,
        trackingId,
        expiresAt: second(600),
        ...(synchronizerId === undefined ? {} : { synchronizerId }),
      },
      alice,
    );
  }

  it('completes requests to buy traffic, and cancels requests that fail', () => {
    // 200,000 bytes at 16.67 USD a megabyte are 3.334 USD.
    const world = worldOf({ amuletPrice: amount('1') });
    world.fund(alice, '5');
    request(world, 'R1', 199_999);
    request(world, 'R2', 200_000, 'another');
    request(world, 'R3', 200_000);
    request(world, 'R4', 200_000);
    const before = world.ledger.updates().length;
    expect(settle(world, completeTrafficRequests(wallet))).toEqual([
      'TrafficRequestCancelled',
      'TrafficRequestCancelled',
      'TrafficRequestCompleted',
      'TrafficRequestCancelled',
    ]);
    expect(world.coinsOf(alice)).toEqual(['1.666']);
    const reasons = world.ledger.updates(before).flatMap(({ detail }) => ('reason' in detail ? [detail.reason] : []));
    expect(reasons).toEqual([
      'at least 200000 bytes are sold',
      'unknown synchronizer another',
      'out of funds (missing 1.668 CC)',
    ]);
  });

  it('does not complete a traffic request that costs no more than the create fee of a coin', () => {
    const transferConfigUsd = { ...genesisConfig('legacy-fees').transferConfigUsd, createFee: amount('4') };
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1'), config: { transferConfigUsd } });
    world.fund(alice, '50');
    request(world, 'R1', 200_000);
    expect(settle(world, completeTrafficRequests(wallet))).toEqual([]);
    request(world, 'R2', 300_000);
    expect(settle(world, completeTrafficRequests(wallet))).toEqual(['TrafficRequestCompleted']);
  });

  it('does not complete an expired traffic request', () => {
    const world = worldOf();
    world.fund(alice, '10000');
    request(world, 'R1', 200_000);
    world.at(second(600));
    expect(settle(world, completeTrafficRequests(wallet))).toEqual([]);
  });
});
