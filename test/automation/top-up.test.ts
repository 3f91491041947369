import { allOf } from '@coinlab/core/views';
import {
  collect,
  RESERVED_TRAFFIC_BYTES,
  sparingTraffic,
  topUp,
  topUpParameters,
  type Policy,
  type TopUpConfig,
} from '@coinlab/automation';
import { Duration, emptyLedger, genesisConfig, type OpenOptions } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { settle } from './automation-fixture.ts';

const minutes = Duration.minutes;
const seconds = Duration.seconds;
const half = Duration.ofMicros(500_000n);

describe('a purchase of the top-up loop', () => {
  it.each([
    [10_000, minutes(7), minutes(2), 4_000_000, minutes(8), 4_800_000],
    [10_000, minutes(7), minutes(2), 5_000_000, minutes(10), 6_000_000],
    [20_000, minutes(10), seconds(30), 200_000, minutes(10), 12_000_000],
    [3, seconds(10), seconds(3), 36, seconds(12), 36],
    [3, seconds(10), seconds(3), 37, seconds(15), 45],
    [3, half, half, 2, half, 2],
    [3, half, half, 3, seconds(1), 3],
  ])(
    'covers a target rate of %i B/s until the next purchase',
    (targetThroughput, minTopupInterval, pollingInterval, minimum, interval, trafficBytes) => {
      const config = { targetThroughput, minTopupInterval, pollingInterval };
      expect(topUpParameters(config, minimum)).toEqual({ interval, trafficBytes });
    },
  );
});

describe('a validator that tops up', () => {
  const memberId = 'PAR::validator';
  // 20,000 B/s for ten minutes: 12 MB at 16.67 USD are 200.04 USD, 400.08 coins at 0.5 USD.
  const config: TopUpConfig = {
    targetThroughput: 20_000,
    minTopupInterval: minutes(10),
    pollingInterval: seconds(30),
    tap: 'never',
  };

  function network(options: OpenOptions = {}): World {
    return worldOf({ amuletPrice: amount('0.5'), ...options });
  }

  function purchases(world: World): readonly number[] {
    return [...allOf(world.state, 'MemberTraffic')].map(({ totalPurchasedBytes }) => totalPurchasedBytes);
  }

  it('buys once, and buys again after the interval if traffic was used', () => {
    const world = network();
    world.fund(alice, '1000');
    const policy = topUp({ validator: alice, member: { memberId }, config });
    expect(settle(world, policy)).toEqual(['TopUpStateCreated', 'TrafficToppedUp']);
    expect(purchases(world)).toEqual([12_000_000]);
    expect(world.coinsOf(alice)).toEqual(['599.92']);
    world.wait(600);
    expect(settle(world, policy)).toEqual([]);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 500_000 }, dso);
    expect(settle(world, policy)).toEqual(['TrafficToppedUp']);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 13_000_000 }, dso);
    world.wait(599);
    expect(settle(world, policy)).toEqual([]);
    world.wait(1);
    expect(settle(world, policy)).toEqual([]);
    world.fund(alice, '400');
    expect(settle(world, policy)).toEqual(['TrafficToppedUp']);
    expect(purchases(world)).toEqual([12_000_000, 12_000_000, 12_000_000]);
  });

  it.each([
    ['never', '400.08', 'a wallet that can pay', ['TrafficToppedUp'], '0.0'],
    ['never', '400.0799999999', 'a wallet that cannot', [], null],
    ['when-lacking', '400.08', 'a wallet that can pay', ['TrafficToppedUp'], '0.0'],
    ['when-lacking', '400', 'a wallet that cannot', ['TrafficToppedUp'], '400.08'],
    ['always', '500', 'a wallet that can pay', ['TrafficToppedUp'], '400.08'],
  ] as const)(
    'follows the tap setting %s on a DevNet, with %s coin in the wallet: %s',
    (tap, coins, _, kinds, tapped) => {
      const world = network();
      world.fund(alice, coins);
      world.submit({ type: 'CreateTopUpState', validator: alice, memberId }, alice);
      const policy = topUp({ validator: alice, member: { memberId }, config: { ...config, tap } });
      const before = world.ledger.updates().length;
      expect(settle(world, policy)).toEqual(kinds);
      const taps = world.ledger.updates(before).map(({ detail }) => ('tapped' in detail ? detail.tapped : null));
      expect(taps).toEqual(tapped === null ? [] : [amount(tapped)]);
    },
  );

  it('taps nothing on networks other than DevNet', () => {
    const world = network({ isDevNet: false });
    const policy = topUp({ validator: alice, member: { memberId }, config: { ...config, tap: 'always' } });
    expect(settle(world, policy)).toEqual(['TopUpStateCreated']);
  });

  it('pays exactly the cost in the profile with fees', () => {
    const world = network({ profile: 'legacy-fees' });
    world.fund(alice, '400.08');
    expect(settle(world, topUp({ validator: alice, member: { memberId }, config }))).toEqual([
      'TopUpStateCreated',
      'TrafficToppedUp',
    ]);
    expect(world.coinsOf(alice)).toEqual([]);
  });

  it.each([
    ['0.0025', 'as much as'],
    ['0.002', 'less than'],
  ])(
    'buys nothing at %s USD per megabyte, when the traffic costs %s the create fee of the burned coin',
    (extraTrafficPriceUsd) => {
      const traffic = { ...genesisConfig('legacy-fees').traffic, extraTrafficPriceUsd: amount(extraTrafficPriceUsd) };
      const world = network({ profile: 'legacy-fees', config: { traffic } });
      world.fund(alice, '10');
      const policy = topUp({ validator: alice, member: { memberId }, config: { ...config, tap: 'always' } });
      expect(settle(world, policy)).toEqual(['TopUpStateCreated']);
    },
  );

  it('ignores another validator’s loop for the same participant', () => {
    const world = network();
    world.fund(alice, '1000');
    settle(world, topUp({ validator: bob, member: { memberId }, config }));
    expect(settle(world, topUp({ validator: alice, member: { memberId }, config }))).toEqual([
      'TopUpStateCreated',
      'TrafficToppedUp',
    ]);
    expect([...allOf(world.state, 'ValidatorTopUpState')].map(({ validator }) => validator)).toEqual([bob, alice]);
  });

  it('waits until a round is open', () => {
    const world = network();
    world.fund(alice, '1000');
    world.submit({ type: 'CreateTopUpState', validator: alice, memberId }, alice);
    expect(topUp({ validator: alice, member: { memberId }, config })(world.state, second(-1))).toEqual([]);
  });

  it('buys nothing without a target rate', () => {
    const world = network();
    world.fund(alice, '1000');
    expect(
      settle(world, topUp({ validator: alice, member: { memberId }, config: { ...config, targetThroughput: 0 } })),
    ).toEqual([]);
  });
});

describe('a validator with little traffic left', () => {
  const memberId = 'PAR::validator';
  const config: TopUpConfig = {
    targetThroughput: 1000,
    minTopupInterval: minutes(10),
    pollingInterval: seconds(30),
    tap: 'never',
  };
  const loop = { validator: alice, member: { memberId }, config };

  /** A network that charges 16.67 USD a megabyte; two coins to merge; the given number of 400,000 free bytes is left. */
  function left(bytes: number, price: string): World {
    const world = worldOf({ amuletPrice: amount(price) });
    world.fundEach(alice, ['1', '2']);
    world.submit({ type: 'CreateTopUpState', validator: alice, memberId }, alice);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 400_000 - bytes }, dso);
    return world;
  }

  const merges = sparingTraffic(loop, collect({ party: alice }), false);
  const brings = sparingTraffic(loop, collect({ party: alice }), true);

  it('submits only top-ups', () => {
    expect(settle(left(RESERVED_TRAFFIC_BYTES, '100'), merges)).toEqual(['HoldingsMerged']);
    const world = left(RESERVED_TRAFFIC_BYTES - 1, '100');
    expect(settle(world, merges)).toEqual([]);
    expect(settle(world, brings)).toEqual([]);
    expect(settle(world, topUp(loop))).toEqual(['TrafficToppedUp']);
    expect(settle(world, merges)).toEqual([]);
    world.fund(alice, '1');
    expect(settle(world, merges)).toEqual(['HoldingsMerged']);
  });

  it('continues with habits that bring coin while it lacks coin', () => {
    const world = left(0, '0.005');
    expect(settle(world, topUp(loop))).toEqual([]);
    expect(settle(world, merges)).toEqual([]);
    expect(settle(world, brings)).toEqual(['HoldingsMerged']);
  });

  it('reserves no traffic when top-ups are switched off', () => {
    const off = { ...loop, config: { ...config, targetThroughput: 0 } };
    const world = left(0, '0.005');
    expect(settle(world, sparingTraffic(off, collect({ party: alice }), false))).toEqual(['HoldingsMerged']);
  });

  it('reserves no traffic before its loop exists', () => {
    const world = worldOf({ amuletPrice: amount('0.005') });
    world.fundEach(alice, ['1', '2']);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 400_000 }, dso);
    expect(settle(world, brings)).toEqual([]);
    expect(settle(world, topUp(loop))).toEqual(['TopUpStateCreated']);
    expect(settle(world, brings)).toEqual(['HoldingsMerged']);
  });

  it('reserves no traffic for a participant without a name, or before there are rules', () => {
    const merged = [{ command: { type: 'MergeHoldings', owner: alice, inputs: [] }, actAs: [alice] }] as const;
    const always: Policy = () => merged;
    const world = left(0, '100');
    const nameless = sparingTraffic({ ...loop, member: { memberId: '' } }, always, true);
    expect(nameless(world.state, world.now)).toBe(merged);
    expect(sparingTraffic(loop, always, true)(emptyLedger().state, world.now)).toBe(merged);
  });
});
