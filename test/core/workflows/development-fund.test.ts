import { allOf } from '@coinlab/core/views';
import { Amount, genesisConfig, type Command, type ContractId, type Instant, type PartyId } from '@coinlab/core';
import { poolToMerge } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const manager = carol;
const nowhere = 999_999 as ContractId;
const ends = second(1000);

/** A network whose fund has 7 coins in two contracts and is managed by carol. */
function funded(developmentFundManager: PartyId | null = manager): World {
  const world = worldOf({ config: { ...genesisConfig('feeless'), developmentFundManager } });
  for (const value of ['3', '4']) world.put({ template: 'UnclaimedDevelopmentFundCoupon', amount: amount(value) });
  return world;
}

type Grant = Extract<Command, { type: 'GrantDevelopmentFundCoupon' }>;

function grant(fields: Partial<Grant> = {}): Grant {
  return {
    type: 'GrantDevelopmentFundCoupon',
    fundManager: manager,
    beneficiary: bob,
    amount: amount('5'),
    reason: 'a library',
    expiresAt: ends,
    ...fields,
  };
}

function granted(world: World): ContractId {
  return world.accepted('DevelopmentFundCouponGranted', grant(), manager).detail.coupon;
}

function inFund(world: World): readonly string[] {
  return [...allOf(world.state, 'UnclaimedDevelopmentFundCoupon')].map(({ amount: value }) => Amount.short(value));
}

describe('a development fund coupon', () => {
  it('is granted by the manager from the fund, which keeps the remaining coin', () => {
    const world = funded();
    const { detail } = world.accepted('DevelopmentFundCouponGranted', grant(), manager);
    expect(detail).toMatchObject({
      fundManager: manager,
      beneficiary: bob,
      amount: amount('5'),
      reason: 'a library',
      expiresAt: ends,
      minted: 0n,
      burned: 0n,
    });
    expect(inFund(world)).toEqual(['2.0']);
  });

  it('pays its amount to its beneficiary until it expires', () => {
    const world = funded();
    const mint: Command = { type: 'MergeHoldings', owner: bob, inputs: [granted(world)] };
    world.at(ends).refused('DEADLINE_PASSED', mint, bob);
    const { detail } = world.at(tickOf(ends, -1)).accepted('HoldingsMerged', mint, bob);
    expect(detail).toMatchObject({ minted: amount('5'), rewards: { developmentFund: amount('5') } });
    expect(world.coinsOf(bob)).toEqual(['5.0']);
  });

  it.each([
    ['WithdrawDevelopmentFundCoupon', 'DevelopmentFundCouponWithdrawn', manager],
    ['RejectDevelopmentFundCoupon', 'DevelopmentFundCouponRejected', bob],
    ['ExpireDevelopmentFundCoupon', 'DevelopmentFundCouponExpired', dso],
  ] as const)('returns to the fund by the command %s', (type, kind, actor) => {
    const world = funded();
    const coupon = granted(world);
    world.at(ends).accepted(kind, { type, coupon }, actor);
    expect(inFund(world)).toEqual(['2.0', '5.0']);
    world.refused('CONTRACT_NOT_FOUND', { type, coupon }, actor);
  });

  it('carries the reason of its withdrawal', () => {
    const world = funded();
    const coupon = granted(world);
    const withdrawal = { type: 'WithdrawDevelopmentFundCoupon', coupon } as const;
    const silent = world.accepted('DevelopmentFundCouponWithdrawn', withdrawal, manager);
    expect(silent.detail).not.toHaveProperty('withdrawnFor');
    const other = granted(world);
    const said = { ...withdrawal, coupon: other, reason: 'there is a library' };
    const { detail } = world.accepted('DevelopmentFundCouponWithdrawn', said, manager);
    expect(detail).toMatchObject({ reason: 'a library', withdrawnFor: 'there is a library' });
  });

  it('cannot be granted while the configuration names no manager', () => {
    funded(null).refused('GROUP_MISMATCH', grant(), manager);
  });
});

describe('GrantDevelopmentFundCoupon', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly fields: Partial<Grant>;
  }
  const fields = { amount: amount('7.0000000001') };
  precedence<Plan>(
    { actAs: manager, fields: {} },
    [
      ['NOT_AUTHORISED', { actAs: bob, fields: { amount: Amount.zero, expiresAt: second(0) } }],
      ['GROUP_MISMATCH', { actAs: alice, fields: { fundManager: alice, amount: Amount.zero } }],
      ['NON_POSITIVE_AMOUNT', { actAs: manager, fields: { amount: Amount.zero, expiresAt: second(0) } }],
      ['DEADLINE_PASSED', { fields: { ...fields, expiresAt: second(0) } }],
      ['INSUFFICIENT_FUNDS', { fields }],
    ],
    (code, plan) => void funded().refused(code, grant(plan.fields), plan.actAs),
  );
});

describe.each([
  ['WithdrawDevelopmentFundCoupon', manager, bob],
  ['RejectDevelopmentFundCoupon', bob, manager],
  ['ExpireDevelopmentFundCoupon', dso, manager],
] as const)('the command %s', (type, actor, other) => {
  interface Plan {
    readonly actAs: PartyId;
    readonly coupon: ContractId | null;
    readonly at: Instant;
  }
  precedence<Plan>(
    { actAs: actor, coupon: null, at: ends },
    [
      ['CONTRACT_NOT_FOUND', { coupon: nowhere }],
      ['NOT_AUTHORISED', { actAs: other, coupon: null }],
      ...(type === 'ExpireDevelopmentFundCoupon'
        ? ([['DEADLINE_NOT_REACHED', { at: tickOf(ends, -1) }]] as const)
        : []),
    ],
    (code, { actAs, coupon, at }) => {
      const world = funded();
      const made = granted(world);
      world.at(at).refused(code, { type, coupon: coupon ?? made }, actAs);
    },
  );
});

describe('the development fund', () => {
  it('is merged above the threshold like the unclaimed rewards', () => {
    const world = funded();
    const coupons = poolToMerge(world.state, 'UnclaimedDevelopmentFundCoupon', 1);
    const { detail } = world.accepted('DevelopmentFundMerged', { type: 'MergeDevelopmentFund', coupons }, dso);
    expect(detail).toMatchObject({ merged: 2, amount: amount('7') });
    expect(inFund(world)).toEqual(['7.0']);
    expect(poolToMerge(world.state, 'UnclaimedDevelopmentFundCoupon', 0)).toEqual([]);
  });

  it('is merged by the DSO only, with at least two contracts', () => {
    const world = funded();
    const [coupon] = poolToMerge(world.state, 'UnclaimedDevelopmentFundCoupon', 1);
    const merge: Command = { type: 'MergeDevelopmentFund', coupons: coupon === undefined ? [] : [coupon] };
    world.refused('NOT_AUTHORISED', merge, manager);
    world.refused('MERGE_NOT_REDUCING', merge, dso);
  });
});
