import { allOf } from '@coinlab/core/views';
import { renewNames } from '@coinlab/automation';
import { genesisConfig, type ContractId, type PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, second, tickOf, worldOf, type World } from '../core/ledger-fixture.ts';
import { dsoRoutine, found, settle } from './automation-fixture.ts';

const day = 86_400;
const policy = renewNames({ party: alice });
const collectNamePayments = dsoRoutine('collect name payments');

function holding(maxNumLockHolders: number): World {
  const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders };
  const world = worldOf({ amuletPrice: amount('0.5'), config: { transferConfigUsd } });
  found(world, carol);
  return world;
}

/** Pays two coins for a name; the coin that is locked for it. */
function paid(world: World, user: PartyId): ContractId {
  const name = { name: 'alice.test', url: '', description: '' };
  const { detail } = world.accepted('AnsEntryRequested', { type: 'RequestAnsEntry', user, ...name }, user);
  const inputs = [world.fund(user, '2')];
  const payment = { type: 'PayAnsSubscription', subscription: detail.reference, inputs } as const;
  return world.accepted('AnsPaymentMade', payment, user).detail.lockedHolding;
}

/** Price 0.5: a name costs two coins. Alice has one name and no coin. */
function named(maxNumLockHolders: number = 50): World {
  const world = holding(maxNumLockHolders);
  paid(world, alice);
  settle(world, collectNamePayments);
  return world;
}

describe('a wallet that renews names', () => {
  it('pays for the next interval once, within the last thirty days of a name', () => {
    const world = named();
    world.fund(alice, '3');
    world.wait(60 * day - 1);
    expect(settle(world, policy)).toEqual([]);
    world.wait(1);
    expect(settle(world, policy)).toEqual(['AnsPaymentMade']);
    expect(settle(world, collectNamePayments)).toEqual(['AnsPaymentCollected']);
    expect(settle(world, policy)).toEqual([]);
    const [entry] = allOf(world.state, 'AnsEntry');
    expect(entry?.expiresAt).toBe(world.now + BigInt(120 * day) * 1_000_000n);
  });

  it('does not pay when the configuration allows no lock holder', () => {
    const world = holding(0);
    world.fund(alice, '3');
    const { detail } = world.accepted(
      'AnsEntryRequested',
      { type: 'RequestAnsEntry', user: alice, name: 'alice.test', url: '', description: '' },
      alice,
    );
    const [request] = allOf(world.state, 'SubscriptionRequest');
    if (!request) throw new Error('expected a request');
    world.put({
      template: 'SubscriptionIdleState',
      terms: request.terms,
      reference: detail.reference,
      nextPaymentDueAt: second(day),
    });
    expect(settle(world, policy)).toEqual([]);
  });

  it('pays when the configuration allows one lock holder', () => {
    const world = named(1);
    world.fund(alice, '3');
    world.wait(60 * day);
    expect(settle(world, policy)).toEqual(['AnsPaymentMade']);
  });

  it('waits for enough coin until the name ends', () => {
    const world = named();
    world.wait(61 * day);
    world.fund(alice, '1.9999999999');
    expect(settle(world, policy)).toEqual([]);
    world.wait(29 * day);
    world.fund(alice, '5');
    expect(settle(world, policy)).toEqual([]);
  });
});

describe('the DSO that collects name payments', () => {
  it('rejects a payment that lost its coin, and gives the name to the next payer', () => {
    const world = holding(50);
    world.take(paid(world, alice));
    paid(world, bob);
    expect(settle(world, collectNamePayments)).toEqual(['AnsPaymentRejected', 'AnsPaymentCollected']);
    expect([...allOf(world.state, 'AnsEntry')].map(({ user }) => user)).toEqual([bob]);
  });

  it('collects a renewal before the name ends, and rejects it afterwards', () => {
    const world = named();
    world.fund(alice, '3');
    const [entry] = allOf(world.state, 'AnsEntry');
    if (!entry) throw new Error('alice has a name');
    world.wait(90 * day - 1);
    expect(settle(world, policy)).toEqual(['AnsPaymentMade']);
    const late = world.fork();
    world.at(tickOf(entry.expiresAt, -1));
    expect(settle(world, collectNamePayments)).toEqual(['AnsPaymentCollected']);
    late.at(entry.expiresAt);
    expect(settle(late, collectNamePayments)).toEqual(['AnsPaymentRejected']);
  });
});
