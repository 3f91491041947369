import { collect } from '@coinlab/automation';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, worldOf } from '../core/ledger-fixture.ts';
import { appCoupons, issuingRound, settle } from './automation-fixture.ts';

describe('a wallet that collects', () => {
  const policy = collect({ party: alice });

  it('mints its rewards and leaves one coin', () => {
    const world = worldOf();
    issuingRound(world, 7);
    appCoupons(world, alice, 7, ['1', '2']);
    world.fundEach(alice, ['3', '4']);
    world.fund(bob, '1');
    expect(settle(world, policy)).toEqual(['HoldingsMerged']);
    expect(world.coinsOf(alice)).toEqual(['13.0']);
    expect(world.coinsOf(bob)).toEqual(['1.0']);
  });

  it('returns no task for a single coin', () => {
    const world = worldOf();
    world.fund(alice, '3');
    expect(settle(world, policy)).toEqual([]);
  });

  it('merges its coins in several turns when one transfer cannot consume all of them', () => {
    const world = worldOf();
    world.fundEach(
      alice,
      Array.from({ length: 150 }, () => '1'),
    );
    expect(settle(world, policy)).toEqual(['HoldingsMerged', 'HoldingsMerged']);
    expect(world.coinsOf(alice)).toEqual(['150.0']);
  });

  it('mints the validator rewards of users that gave it a validator right', () => {
    const world = worldOf();
    issuingRound(world, 7);
    world.put({ template: 'ValidatorRewardCoupon', user: bob, amount: amount('5'), round: 7 as never });
    expect(settle(world, policy)).toEqual([]);
    world.put({ template: 'ValidatorRight', user: bob, validator: alice });
    expect(settle(world, policy)).toEqual(['HoldingsMerged']);
    expect(world.coinsOf(alice)).toEqual(['5.0']);
  });

  describe('collecting when a new coin costs 0.2', () => {
    const fees = { profile: 'legacy-fees', amuletPrice: amount('0.15') } as const;

    it.each([
      ['leaves rewards of 0.1', ['0.1'], [], false],
      ['mints rewards of 0.2', ['0.2'], [], true],
      ['leaves rewards of 0.1 next to one coin', ['0.1'], ['100'], false],
      ['leaves two coins of 0.1 each', [], ['0.1', '0.1'], false],
      ['merges two coins of 0.1 each with rewards of 0.1', ['0.1'], ['0.1', '0.1'], true],
    ])('depends on the worth of rewards and coins: %s', (_, coupons, coins, collects) => {
      const world = worldOf(fees);
      issuingRound(world, 7);
      appCoupons(world, alice, 7, coupons);
      world.fundEach(alice, coins);
      expect(settle(world, policy)).toEqual(collects ? ['HoldingsMerged'] : []);
    });
  });
});
