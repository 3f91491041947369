import {
  Amount,
  Duration,
  genesisConfig,
  Instant,
  type Command,
  type ContractId,
  type LedgerOptions,
  type ProfileName,
} from '@coinlab/core';
import { contractsByKey, messageBytesOf, trafficStatusOf } from '@coinlab/core/views';
import { memberKey } from '@coinlab/core/contracts';
import { messageCost, participantOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

const nowhere = 999_999 as ContractId;
const memberId = participantOf(alice);
const synchronizerId = genesisConfig('feeless').traffic.activeSynchronizer;
const member = { memberId, synchronizerId, migrationId: 0 };
const dear: LedgerOptions = { amuletPrice: amount('0.15') };

function usdPerMegabyte(usd: string, profile: ProfileName = 'feeless'): LedgerOptions {
  const { traffic } = genesisConfig(profile);
  return { ...dear, profile, config: { traffic: { ...traffic, extraTrafficPriceUsd: amount(usd) } } };
}

function buyOf(inputs: readonly ContractId[], fields: Partial<CommandOf<'BuyMemberTraffic'>> = {}): Command {
  return { type: 'BuyMemberTraffic', payer: alice, memberId, trafficBytes: 200_000, inputs, ...fields };
}

function bought(world: World): readonly [purchases: number, bytes: number, coin: string, usd: string][] {
  return [...contractsByKey(world.state, 'MemberTraffic', memberKey(member))].map((contract) => [
    contract.numPurchases,
    contract.totalPurchasedBytes,
    Amount.short(contract.amuletSpent),
    Amount.short(contract.usdSpent),
  ]);
}

describe('a purchase of traffic', () => {
  it('burns its cost, and earns a coupon for the payer’s validator', () => {
    const world = worldOf(usdPerMegabyte('60'));
    const coin = world.fund(alice, '100');
    const { detail, created } = world.accepted('TrafficPurchased', buyOf([coin]), alice);
    expect(detail).toMatchObject({
      payer: alice,
      ...member,
      trafficBytes: 200_000,
      cost: amount('80'),
      costUsd: amount('12'),
      inputs: 1,
      minted: 0n,
      burned: amount('80'),
      rewards: null,
      fees: null,
    });
    expect(world.coinsOf(alice)).toEqual(['20.0']);
    expect(bought(world)).toEqual([[1, 200_000, '80.0', '12.0']]);
    const coupons = created.filter(({ template }) => template === 'ValidatorRewardCoupon');
    expect(coupons).toMatchObject([{ user: alice, amount: amount('80') }]);
    expect(trafficStatusOf(world.state, member, world.now)).toEqual({
      baseBytes: 400_000,
      extraBytes: 200_000,
      purchasedBytes: 200_000,
      consumedBytes: 0,
    });
  });

  it('of 4,800,000 bytes costs 533.44 coin at a price of 0.15 USD', () => {
    const world = worldOf(dear);
    const { detail } = world.accepted(
      'TrafficPurchased',
      buyOf([world.fund(alice, '533.44')], { trafficBytes: 4_800_000 }),
      alice,
    );
    expect([detail.cost, detail.costUsd, detail.change]).toEqual([amount('533.44'), amount('80.016'), null]);
    expect(world.coinsOf(alice)).toEqual([]);
  });

  it('costs the same in the profile with fees, because the cost includes the create fee of the burned coin', () => {
    const world = worldOf(usdPerMegabyte('60', 'legacy-fees'));
    const coin = world.fund(alice, '100');
    const { detail, created } = world.accepted('TrafficPurchased', buyOf([coin]), alice);
    expect(detail.cost).toBe(amount('80'));
    expect(detail.fees).toEqual({ holdingFees: 0n, outputFees: [amount('0.2')], changeFee: amount('0.2') });
    expect(detail.burned).toBe(amount('80.2'));
    expect(world.coinsOf(alice)).toEqual(['19.8']);
    expect(bought(world)).toEqual([[1, 200_000, '80.0', '12.0']]);
    const coupons = created.filter(({ template }) => template === 'ValidatorRewardCoupon');
    expect(coupons).toMatchObject([{ amount: amount('80') }]);
  });

  it('succeeds in the profile with fees with a coin of exactly its cost', () => {
    const world = worldOf(usdPerMegabyte('60', 'legacy-fees'));
    const { detail } = world.accepted('TrafficPurchased', buyOf([world.fund(alice, '80')]), alice);
    expect([detail.burned, detail.change]).toEqual([amount('80'), null]);
  });

  it('succeeds for a member of another party', () => {
    const world = worldOf(usdPerMegabyte('60'));
    const { detail } = world.accepted(
      'TrafficPurchased',
      buyOf([world.fund(bob, '80')], { payer: bob, migrationId: 3 }),
      bob,
    );
    expect(detail).toMatchObject({ payer: bob, memberId, migrationId: 3 });
    expect(bought(world)).toEqual([]);
  });

  it('is refused with the exact missing amount, and succeeds with an additional coin of that amount', () => {
    const world = worldOf(usdPerMegabyte('60'));
    expect(world.refused('INSUFFICIENT_FUNDS', buyOf([]), alice).missing).toBe(amount('80'));
    const coin = world.fund(alice, '79.9');
    const { missing } = world.refused('INSUFFICIENT_FUNDS', buyOf([coin]), alice);
    world.submit(buyOf([coin, world.fund(alice, Amount.format(missing))]), alice);
    expect(world.coinsOf(alice)).toEqual([]);
  });

  it('is refused when its cost is zero, like a transfer of zero', () => {
    const world = worldOf(usdPerMegabyte('0.0000000001'));
    world.refused('NON_POSITIVE_AMOUNT', buyOf([world.fund(alice, '1')]), alice);
  });

  it('is refused when its cost has more than 38 digits', () => {
    const world = worldOf({ ...usdPerMegabyte('9999999999999999999999999999'), amuletPrice: amount('0.0000000001') });
    expect(world.refused('INVALID_DECIMAL', buyOf([]), alice).field).toBe('cost');
  });

  it('is refused when the purchased bytes would exceed the safe integers', () => {
    const world = worldOf(usdPerMegabyte('0.0001'));
    const most = Number.MAX_SAFE_INTEGER - 200_000;
    const coin = world.fund(alice, '9000000000');
    const { detail } = world.accepted('TrafficPurchased', buyOf([coin], { trafficBytes: most }), alice);
    const rest = [detail.change as ContractId];
    world.refused('INVALID_ARGUMENT', buyOf(rest, { trafficBytes: 200_001 }), alice);
    world.submit(buyOf(rest), alice);
    expect(trafficStatusOf(world.state, member, world.now).purchasedBytes).toBe(Number.MAX_SAFE_INTEGER);
  });

  precedence(
    { actor: alice, memberId, synchronizerId, trafficBytes: 200_000, inputs: 'coin' as 'coin' | 'none', at: 0 },
    [
      ['NOT_AUTHORISED', { actor: bob }],
      ['INVALID_ARGUMENT', { memberId: '' }],
      ['UNKNOWN_SYNCHRONIZER', { synchronizerId: 'elsewhere::1220' }],
      ['INSUFFICIENT_TOPUP_AMOUNT', { trafficBytes: 199_999 }],
      ['INVALID_ARGUMENT', { trafficBytes: Number.MAX_SAFE_INTEGER + 1 }, 'too much'],
      ['INSUFFICIENT_FUNDS', { inputs: 'none' }],
    ],
    (code, { actor, memberId: named, synchronizerId: on, trafficBytes, inputs }) => {
      const world = worldOf(usdPerMegabyte('60'));
      const coin = world.fund(alice, '100');
      world.refused(
        code,
        buyOf(inputs === 'coin' ? [coin] : [], { memberId: named, synchronizerId: on, trafficBytes }),
        actor,
      );
    },
  );

  it('is refused below the minimum, with the requested and the minimum bytes', () => {
    const world = worldOf();
    expect(world.refused('INSUFFICIENT_TOPUP_AMOUNT', buyOf([], { trafficBytes: 199_999 }), alice)).toEqual({
      code: 'INSUFFICIENT_TOPUP_AMOUNT',
      requested: 199_999,
      minimum: 200_000,
    });
  });

  it('is refused for a negative migration', () => {
    worldOf().refused('INVALID_ARGUMENT', buyOf([], { migrationId: -1 }), alice);
  });
});

describe('the traffic contracts of a member', () => {
  function threePurchases() {
    const world = worldOf(usdPerMegabyte('60'));
    let coins = [world.fund(alice, '1000')];
    const contracts = [200_000, 300_000, 500_000].map((trafficBytes) => {
      const { detail } = world.accepted('TrafficPurchased', buyOf(coins, { trafficBytes }), alice);
      coins = [detail.change as ContractId];
      return detail.memberTraffic;
    });
    return { world, contracts };
  }

  const mergeOf = (contracts: readonly ContractId[]): Command => ({ type: 'MergeMemberTraffic', contracts });

  it('are merged by the DSO, with the purchased bytes unchanged', () => {
    const { world, contracts } = threePurchases();
    const before = trafficStatusOf(world.state, member, world.now);
    const { detail } = world.accepted('MemberTrafficMerged', mergeOf(contracts), dso);
    expect(detail).toMatchObject({ ...member, merged: contracts, totalPurchasedBytes: 1_000_000 });
    expect(bought(world)).toEqual([[3, 1_000_000, '400.0', '60.0']]);
    expect(trafficStatusOf(world.state, member, world.now)).toEqual(before);
  });

  it('cannot be merged by an invalid command, which is refused with the code of its first failed check', () => {
    const { world, contracts } = threePurchases();
    const [one, two] = contracts as [ContractId, ContractId];
    const { detail } = world.accepted(
      'TrafficPurchased',
      buyOf([world.fund(alice, '80')], { memberId: participantOf(bob) }),
      alice,
    );
    world.refused('NOT_AUTHORISED', mergeOf([one]), alice);
    world.refused('INVALID_ARGUMENT', mergeOf([]), dso);
    world.refused('INVALID_ARGUMENT', mergeOf([one]), dso);
    world.refused('DUPLICATE_INPUT', mergeOf([one, one, nowhere]), dso);
    world.refused('CONTRACT_NOT_FOUND', mergeOf([one, nowhere, detail.memberTraffic]), dso);
    const mixed = world.refused('GROUP_MISMATCH', mergeOf([one, detail.memberTraffic]), dso);
    expect(mixed.expected).toContain(memberId);
    expect(mixed.actual).toContain(participantOf(bob));
    world.submit(mergeOf([one, two]), dso);
    world.refused('CONTRACT_NOT_FOUND', mergeOf([one, two]), dso);
  });

  it('cannot be merged when their cost exceeds 38 digits', () => {
    const { world, contracts } = threePurchases();
    const spent = { totalPurchasedBytes: 1, numPurchases: 1, amuletSpent: Amount.zero, usdSpent: Amount.max };
    const most = world.put({ template: 'MemberTraffic', ...member, ...spent });
    expect(world.refused('INVALID_DECIMAL', mergeOf([contracts[0] as ContractId, most]), dso).field).toBe('usdSpent');
  });
});

describe('a top-up loop', () => {
  const interval = Duration.minutes(10);

  function looping(options: LedgerOptions = usdPerMegabyte('60')) {
    const world = worldOf(options);
    const { detail } = world.accepted(
      'TopUpStateCreated',
      { type: 'CreateTopUpState', validator: alice, memberId },
      alice,
    );
    return { world, topUpState: detail.topUpState };
  }

  function topUpOf(
    topUpState: ContractId,
    inputs: readonly ContractId[],
    fields: Partial<CommandOf<'TopUpTraffic'>> = {},
  ): Command {
    return { type: 'TopUpTraffic', topUpState, trafficBytes: 200_000, minTopupInterval: interval, inputs, ...fields };
  }

  it('is created once for a validator and a member', () => {
    const { world, topUpState } = looping();
    const again: Command = { type: 'CreateTopUpState', validator: alice, memberId };
    expect(world.refused('ALREADY_EXISTS', again, alice).contract).toBe(topUpState);
    world.refused('NOT_AUTHORISED', again, bob);
    world.refused('INVALID_ARGUMENT', { ...again, memberId: '' }, alice);
    world.submit({ ...again, migrationId: 1 }, alice);
    world.submit({ ...again, validator: bob }, bob);
  });

  it('buys at once, and again after the interval only', () => {
    const { world, topUpState } = looping();
    const coin = world.fund(alice, '200');
    const { detail } = world.accepted('TrafficToppedUp', topUpOf(topUpState, [coin]), alice);
    expect(detail).toMatchObject({
      payer: alice,
      ...member,
      cost: amount('80'),
      tapped: 0n,
      lastPurchasedAt: world.now,
    });
    world.refused('CONTRACT_NOT_FOUND', topUpOf(topUpState, []), alice);
    const rest = [detail.change as ContractId];
    const notBefore = second(600);
    world.at(Instant.ofMicros(notBefore - 1n));
    expect(world.refused('TOO_SOON', topUpOf(detail.topUpState, rest), alice)).toEqual({
      code: 'TOO_SOON',
      notBefore,
      at: world.now,
    });
    world.at(notBefore);
    const second_ = world.accepted('TrafficToppedUp', topUpOf(detail.topUpState, rest), alice);
    expect(second_.detail.lastPurchasedAt).toBe(notBefore);
    expect(world.coinsOf(alice)).toEqual(['40.0']);
    expect(trafficStatusOf(world.state, member, world.now).purchasedBytes).toBe(400_000);
  });

  it('buys again after the interval only, also when the interval ends after the latest time', () => {
    const { world, topUpState } = looping();
    const first = world.accepted('TrafficToppedUp', topUpOf(topUpState, [], { tap: true }), alice);
    world.at(Instant.latest);
    const left = Instant.between(first.detail.lastPurchasedAt, Instant.latest);
    const againAfter = (minTopupInterval: Duration): Command =>
      topUpOf(first.detail.topUpState, [], { tap: true, minTopupInterval });
    expect(world.refused('TOO_SOON', againAfter(Duration.ofMicros(left + 1n)), alice)).toEqual({
      code: 'TOO_SOON',
      notBefore: Instant.latest,
      at: Instant.latest,
    });
    world.accepted('TrafficToppedUp', againAfter(left), alice);
  });

  it.each<ProfileName>(['feeless', 'legacy-fees', 'feeless-24h'])(
    'taps exactly the cost on a DevNet, and spends no other coin, in the profile %s',
    (profile) => {
      const { world, topUpState } = looping(usdPerMegabyte('60', profile));
      world.fund(alice, '5');
      const { detail } = world.accepted('TrafficToppedUp', topUpOf(topUpState, [], { tap: true }), alice);
      expect(detail).toMatchObject({ minted: amount('80'), burned: amount('80'), tapped: amount('80'), change: null });
      expect(world.coinsOf(alice)).toEqual(['5.0']);
      expect(trafficStatusOf(world.state, member, world.now).extraBytes).toBe(200_000);
    },
  );

  it('pays with the tapped coin first, then with its inputs', () => {
    const { world, topUpState } = looping();
    const coin = world.fund(alice, '5');
    const { detail } = world.accepted('TrafficToppedUp', topUpOf(topUpState, [coin], { tap: true }), alice);
    expect(detail.inputs).toBe(2);
    expect(world.coinsOf(alice)).toEqual(['5.0']);
    expect(world.holdings(alice)[0]?.id).toBe(detail.change);
  });

  precedence(
    { actor: alice, loop: 'loop', minTopupInterval: interval, tap: false, at: 600, trafficBytes: 200_000, funds: true },
    [
      ['CONTRACT_NOT_FOUND', { loop: 'nowhere' }],
      ['NOT_AUTHORISED', { actor: bob }],
      ['INVALID_ARGUMENT', { minTopupInterval: Duration.ofMicros(-1n) }],
      ['DEVNET_ONLY', { tap: true }],
      ['TOO_SOON', { at: 599 }],
      ['INSUFFICIENT_TOPUP_AMOUNT', { trafficBytes: 1 }],
      ['INSUFFICIENT_FUNDS', { funds: false }],
    ],
    (code, { actor, loop, minTopupInterval, tap, at, trafficBytes, funds }) => {
      const world = worldOf({ ...usdPerMegabyte('60'), isDevNet: false });
      world.put({
        template: 'Holding',
        owner: alice,
        amount: amount('200'),
        createdAt: 0 as never,
        ratePerRound: amount('0'),
        lock: null,
      });
      const started: Command = { type: 'CreateTopUpState', validator: alice, memberId };
      const { detail } = world.accepted('TopUpStateCreated', started, alice);
      const [coin] = world.holdings(alice);
      const first = world.accepted('TrafficToppedUp', topUpOf(detail.topUpState, [coin?.id ?? nowhere]), alice);
      world.at(second(at));
      const fields = { minTopupInterval, tap, trafficBytes };
      const inputs = funds ? [first.detail.change ?? nowhere] : [];
      world.refused(code, topUpOf(loop === 'loop' ? first.detail.topUpState : nowhere, inputs, fields), actor);
    },
  );
});

describe('a message', () => {
  const consumeOf = (fields: Partial<CommandOf<'ConsumeTraffic'>> = {}): Command => ({
    type: 'ConsumeTraffic',
    memberId,
    bytes: 10_000,
    recipients: 3,
    ...fields,
  });

  it('uses the free base first and purchased traffic second, and is refused when both are used up', () => {
    const world = worldOf(usdPerMegabyte('60'));
    world.submit(buyOf([world.fund(alice, '80')]), alice);
    const first = world.accepted('TrafficConsumed', consumeOf(), dso).detail;
    expect(first).toMatchObject({ ...member, costBytes: 10_012, fromExtraBytes: 0, extraBytes: 200_000, burned: 0n });
    const large = world.accepted('TrafficConsumed', consumeOf({ bytes: 500_000, recipients: 0 }), dso).detail;
    expect(large).toMatchObject({ costBytes: 500_000, fromExtraBytes: 110_012, extraBytes: 89_988 });
    expect(world.refused('INSUFFICIENT_TRAFFIC', consumeOf({ bytes: 90_000, recipients: 0 }), dso)).toEqual({
      code: 'INSUFFICIENT_TRAFFIC',
      trafficBytes: 90_000,
      availableBytes: 89_988,
    });
    world.wait(600);
    expect(trafficStatusOf(world.state, member, world.now)).toEqual({
      baseBytes: 200_000,
      extraBytes: 89_988,
      purchasedBytes: 200_000,
      consumedBytes: 110_012,
    });
    const last = world.accepted('TrafficConsumed', consumeOf({ bytes: 289_988, recipients: 0 }), dso).detail;
    expect(last).toMatchObject({ fromExtraBytes: 89_988, extraBytes: 0 });
  });

  it('is free while the base covers it', () => {
    const world = worldOf();
    world.submit(consumeOf({ bytes: 400_000, recipients: 0 }), dso);
    world.refused('INSUFFICIENT_TRAFFIC', consumeOf({ bytes: 1, recipients: 0 }), dso);
    world.wait(1);
    world.submit(consumeOf({ bytes: 333, recipients: 0 }), dso);
  });

  it('is charged separately for each member, synchronizer and migration', () => {
    const world = worldOf();
    world.submit(consumeOf({ bytes: 400_000, recipients: 0 }), dso);
    world.submit(consumeOf({ bytes: 400_000, recipients: 0, memberId: participantOf(bob) }), dso);
    world.submit(consumeOf({ bytes: 400_000, recipients: 0, migrationId: 1 }), dso);
  });

  it('costs more for each coin that its transfer consumes', () => {
    const world = worldOf();
    const merge = (count: number): number => {
      const inputs = world.fundEach(
        carol,
        Array.from({ length: count }, () => '1'),
      );
      return messageBytesOf(world.submit({ type: 'MergeHoldings', owner: carol, inputs }, carol));
    };
    const { traffic } = genesisConfig('feeless');
    const [few, many] = [merge(2), merge(50)].map((bytes) => messageCost({ bytes, recipients: 2 }, traffic));
    expect(many).toBeGreaterThan(few ?? 0n);
  });

  precedence(
    { actor: dso, memberId, bytes: 1, recipients: 0, synchronizerId },
    [
      ['NOT_AUTHORISED', { actor: alice }],
      ['INVALID_ARGUMENT', { memberId: '' }],
      ['INVALID_ARGUMENT', { bytes: 0 }, 'no bytes'],
      ['INVALID_ARGUMENT', { recipients: -1 }, 'fewer than no recipients'],
      ['UNKNOWN_SYNCHRONIZER', { synchronizerId: 'elsewhere::1220' }],
      ['INSUFFICIENT_TRAFFIC', { bytes: 400_001 }],
    ],
    (code, { actor, ...fields }) => {
      worldOf().refused(code, consumeOf(fields), actor);
    },
  );
});
