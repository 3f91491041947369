import { allOf } from '@coinlab/core/views';
import { Amount, PartyId, Round, type Command, type ContractId, type ProfileName } from '@coinlab/core';
import { participantOf } from '@coinlab/core/rules';
import type { GovernanceAction } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';

const [sv, other, offboarded] = ['sv-one', 'sv-two', 'sv-gone'].map(PartyId.of) as [PartyId, PartyId, PartyId];
const zero = Round.of(0);
const past = second(0);
const unit = amount('1');
const feature: GovernanceAction = { type: 'GrantFeaturedAppRight', provider };
const figures = {
  perValidatorRewardCoupon: unit,
  perFeaturedAppRewardCoupon: unit,
  perUnfeaturedAppRewardCoupon: unit,
  perSvRewardCoupon: unit,
  perValidatorFaucetCoupon: unit,
};

/** Two super validators, and a third that was off-boarded. */
function governed(profile: ProfileName = 'feeless'): World {
  const world = worldOf({ profile, amuletPrice: unit });
  const svs = [sv, other, offboarded].map((party) => ({
    party,
    name: party,
    rewardWeight: 1,
    participantId: 'PAR::sv',
  }));
  world.submit({ type: 'BootstrapDso', svs }, dso);
  world.submit({ type: 'ExecuteAction', action: { type: 'OffboardSv', party: offboarded } }, dso);
  return world;
}

function paidName(world: World): ContractId {
  const request: Command = { type: 'RequestAnsEntry', user: alice, name: 'alice.test', url: '', description: '' };
  const subscription = world.accepted('AnsEntryRequested', request, alice).detail.reference;
  const inputs = [world.fund(alice, '10')];
  return world.accepted('AnsPaymentMade', { type: 'PayAnsSubscription', subscription, inputs }, alice).detail.payment;
}

function subscribed(world: World): ContractId {
  world.submit({ type: 'CollectAnsPayment', payment: paidName(world) }, dso);
  for (const { id } of allOf(world.state, 'SubscriptionIdleState')) return id;
  throw new Error('a collected payment leaves a subscription');
}

type Type = Command['type'];

/** The preparation of each routine, and the command that executes it. */
const ROUTINES: { readonly [Name in Type]?: (world: World) => Extract<Command, { type: Name }> } = {
  AdvanceOpenRounds: (world) => {
    world.wait(600);
    return { type: 'AdvanceOpenRounds', amuletPrice: unit };
  },
  AdvanceConfigStates: (world) => {
    world.wait(86_400);
    return { type: 'AdvanceConfigStates' };
  },
  StartIssuing: (world) => {
    world.advanceRounds();
    return { type: 'StartIssuing', round: zero };
  },
  CloseRound: (world) => {
    world.put({ template: 'IssuingMiningRound', round: zero, opensAt: past, targetClosesAt: past, ...figures });
    return { type: 'CloseRound', round: zero };
  },
  ArchiveClosedRound: (world) => {
    world.put({ template: 'ClosedMiningRound', round: zero, ...figures });
    return { type: 'ArchiveClosedRound', round: zero };
  },
  ClaimExpiredRewards: (world) => {
    world.put({ template: 'ClosedMiningRound', round: zero, ...figures });
    const coupon = world.put({ template: 'ValidatorRewardCoupon', user: alice, amount: unit, round: zero });
    return { type: 'ClaimExpiredRewards', round: zero, coupons: [coupon] };
  },
  MergeUnclaimedRewards: (world) => {
    const rewards = [unit, unit].map((value) => world.put({ template: 'UnclaimedReward', amount: value }));
    return { type: 'MergeUnclaimedRewards', rewards };
  },
  ExpireActivityRecord: (world) => {
    const grant = { beneficiary: alice, amount: unit, reason: '', expiresAt: past };
    return { type: 'ExpireActivityRecord', record: world.put({ template: 'UnclaimedActivityRecord', ...grant }) };
  },
  MergeDevelopmentFund: (world) => {
    const put = (value: Amount) => world.put({ template: 'UnclaimedDevelopmentFundCoupon', amount: value });
    return { type: 'MergeDevelopmentFund', coupons: [unit, unit].map(put) };
  },
  ExpireDevelopmentFundCoupon: (world) => {
    const grant = { beneficiary: alice, fundManager: bob, amount: unit, reason: '', expiresAt: past };
    return { type: 'ExpireDevelopmentFundCoupon', coupon: world.put({ template: 'DevelopmentFundCoupon', ...grant }) };
  },
  ConvertActivityMarkers: (world) => {
    const marker = { beneficiary: provider, provider, weight: unit };
    return {
      type: 'ConvertActivityMarkers',
      markers: [world.put({ template: 'FeaturedAppActivityMarker', ...marker })],
    };
  },
  MergeMemberTraffic: (world) => {
    const bought = (): ContractId => {
      const inputs = [world.fund(alice, '100')];
      const buy: Command = {
        type: 'BuyMemberTraffic',
        payer: alice,
        memberId: participantOf(alice),
        trafficBytes: 200_000,
        inputs,
      };
      return world.accepted('TrafficPurchased', buy, alice).detail.memberTraffic;
    };
    return { type: 'MergeMemberTraffic', contracts: [bought(), bought()] };
  },
  ExpireDust: (world) => {
    const coin = { owner: alice, amount: Amount.ofUnits(1n), createdAt: zero, ratePerRound: unit, lock: null };
    const dusty = world.put({ template: 'Holding', ...coin });
    world.advanceRounds(3);
    return { type: 'ExpireDust', holdings: [dusty] };
  },
  ExpirePreapproval: (world) => {
    const times = { validFrom: past, lastRenewedAt: past, expiresAt: past };
    const preapproval = world.put({ template: 'TransferPreapproval', receiver: alice, provider, ...times });
    return { type: 'ExpirePreapproval', preapproval };
  },
  ExpireOffer: (world) => {
    const terms = { sender: alice, receiver: bob, amount: unit, executeBefore: second(10) };
    const inputs = [world.fund(alice, '5')];
    const { instruction } = world.accepted('TransferOffered', { type: 'CreateOffer', ...terms, inputs }, alice).detail;
    world.wait(10);
    return { type: 'ExpireOffer', instruction };
  },
  CollectAnsPayment: (world) => ({ type: 'CollectAnsPayment', payment: paidName(world) }),
  ExpireAnsSubscription: (world) => {
    const subscription = subscribed(world);
    world.wait(90 * 86_400);
    return { type: 'ExpireAnsSubscription', subscription };
  },
  ExpireAnsEntry: (world) => {
    const entry = { user: alice, name: 'alice.test', url: '', description: '', expiresAt: past };
    return { type: 'ExpireAnsEntry', entry: world.put({ template: 'AnsEntry', ...entry }) };
  },
  CreateTransferCommandCounter: () => ({ type: 'CreateTransferCommandCounter', sender: alice }),
  CloseVote: (world) => {
    const ask: Command = { type: 'RequestVote', requester: sv, action: feature, reason: { url: '', body: '' } };
    const { request } = world.accepted('VoteRequested', ask, sv).detail;
    world.wait(7 * 86_400);
    return { type: 'CloseVote', request };
  },
};

describe('a routine of the DSO', () => {
  it.each(Object.entries(ROUTINES))('can be submitted by any single super validator: %s', (type, prepare) => {
    const world = governed(type === 'AdvanceConfigStates' ? 'feeless-24h' : 'feeless');
    const command = prepare(world);
    for (const nobody of [offboarded, bob]) expect(world.refused('NOT_AUTHORISED', command, nobody).required).toBe(dso);
    for (const actor of [sv, other, dso]) expect(world.fork().submit(command, actor).actAs).toEqual([actor]);
  });

  it('can be submitted by a super validator together with other parties', () => {
    const world = governed();
    const command: Command = { type: 'CreateTransferCommandCounter', sender: alice };
    expect(world.refused('NOT_AUTHORISED', command, bob, offboarded).required).toBe(dso);
    world.fork().submit(command, bob, sv);
    world.submit(command, sv, bob);
  });

  it('can be submitted by the DSO alone before there are super validators', () => {
    const world = worldOf();
    const command: Command = { type: 'CreateTransferCommandCounter', sender: alice };
    expect(world.refused('NOT_AUTHORISED', command, sv).required).toBe(dso);
    world.submit(command, dso);
  });

  it('advances the rounds at the median of the votes, unless the DSO acts and names another price', () => {
    const world = governed();
    for (const [voter, price] of [
      [sv, '2'],
      [other, '3'],
    ] as const) {
      world.submit({ type: 'VoteAmuletPrice', sv: voter, amuletPrice: amount(price) }, voter);
    }
    world.wait(600);
    const at = (price: string): Command => ({ type: 'AdvanceOpenRounds', amuletPrice: amount(price) });
    expect(world.refused('INVALID_ARGUMENT', at('2'), sv).field).toBe('amuletPrice');
    for (const [price, actor] of [
      ['2.5', sv],
      ['2', dso],
    ] as const) {
      const advanced = world.fork().accepted('RoundsAdvanced', at(price), actor);
      expect(advanced.detail.amuletPrice).toBe(amount(price));
    }
  });
});

describe('a command of the DSO that is not a routine', () => {
  const right = (world: World): ContractId => world.put({ template: 'FeaturedAppRight', provider });

  it.each<[Type, (world: World) => Command]>([
    ['Mint', () => ({ type: 'Mint', receiver: sv, amount: unit })],
    ['BootstrapRounds', () => ({ type: 'BootstrapRounds', amuletPrice: unit })],
    ['BootstrapDso', () => ({ type: 'BootstrapDso', svs: [] })],
    ['ExecuteAction', () => ({ type: 'ExecuteAction', action: feature })],
    [
      'AllocateActivityRecord',
      () => ({ type: 'AllocateActivityRecord', beneficiary: sv, amount: unit, reason: '', expiresAt: second(1) }),
    ],
    ['GrantFeaturedAppRight', () => ({ type: 'GrantFeaturedAppRight', provider: carol })],
    ['WithdrawFeaturedAppRight', (world) => ({ type: 'WithdrawFeaturedAppRight', right: right(world), reason: '' })],
    ['GrantValidatorLicense', () => ({ type: 'GrantValidatorLicense', validator: sv, sponsor: sv })],
    ['RejectAnsPayment', (world) => ({ type: 'RejectAnsPayment', payment: paidName(world) })],
    ['ConsumeTraffic', () => ({ type: 'ConsumeTraffic', memberId: participantOf(alice), bytes: 1 })],
  ])('is refused when a super validator submits it: %s', (_, prepare) => {
    const world = governed();
    expect(world.refused('NOT_AUTHORISED', prepare(world), sv).required).toBe(dso);
  });
});
