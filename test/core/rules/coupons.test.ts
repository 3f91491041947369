import { Amount, Round, type Command, type ContractId, type PartyId } from '@coinlab/core';
import { mintableCouponsOf, mintableGrantsOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';

/** An issuing round that pays validators 0.2, featured apps 2, others 1, super validators 10 and liveness 3. */
function issuing(world: World, round: number, opensAt = 0): void {
  world.put({
    template: 'IssuingMiningRound',
    round: Round.of(round),
    opensAt: second(opensAt),
    targetClosesAt: second(opensAt + 1200),
    perValidatorRewardCoupon: amount('0.2'),
    perFeaturedAppRewardCoupon: amount('2'),
    perUnfeaturedAppRewardCoupon: amount('1'),
    perSvRewardCoupon: amount('10'),
    perValidatorFaucetCoupon: amount('3'),
  });
}

function app(world: World, round: number, value: string, beneficiary: PartyId | null = null): ContractId {
  const terms = { provider, featured: true, amount: amount(value), beneficiary } as const;
  return world.put({ template: 'AppRewardCoupon', ...terms, round: Round.of(round) });
}

function validatorCoupon(world: World, user: PartyId, round: number, value = '5'): ContractId {
  return world.put({ template: 'ValidatorRewardCoupon', user, amount: amount(value), round: Round.of(round) });
}

function right(world: World, user: PartyId, validator: PartyId = provider): void {
  world.put({ template: 'ValidatorRight', user, validator });
}

function mintable(world: World, party: PartyId, most?: number): readonly (readonly [ContractId, string])[] {
  return mintableCouponsOf(world.state, party, world.now, most).map(
    ({ coupon, payout }) => [coupon.id, Amount.short(payout)] as const,
  );
}

describe('the coupons that a party can mint', () => {
  it('are sorted by round, then by payout (largest first), then by age', () => {
    const world = worldOf();
    issuing(world, 4);
    issuing(world, 3);
    const later = app(world, 4, '50');
    const small = app(world, 3, '1');
    const first = app(world, 3, '2');
    const second = app(world, 3, '2');
    expect(mintable(world, provider)).toEqual([
      [first, '4.0'],
      [second, '4.0'],
      [small, '2.0'],
      [later, '100.0'],
    ]);
  });

  it('are sorted by age when several kinds have the same payout', () => {
    const world = worldOf();
    issuing(world, 3);
    const round = Round.of(3);
    const faucet = world.put({ template: 'ValidatorFaucetCoupon', validator: provider, round });
    const live = world.put({ template: 'ValidatorLivenessActivityRecord', validator: provider, round });
    const own = app(world, 3, '1.5');
    expect(mintable(world, provider)).toEqual([faucet, live, own].map((id) => [id, '3.0']));
  });

  it('include every kind that the party may mint, and no other', () => {
    const world = worldOf();
    issuing(world, 3);
    right(world, alice);
    const round = Round.of(3);
    const own = app(world, 3, '1');
    const shared = app(world, 3, '1', alice);
    const sv = world.put({ template: 'SvRewardCoupon', sv: carol, beneficiary: provider, weight: 2, round });
    const live = world.put({ template: 'ValidatorLivenessActivityRecord', validator: provider, round });
    const faucet = world.put({ template: 'ValidatorFaucetCoupon', validator: provider, round });
    const user = validatorCoupon(world, alice, 3);
    validatorCoupon(world, bob, 3);
    expect(mintable(world, provider)).toEqual([
      [sv, '20.0'],
      [live, '3.0'],
      [faucet, '3.0'],
      [own, '2.0'],
      [user, '1.0'],
    ]);
    expect(mintable(world, alice)).toEqual([[shared, '2.0']]);
    expect(mintable(world, carol)).toEqual([]);
  });

  it('are exactly those that a merge of the wallet accepts', () => {
    const world = worldOf();
    issuing(world, 3);
    right(world, alice);
    app(world, 3, '1');
    validatorCoupon(world, alice, 3);
    const inputs = mintable(world, provider).map(([id]) => id);
    const merge: Command = { type: 'MergeHoldings', owner: provider, inputs };
    expect(world.accepted('HoldingsMerged', merge, provider).detail.minted).toBe(amount('3'));
    expect(mintable(world, provider)).toEqual([]);
  });

  it('leave out rounds that are not issuing', () => {
    const world = worldOf();
    issuing(world, 3, 10);
    app(world, 3, '1');
    app(world, 2, '1');
    // In the same drawer as round 3.
    app(world, 19, '1');
    expect(mintable(world, provider)).toEqual([]);
    expect(mintable(world.wait(10), provider)).toHaveLength(1);
  });

  it('of a validator are looked up by user or by coupon, whichever list is shorter', () => {
    const world = worldOf();
    issuing(world, 3);
    for (const user of [alice, bob, carol]) right(world, user);
    const coupon = validatorCoupon(world, bob, 3);
    validatorCoupon(world, dso, 3);
    expect(mintable(world, provider)).toEqual([[coupon, '1.0']]);
    const more = [alice, alice, carol].map((user) => validatorCoupon(world, user, 3, '10'));
    expect(mintable(world, provider)).toEqual([...more.map((id) => [id, '2.0']), [coupon, '1.0']]);
  });

  it('are limited per kind, the oldest rounds first', () => {
    const world = worldOf();
    issuing(world, 3);
    issuing(world, 4);
    const early = [app(world, 3, '1'), app(world, 3, '1')];
    const late = [app(world, 4, '9'), app(world, 4, '9')];
    const live = world.put({ template: 'ValidatorLivenessActivityRecord', validator: provider, round: Round.of(4) });
    expect(mintable(world, provider, 3).map(([id]) => id)).toEqual([...early, late[0], live]);
    expect(mintable(world, provider, 2).map(([id]) => id)).toEqual([...early, live]);
  });
});

describe('the grants that a party can mint', () => {
  it('are its activity records, then its fund coupons, until they expire', () => {
    const world = worldOf();
    const terms = { amount: amount('1'), reason: '', expiresAt: second(10) } as const;
    const coupon = { template: 'DevelopmentFundCoupon', ...terms } as const;
    const fund = world.put({ ...coupon, beneficiary: bob, fundManager: alice });
    const unclaimed = world.put({ template: 'UnclaimedActivityRecord', beneficiary: bob, ...terms });
    const ids = (party: PartyId): readonly ContractId[] =>
      mintableGrantsOf(world.state, party, world.now).map(({ id }) => id);
    expect(ids(bob)).toEqual([unclaimed, fund]);
    // The manager sees the coupon, and may not mint it.
    expect(ids(alice)).toEqual([]);
    world.wait(10);
    expect(ids(bob)).toEqual([]);
  });
});
