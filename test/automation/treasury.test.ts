import {
  coinsToPay,
  completeOffers,
  emptyQueue,
  enqueue,
  inputsToBurn,
  leadingCoins,
  takeBatch,
  TREASURY_LIMITS,
  treasuryOf,
  type Operation,
  type TreasuryQueue,
} from '@coinlab/automation';
import { genesisConfig } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, second, tickOf, worldOf, type World } from '../core/ledger-fixture.ts';
import { appCoupons, issuingRound, settle } from './automation-fixture.ts';

describe('the number of coins ahead of the rewards', () => {
  it.each([
    [0, 100, 10],
    [100, 100, 10],
    [104, 100, 10],
    [105, 100, 11],
    [250, 100, 25],
    [4, 10, 2],
    [0, 1, 2],
  ])('given %i candidates and at most %i inputs is %i', (candidates, most, leading) => {
    expect(leadingCoins(candidates, most)).toBe(leading);
  });
});

describe('the inputs of a wallet’s operation', () => {
  it('are its ten largest coins, its rewards by round and payout, its other coins, its grants', () => {
    const world = worldOf();
    const coins = world.fundEach(
      alice,
      Array.from({ length: 12 }, (_, i) => String(i + 1)),
    );
    issuingRound(world, 7);
    issuingRound(world, 6);
    const [small, large] = appCoupons(world, alice, 7, ['1', '2']);
    const [older] = appCoupons(world, alice, 6, ['1']);
    appCoupons(world, alice, 8, ['100']);
    const grant = world.put({
      template: 'UnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('50'),
      reason: 'late',
      expiresAt: tickOf(world.now, 1),
    });
    const largestFirst = coins.toReversed();
    expect(treasuryOf(world.state, alice, world.now)).toEqual({
      inputs: [...largestFirst.slice(0, 10), older, large, small, ...largestFirst.slice(10), grant],
      coins: 12,
      coinTotal: amount('78'),
      rewardTotal: amount('58'),
    });
  });

  it('are at most as many as one transfer takes, minus one for each tapped coin', () => {
    const world = worldOf();
    issuingRound(world, 7);
    appCoupons(
      world,
      alice,
      7,
      Array.from({ length: 95 }, () => '1'),
    );
    world.fundEach(
      alice,
      Array.from({ length: 12 }, () => '1'),
    );
    const all = treasuryOf(world.state, alice, world.now);
    expect([all.inputs.length, all.coins]).toEqual([100, 11]);
    expect(treasuryOf(world.state, alice, world.now, 1).inputs).toEqual(all.inputs.slice(0, 99));
  });

  it('exclude coins with a holding fee of at least their amount', () => {
    const world = worldOf({ amuletPrice: amount('1') });
    const dust = world.fund(alice, '0.000001');
    const coin = world.fund(alice, '1');
    expect(treasuryOf(world.state, alice, world.now).inputs).toEqual([coin, dust]);
    world.advanceRounds(2);
    expect(treasuryOf(world.state, alice, world.now).inputs).toEqual([coin]);
  });

  it('are null when the amount to burn exceeds the sum of the coins', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['2', '1']);
    expect(inputsToBurn(world.state, alice, amount('3'), world.now)).toEqual(coins);
    expect(inputsToBurn(world.state, alice, amount('3.0000000001'), world.now)).toBeNull();
  });
});

describe('the coins of a wallet’s payment', () => {
  function limited(maxNumInputs: number): World {
    return worldOf({ config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs } } });
  }

  it('are empty before a round is open', () => {
    const world = worldOf();
    world.fund(alice, '5');
    expect(treasuryOf(world.state, alice, second(-1))).toEqual({
      inputs: [],
      coins: 0,
      coinTotal: 0n,
      rewardTotal: 0n,
    });
    expect(coinsToPay(world.state, alice, second(-1))).toEqual([]);
    expect(inputsToBurn(world.state, alice, amount('1'), second(-1))).toBeNull();
  });

  it('are the largest coins, up to the input limit of a transfer', () => {
    const pays = (maxNumInputs: number): readonly bigint[] => {
      const world = limited(maxNumInputs);
      world.fundEach(alice, ['1', '3', '2']);
      return coinsToPay(world.state, alice, world.now).map((coin) => coin.amount);
    };
    expect(pays(2)).toEqual([amount('3'), amount('2')]);
    expect(pays(3)).toEqual([amount('3'), amount('2'), amount('1')]);
  });

  it('sum to at most 38 digits', () => {
    const world = worldOf();
    const half = '5000000000000000000000000000';
    const [first, , small] = [half, half, '1'].map((value) =>
      world.put({
        template: 'Holding',
        owner: alice,
        amount: amount(value),
        createdAt: 0 as never,
        ratePerRound: amount('0'),
        lock: null,
      }),
    );
    expect(coinsToPay(world.state, alice, world.now).map(({ id }) => id)).toEqual([first, small]);
    expect(treasuryOf(world.state, alice, world.now).inputs).toEqual([first, small]);
  });

  it('precede the rewards and take at most a tenth of the inputs', () => {
    const world = limited(20);
    const coins = world.fundEach(
      alice,
      Array.from({ length: 21 }, () => '1'),
    );
    issuingRound(world, 7);
    const rewards = appCoupons(world, alice, 7, ['1', '1', '1', '1']);
    const { inputs } = treasuryOf(world.state, alice, world.now);
    expect(inputs).toEqual([...coins.slice(0, 2), ...rewards, ...coins.slice(2, 16)]);
  });

  it('are not read when the amount rounds to zero coin', () => {
    const world = worldOf({ amuletPrice: amount('7') });
    world.fund(alice, '5');
    world.put({
      template: 'AcceptedTransferOffer',
      sender: alice,
      receiver: bob,
      amount: amount('0.0000000001'),
      unit: 'usd',
      expiresAt: second(600),
      trackingId: 'one',
    });
    expect(settle(world, completeOffers({ party: alice, validator: alice }))).toEqual([]);
  });
});

describe('the queue of a wallet', () => {
  const operation = (work: string, rest: Partial<Operation<string>> = {}): Operation<string> => ({
    kind: 'other',
    isAlone: false,
    work,
    ...rest,
  });
  const merge = operation('merge', { kind: 'merge' });
  const urgent = operation('urgent', { isAlone: true });

  function queueOf(...operations: readonly Operation<string>[]): TreasuryQueue<string> {
    return operations.reduce((queue, next) => {
      const longer = enqueue(queue, next);
      if (!longer.ok) throw new Error(longer.error);
      return longer.value;
    }, emptyQueue<string>());
  }

  function works(queue: TreasuryQueue<string>): readonly string[][] {
    const { operations, dropped, rest } = takeBatch(queue);
    const names = (of: readonly Operation<string>[]): string[] => of.map(({ work }) => work);
    return [names(operations), names(dropped), names(rest.waiting)];
  }

  it('accepts twenty waiting operations and refuses one more', () => {
    const full = queueOf(...Array.from({ length: TREASURY_LIMITS.queue }, (_, i) => operation(String(i))));
    expect(enqueue(full, urgent)).toEqual({ ok: false, error: 'too many operations in flight' });
    expect(takeBatch(full).operations).toHaveLength(10);
    expect(takeBatch(full).rest.waiting).toHaveLength(10);
  });

  it.each([
    ['nothing', [], [[], [], []]],
    ['several operations together', [operation('a'), operation('b')], [['a', 'b'], [], []]],
    ['an operation that needs its own batch, at the front,', [urgent, operation('a')], [['urgent'], [], ['a']]],
    [
      'the operations before an operation that needs its own batch',
      [operation('a'), urgent, operation('b')],
      [['a'], [], ['urgent', 'b']],
    ],
    ['a merge alone', [merge], [['merge'], [], []]],
    ['the other operations without the merges', [merge, operation('a'), merge], [['a'], ['merge', 'merge'], []]],
    ['one of several merges', [merge, merge], [['merge'], ['merge'], []]],
  ])('takes %s as its next batch', (_, operations, expected) => {
    expect(works(queueOf(...operations))).toEqual(expected);
  });
});
