import { allOf } from '@coinlab/core/views';
import { Amount, Round, supplyOf, type Command, type ContractId, type Instant, type PartyId } from '@coinlab/core';
import { expirableCoupons, poolToMerge, poolTotalOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const seventh = Round.of(7);
const nowhere = 999_999 as ContractId;
const ends = second(1000);

/** A network with the closed round 7 of the specification's second vector. */
function closed(): World {
  const world = worldOf();
  world.put({
    template: 'ClosedMiningRound',
    round: seventh,
    perValidatorRewardCoupon: amount('0.2'),
    perFeaturedAppRewardCoupon: amount('72.2983257230'),
    perUnfeaturedAppRewardCoupon: amount('0.6'),
    perSvRewardCoupon: amount('347.0319634703'),
    perValidatorFaucetCoupon: amount('19'),
  });
  return world;
}

function validatorCoupon(world: World, value: string, round: Round = seventh): ContractId {
  return world.put({ template: 'ValidatorRewardCoupon', user: alice, amount: amount(value), round });
}

function pool(world: World, ...values: readonly string[]): readonly ContractId[] {
  return values.map((value) => world.put({ template: 'UnclaimedReward', amount: amount(value) }));
}

function inPool(world: World): readonly string[] {
  return [...allOf(world.state, 'UnclaimedReward')].map(({ amount: value }) => Amount.short(value));
}

describe('the coupons of a closed round', () => {
  it('become one UnclaimedReward worth their payouts, each kind at its own payout', () => {
    const world = closed();
    const app = { template: 'AppRewardCoupon', provider, beneficiary: null, round: seventh } as const;
    const coupons = [
      validatorCoupon(world, '10'),
      world.put({ ...app, featured: true, amount: amount('6.6666666667') }),
      world.put({ ...app, featured: false, amount: amount('6.6666666667') }),
      world.put({ template: 'SvRewardCoupon', sv: carol, beneficiary: bob, weight: 3, round: seventh }),
      world.put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round: seventh }),
      world.put({ template: 'ValidatorFaucetCoupon', validator: alice, round: seventh }),
    ];
    const { detail, archived } = world.accepted(
      'ExpiredRewardsClaimed',
      { type: 'ClaimExpiredRewards', round: seventh, coupons },
      dso,
    );
    expect(archived).toEqual(coupons);
    // 2 + 481.9888381557 + 4 + 1041.0958904109 + 19 + 19
    expect(detail).toMatchObject({ coupons: 6, unclaimed: amount('1567.0847285666'), minted: 0n, burned: 0n });
    expect(inPool(world)).toEqual(['1567.0847285666']);
    expect(supplyOf(world.state).supply).toBe(0n);
  });

  it('are worth the sum of their amounts per kind times the rate, rounded once', () => {
    const world = closed();
    const coupons = ['0.0000000002', '0.0000000002', '0.0000000002'].map((value) => validatorCoupon(world, value));
    const claim: Command = { type: 'ClaimExpiredRewards', round: seventh, coupons };
    expect(world.accepted('ExpiredRewardsClaimed', claim, dso).detail.unclaimed).toBe(1n);
  });

  it('create no UnclaimedReward when they are worth zero', () => {
    const world = closed();
    const coupons = [validatorCoupon(world, '0.0000000001')];
    const claim: Command = { type: 'ClaimExpiredRewards', round: seventh, coupons };
    expect(world.accepted('ExpiredRewardsClaimed', claim, dso).detail).toMatchObject({ unclaimed: 0n, reward: null });
    expect(inPool(world)).toEqual([]);
  });

  it('are expired in batches per kind, oldest first, until no coupon is left', () => {
    const world = closed();
    const validator = Array.from({ length: 25 }, () => validatorCoupon(world, '1'));
    const record = world.put({ template: 'ValidatorLivenessActivityRecord', validator: bob, round: seventh });
    validatorCoupon(world, '1', Round.of(8));
    const ids = (): readonly ContractId[] => expirableCoupons(world.state, seventh).map(({ id }) => id);
    expect(ids()).toEqual([...validator.slice(0, 20), record]);
    world.submit({ type: 'ClaimExpiredRewards', round: seventh, coupons: ids() }, dso);
    expect(ids()).toEqual(validator.slice(20));
    world.submit({ type: 'ClaimExpiredRewards', round: seventh, coupons: ids() }, dso);
    expect(ids()).toEqual([]);
  });
});

describe('ClaimExpiredRewards', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly round: Round;
    readonly coupons: (world: World) => readonly ContractId[];
  }
  const good: Plan = { actAs: dso, round: seventh, coupons: (world) => [validatorCoupon(world, '1')] };
  precedence<Plan>(
    good,
    [
      ['NOT_AUTHORISED', { actAs: alice }],
      ['NO_INPUTS', { coupons: () => [] }],
      ['CONTRACT_NOT_FOUND', { round: Round.of(6) }, 'the round is not closed'],
      ['CONTRACT_NOT_FOUND', { coupons: () => [nowhere] }],
    ],
    (code, { actAs, round, coupons }) => {
      const world = closed();
      world.refused(code, { type: 'ClaimExpiredRewards', round, coupons: coupons(world) }, actAs);
    },
  );

  it('refuses coupons of rounds that are not closed', () => {
    const world = closed();
    const coupons = [validatorCoupon(world, '1', Round.of(6))];
    const claim: Command = { type: 'ClaimExpiredRewards', round: Round.of(6), coupons };
    expect(world.refused('CONTRACT_NOT_FOUND', claim, dso).contract).toBeNull();
  });

  it('refuses a repeated coupon, a coupon of another round, and other contracts', () => {
    const world = closed();
    const claim = (...coupons: readonly ContractId[]): Command => ({
      type: 'ClaimExpiredRewards',
      round: seventh,
      coupons,
    });
    const coupon = validatorCoupon(world, '1');
    const other = validatorCoupon(world, '1', Round.of(8));
    world.refused('DUPLICATE_INPUT', claim(coupon, coupon, other), dso);
    expect(world.refused('GROUP_MISMATCH', claim(coupon, other, nowhere), dso)).toMatchObject({
      contract: other,
      expected: '7',
      actual: '8',
    });
    world.refused('CONTRACT_NOT_FOUND', claim(world.fund(alice, '1')), dso);
  });

  it('refuses coupons worth more than 38 digits', () => {
    const world = worldOf();
    const figure = { perSvRewardCoupon: Amount.max, perValidatorFaucetCoupon: Amount.max };
    const none = { perFeaturedAppRewardCoupon: Amount.zero, perUnfeaturedAppRewardCoupon: Amount.zero };
    world.put({
      template: 'ClosedMiningRound',
      round: seventh,
      perValidatorRewardCoupon: Amount.zero,
      ...none,
      ...figure,
    });
    const coupons = [alice, bob].map((validator) =>
      world.put({ template: 'ValidatorLivenessActivityRecord', validator, round: seventh }),
    );
    world.refused('INVALID_DECIMAL', { type: 'ClaimExpiredRewards', round: seventh, coupons }, dso);
  });
});

describe('unclaimed rewards', () => {
  it('are merged into one contract', () => {
    const world = worldOf();
    const rewards = pool(world, '1.5', '2.25', '0.0000000001');
    const { detail } = world.accepted('UnclaimedRewardsMerged', { type: 'MergeUnclaimedRewards', rewards }, dso);
    expect(detail).toMatchObject({ merged: 3, amount: amount('3.7500000001'), minted: 0n, burned: 0n });
    expect(inPool(world)).toEqual(['3.7500000001']);
  });

  it('are merged above the threshold, the smallest first', () => {
    const world = worldOf();
    const [big, small, middle] = pool(world, '3', '1', '2');
    expect(poolToMerge(world.state, 'UnclaimedReward', 3)).toEqual([]);
    expect(poolToMerge(world.state, 'UnclaimedReward', 2)).toEqual([small, middle, big]);
    expect(poolToMerge(world.state, 'UnclaimedReward', 2, 2)).toEqual([small, middle]);
  });

  it('with equal amounts are merged oldest first', () => {
    const world = worldOf();
    const [one, two, three, less] = pool(world, '2', '2', '2', '1');
    expect(poolToMerge(world.state, 'UnclaimedReward', 2, 3)).toEqual([less, one, two]);
    expect(poolToMerge(world.state, 'UnclaimedReward', 2)).toEqual([less, one, two, three]);
  });

  describe('MergeUnclaimedRewards', () => {
    interface Plan {
      readonly actAs: PartyId;
      readonly rewards: (world: World) => readonly ContractId[];
    }
    precedence<Plan>(
      { actAs: dso, rewards: (world) => pool(world, '1', '2') },
      [
        ['NOT_AUTHORISED', { actAs: alice }],
        ['MERGE_NOT_REDUCING', { rewards: (world) => pool(world, '1') }],
        [
          'DUPLICATE_INPUT',
          { rewards: (world) => [...pool(world, '1'), ...pool(world, '2')].flatMap((id) => [id, id]) },
        ],
      ],
      (code, { actAs, rewards }) => {
        const world = worldOf();
        world.refused(code, { type: 'MergeUnclaimedRewards', rewards: rewards(world) }, actAs);
      },
    );

    it('refuses other contracts, and a sum of more than 38 digits', () => {
      const world = worldOf();
      const [reward] = pool(world, '1');
      const merge = (...rewards: readonly (ContractId | undefined)[]): Command => ({
        type: 'MergeUnclaimedRewards',
        rewards: rewards.filter((id) => id !== undefined),
      });
      world.refused('CONTRACT_NOT_FOUND', merge(reward, nowhere), dso);
      const largest = world.put({ template: 'UnclaimedReward', amount: Amount.max });
      world.refused('INVALID_DECIMAL', merge(reward, largest), dso);
    });
  });
});

describe('an activity record', () => {
  const allocate = (
    value: string,
    expiresAt: Instant = ends,
  ): Extract<Command, { type: 'AllocateActivityRecord' }> => ({
    type: 'AllocateActivityRecord',
    beneficiary: bob,
    amount: amount(value),
    reason: 'lost rewards',
    expiresAt,
  });

  it('is allocated from the oldest unclaimed rewards, and the remaining coin returns to the pool', () => {
    const world = worldOf();
    pool(world, '3', '4', '5');
    const { detail } = world.accepted('ActivityRecordAllocated', allocate('5.5'), dso);
    expect(detail).toMatchObject({ beneficiary: bob, amount: amount('5.5'), reason: 'lost rewards', minted: 0n });
    expect(inPool(world)).toEqual(['5.0', '1.5']);
    expect(poolTotalOf(world.state, 'UnclaimedReward')).toBe(amount('6.5'));
  });

  it('leaves an empty pool when it takes all coin of the pool', () => {
    const world = worldOf();
    pool(world, '3', '4');
    world.submit(allocate('7'), dso);
    expect(inPool(world)).toEqual([]);
  });

  it('pays its amount to its beneficiary until it expires', () => {
    const world = worldOf();
    pool(world, '7');
    const { record } = world.accepted('ActivityRecordAllocated', allocate('7'), dso).detail;
    const mint: Command = { type: 'MergeHoldings', owner: bob, inputs: [record] };
    world.at(ends).refused('DEADLINE_PASSED', mint, bob);
    world.at(tickOf(ends, -1)).refused('GROUP_MISMATCH', { ...mint, owner: alice }, alice);
    const { detail } = world.accepted('HoldingsMerged', mint, bob);
    expect(detail).toMatchObject({ minted: amount('7'), rewards: { unclaimedActivity: amount('7') } });
  });

  it('returns its coin to the pool after its end', () => {
    const world = worldOf();
    pool(world, '7');
    const { record } = world.accepted('ActivityRecordAllocated', allocate('7'), dso).detail;
    const expire: Command = { type: 'ExpireActivityRecord', record };
    world.at(tickOf(ends, -1)).refused('DEADLINE_NOT_REACHED', expire, dso);
    world.at(ends).accepted('ActivityRecordExpired', expire, dso);
    expect(inPool(world)).toEqual(['7.0']);
    world.refused('CONTRACT_NOT_FOUND', expire, dso);
  });

  describe('AllocateActivityRecord', () => {
    interface Plan {
      readonly actAs: PartyId;
      readonly value: string;
      readonly expiresAt: Instant;
    }
    precedence<Plan>(
      { actAs: dso, value: '7', expiresAt: ends },
      [
        ['NOT_AUTHORISED', { actAs: bob }],
        ['NON_POSITIVE_AMOUNT', { value: '0' }],
        ['DEADLINE_PASSED', { expiresAt: second(0) }],
        ['INSUFFICIENT_FUNDS', { value: '7.0000000001' }],
      ],
      (code, { actAs, value, expiresAt }) => {
        const world = worldOf();
        pool(world, '3', '4');
        const rejection = world.refused(code, allocate(value, expiresAt), actAs);
        if (rejection.code === 'INSUFFICIENT_FUNDS') expect(rejection.missing).toBe(1n);
      },
    );
  });

  describe('ExpireActivityRecord', () => {
    interface Plan {
      readonly actAs: PartyId;
      readonly record: ContractId | null;
      readonly at: Instant;
    }
    precedence<Plan>(
      { actAs: dso, record: null, at: ends },
      [
        ['NOT_AUTHORISED', { actAs: bob }],
        ['CONTRACT_NOT_FOUND', { record: nowhere }],
        ['DEADLINE_NOT_REACHED', { at: tickOf(ends, -1) }],
      ],
      (code, { actAs, record, at }) => {
        const world = worldOf();
        pool(world, '7');
        const made = world.accepted('ActivityRecordAllocated', allocate('7'), dso).detail.record;
        world.at(at).refused(code, { type: 'ExpireActivityRecord', record: record ?? made }, actAs);
      },
    );
  });
});
