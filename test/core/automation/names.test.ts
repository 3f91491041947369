import { allOf, collectNamePayments, genesisConfig, renewNames } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, carol, second, worldOf, type World } from '../ledger-fixture.ts';
import { found, settle } from './automation-fixture.ts';

const day = 86_400;
const policy = renewNames({ party: alice });

/** Price 0.5: a name costs two coins. Alice has one name and no coin. */
function named(): World {
  const world = worldOf({ amuletPrice: amount('0.5') });
  found(world, carol);
  const name = { name: 'alice.test', url: '', description: '' };
  const { detail } = world.accepted('AnsEntryRequested', { type: 'RequestAnsEntry', user: alice, ...name }, alice);
  const inputs = [world.fund(alice, '2')];
  world.submit({ type: 'PayAnsSubscription', subscription: detail.reference, inputs }, alice);
  settle(world, collectNamePayments);
  return world;
}

describe('a wallet that keeps its names', () => {
  it('pays in the last thirty days, once', () => {
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

  it('pays nothing where no coin may be locked', () => {
    const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders: 0 };
    const world = worldOf({ amuletPrice: amount('0.5'), config: { transferConfigUsd } });
    found(world, carol);
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

  it('waits until it can pay, and no longer than the name lasts', () => {
    const world = named();
    world.wait(61 * day);
    world.fund(alice, '1.9999999999');
    expect(settle(world, policy)).toEqual([]);
    world.wait(29 * day);
    world.fund(alice, '5');
    expect(settle(world, policy)).toEqual([]);
  });
});
