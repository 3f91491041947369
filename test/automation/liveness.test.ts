import { allOf } from '@coinlab/core/views';
import { collectSvRewards, recordLiveness } from '@coinlab/automation';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { found, settle } from './automation-fixture.ts';

function recorded(world: World): readonly number[] {
  return [...allOf(world.state, 'ValidatorLivenessActivityRecord')].map(({ round }) => round);
}

describe('a validator', () => {
  it('records its liveness once in each usable round', () => {
    const world = worldOf();
    const policy = recordLiveness(alice);
    expect(settle(world, policy)).toEqual([]);
    world.submit({ type: 'GrantValidatorLicense', validator: alice, sponsor: carol }, dso);
    expect(settle(world, policy)).toEqual(['LivenessRecorded', 'LivenessRecorded']);
    expect(recorded(world)).toEqual([0, 1]);
    world.at(second(600));
    expect(settle(world, policy)).toEqual(['LivenessRecorded']);
    expect(recorded(world)).toEqual([0, 1, 2]);
  });
});

describe('a super validator', () => {
  function shares(world: World): readonly (readonly [string, number])[] {
    return [...allOf(world.state, 'SvRewardCoupon')].map(({ beneficiary, weight }) => [beneficiary, weight]);
  }

  it('collects its reward coupons once in each usable round, split by weight', () => {
    const world = worldOf();
    found(world, carol, 10);
    expect(settle(world, collectSvRewards(alice, []))).toEqual([]);
    expect(settle(world, collectSvRewards(carol, [{ beneficiary: alice, weight: 3 }]))).toEqual([
      'SvRewardCouponsReceived',
      'SvRewardCouponsReceived',
    ]);
    expect(shares(world).slice(0, 2)).toEqual([
      [alice, 3],
      [carol, 7],
    ]);
  });

  it.each([
    [
      'up to its total',
      [
        [alice, 6],
        [bob, 6],
      ],
      [
        [alice, 6],
        [bob, 4],
      ],
    ],
    [
      'with the shares of a party that is listed twice added up',
      [
        [alice, 2],
        [carol, 1],
        [alice, 1],
      ],
      [
        [alice, 3],
        [carol, 7],
      ],
    ],
    ['only to itself', [], [[carol, 10]]],
  ] as const)('distributes its reward weight to its beneficiaries %s', (_, wanted, expected) => {
    const world = worldOf();
    found(world, carol, 10);
    settle(
      world,
      collectSvRewards(
        carol,
        wanted.map(([beneficiary, weight]) => ({ beneficiary, weight })),
      ),
    );
    expect(shares(world).slice(0, expected.length)).toEqual(expected);
  });

  it('collects no reward coupons when its weight is zero', () => {
    const world = worldOf();
    found(world, carol, 0);
    expect(settle(world, collectSvRewards(carol, [{ beneficiary: alice, weight: 3 }]))).toEqual([]);
  });
});
