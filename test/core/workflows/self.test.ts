import { findAny } from '@coinlab/core/views';
import {
  Amount,
  genesisConfig,
  Round,
  type Command,
  type ContractId,
  type Instant,
  type LedgerOptions,
  type PartyId,
} from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type SelfTransfer = Extract<Command, { type: 'SelfTransfer' }>;

const nowhere = 999_999 as ContractId;
const expiresAt = second(61);

function selfTransfer(inputs: readonly ContractId[], value: string, fields: Partial<SelfTransfer> = {}): SelfTransfer {
  return { type: 'SelfTransfer', sender: alice, amount: amount(value), inputs, ...fields };
}

function merge(inputs: readonly ContractId[], owner: PartyId = alice): Command {
  return { type: 'MergeHoldings', owner, inputs };
}

function lockedCoin(world: World): ContractId {
  return world.put({
    template: 'Holding',
    owner: alice,
    amount: amount('3'),
    createdAt: Round.of(0),
    ratePerRound: Amount.unit,
    lock: { holders: [bob], expiresAt, context: 'deposit' },
  });
}

describe('a self transfer', () => {
  it('splits its inputs when the amount is smaller than their sum', () => {
    const world = worldOf();
    const coin = world.fund(alice, '10');
    const { detail, created } = world.accepted('SelfTransferred', selfTransfer([coin], '3'), alice);
    expect(world.coinsOf(alice)).toEqual(['3.0', '7.0']);
    expect(detail).toMatchObject({
      sender: alice,
      receiver: alice,
      amount: amount('3'),
      holdings: [created[0]?.id],
      change: created[1]?.id,
      fees: null,
    });
  });

  it('merges its inputs when the amount is their sum', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['1', '2', '3']);
    const { detail } = world.accepted('SelfTransferred', selfTransfer(coins, '6'), alice);
    expect(world.coinsOf(alice)).toEqual(['6.0']);
    expect(detail).toMatchObject({ inputs: 3, change: null });
  });

  it('gives the new coin the current round and rate', () => {
    const world = worldOf();
    const coin = world.fund(alice, '6');
    world.advanceRounds(4, '0.01');
    world.submit(selfTransfer([coin], '6'), alice);
    expect(world.holdings(alice)).toMatchObject([{ createdAt: 5, ratePerRound: amount('0.00190259') }]);
  });

  it('frees a coin whose lock has ended', () => {
    const world = worldOf();
    const coin = lockedCoin(world);
    world.at(tickOf(expiresAt, -1)).refused('LOCK_NOT_EXPIRED', selfTransfer([coin], '3'), alice);
    world.at(expiresAt).submit(selfTransfer([coin], '3'), alice);
    expect(world.holdings(alice)).toMatchObject([{ amount: amount('3'), lock: null }]);
    expect(world.locked(alice)).toEqual([]);
  });

  it('earns no featured reward, and costs no stepped fee in the legacy profile', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one });
    world.put({ template: 'FeaturedAppRight', provider: alice });
    const { created, detail } = world.accepted(
      'SelfTransferred',
      selfTransfer([world.fund(alice, '1000')], '400'),
      alice,
    );
    expect(detail.fees).toEqual({ holdingFees: 0n, outputFees: [amount('0.03')], changeFee: amount('0.03') });
    expect(world.coinsOf(alice)).toEqual(['400.0', '599.94']);
    expect(created).toContainEqual(
      expect.objectContaining({ template: 'AppRewardCoupon', featured: false, amount: amount('0.03') }),
    );
  });

  it.each([['feeless'], ['feeless-24h']] as const)('earns no reward (%s)', (profile) => {
    const world = worldOf({ profile });
    world.put({ template: 'FeaturedAppRight', provider: alice });
    const { created } = world.accepted('SelfTransferred', selfTransfer([world.fund(alice, '10')], '4'), alice);
    expect(created.map(({ template }) => template)).toEqual(['Holding', 'Holding']);
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly fields: Partial<SelfTransfer>;
    readonly requestedAt: Instant;
    readonly executeBefore: Instant;
    readonly admin: PartyId;
    readonly name: string;
    readonly value: string;
    readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
  }
  const few = { config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs: 1 } } };
  precedence<Plan>(
    {
      options: {},
      at: second(60),
      actAs: [alice],
      fields: {},
      requestedAt: second(60),
      executeBefore: second(61),
      admin: dso,
      name: 'Amulet',
      value: '5',
      inputs: (_, funded) => funded,
    },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [bob, dso] }],
      ['ADMIN_MISMATCH', { admin: alice }],
      ['WRONG_INSTRUMENT', { name: '' }],
      ['NON_POSITIVE_AMOUNT', { value: '-0.0000000001' }],
      ['REQUESTED_IN_FUTURE', { requestedAt: tickOf(second(60), 1) }],
      ['DEADLINE_PASSED', { executeBefore: second(60) }],
      ['NO_INPUTS', { inputs: () => [] }],
      ['DUPLICATE_INPUT', { inputs: (world, [a, b]) => [a!, a!, lockedCoin(world), b!] }],
      ['CONTRACT_NOT_FOUND', { inputs: (world, [a, b]) => [a!, nowhere, lockedCoin(world), b!] }],
      ['GROUP_MISMATCH', { inputs: (world, [a, b]) => [a!, world.fund(carol, '9'), lockedCoin(world), b!] }],
      ['LOCK_NOT_EXPIRED', { inputs: (world, [a, b]) => [a!, lockedCoin(world), b!] }],
      ['MAX_INPUTS_EXCEEDED', { options: few }],
      ['INSUFFICIENT_FUNDS', { value: '12' }],
    ],
    (code, plan) => {
      const world = worldOf(plan.options);
      const inputs = plan.inputs(world, world.fundEach(alice, ['5', '6']));
      const { requestedAt, executeBefore, admin: expectedAdmin, name } = plan;
      const command = selfTransfer(inputs, plan.value, {
        requestedAt,
        executeBefore,
        expectedAdmin,
        instrument: { admin: dso, id: name },
      });
      world.at(plan.at).refused(code, command, ...plan.actAs);
    },
  );
});

describe('a merge', () => {
  it('makes one coin of all inputs', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['1', '2', '3.5']);
    const { detail, archived, created } = world.accepted('HoldingsMerged', merge(coins), alice);
    expect(archived).toEqual(coins);
    expect(world.coinsOf(alice)).toEqual(['6.5']);
    expect(detail).toMatchObject({
      sender: alice,
      receiver: alice,
      amount: amount('6.5'),
      inputs: 3,
      holdings: [],
      change: created[0]?.id,
      fees: null,
    });
  });

  it('accepts 100 inputs and refuses 101', () => {
    const world = worldOf();
    const coins = world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '0.1'),
    );
    expect(world.refused('MAX_INPUTS_EXCEEDED', merge(coins), alice)).toMatchObject({ inputs: 101, limit: 100 });
    world.submit(merge(coins.slice(0, 100)), alice);
    expect(world.coinsOf(alice)).toEqual(['0.1', '10.0']);
  });

  it('costs a create fee and the holding fees in the legacy profile, and earns no reward', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one });
    const coins = world.fundEach(alice, ['10', '20']);
    world.advanceRounds(3);
    const { detail, created } = world.accepted('HoldingsMerged', merge(coins), alice);
    const holdingFees = amount('0.0001141554'); // two coins, three rounds, at 0.0000190259
    expect(detail.fees).toEqual({ holdingFees, outputFees: [], changeFee: amount('0.03') });
    expect(world.coinsOf(alice)).toEqual(['29.9698858446']);
    expect(created).toHaveLength(1);
  });

  it('creates no coin when the fees of the legacy profile equal the sum of the inputs', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one });
    const { detail, created } = world.accepted('HoldingsMerged', merge(world.fundEach(alice, ['0.01', '0.02'])), alice);
    expect([created, detail.change, detail.amount, detail.burned]).toEqual([[], null, 0n, amount('0.03')]);
    expect(world.state.minted).toBe(world.state.burned);
  });

  it('mints the coupons among its inputs', () => {
    const world = worldOf();
    const issuing = world.put({
      template: 'IssuingMiningRound',
      round: Round.of(7),
      opensAt: world.now,
      targetClosesAt: second(1200),
      perValidatorRewardCoupon: amount('0.2'),
      perFeaturedAppRewardCoupon: amount('72.298325723'),
      perUnfeaturedAppRewardCoupon: amount('0.6'),
      perSvRewardCoupon: amount('347.0319634703'),
      perValidatorFaucetCoupon: amount('19'),
    });
    const round = Round.of(7);
    const app = { template: 'AppRewardCoupon', provider: alice, amount: amount('6.6666666667'), round } as const;
    const inputs = [
      world.put({ ...app, featured: true, beneficiary: null }),
      world.put({ ...app, featured: false, beneficiary: null }),
      world.put({ template: 'SvRewardCoupon', sv: bob, beneficiary: alice, round, weight: 3 }),
      world.put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round }),
      world.fund(alice, '1'),
    ];
    const { detail } = world.accepted('HoldingsMerged', merge(inputs), alice);
    expect(detail.rewards).toMatchObject({
      // 481.9888381557 and 4: the coupon of the specification's second vector.
      appRewards: amount('485.9888381557'),
      svRewards: amount('1041.0958904109'),
      faucetRewards: amount('19'),
      validatorRewards: 0n,
    });
    expect(world.coinsOf(alice)).toEqual(['1547.0847285666']);
    expect(detail.minted).toBe(amount('1546.0847285666'));
    expect(findAny(world.state, issuing)).not.toBeNull();
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
  }
  const coupon = (world: World, owner: PartyId = alice): ContractId =>
    world.put({
      template: 'AppRewardCoupon',
      provider: owner,
      featured: false,
      amount: amount('1'),
      round: Round.of(0),
      beneficiary: null,
    });
  const few = { config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs: 2 } } };
  precedence<Plan>(
    { options: {}, at: second(60), actAs: [alice], inputs: (_, funded) => funded },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [bob, dso] }],
      ['NO_INPUTS', { inputs: () => [] }],
      ['DUPLICATE_INPUT', { inputs: (world, [a]) => [a!, a!, coupon(world)] }],
      ['CONTRACT_NOT_FOUND', { inputs: (world, [a]) => [a!, nowhere, coupon(world)] }],
      ['GROUP_MISMATCH', { inputs: (world, [a]) => [a!, coupon(world, bob), coupon(world)] }, "another's coupon"],
      ['ROUND_NOT_ISSUING', { inputs: (world, [a, b]) => [a!, coupon(world), b!] }],
      ['MAX_INPUTS_EXCEEDED', { options: few }],
      ['INVALID_DECIMAL', { inputs: (world) => [0, 1, 2].map(() => world.fund(alice, Amount.format(Amount.max))) }],
    ],
    (code, plan) => {
      const world = worldOf(plan.options);
      const inputs = plan.inputs(world, world.fundEach(alice, ['5', '6', '7']));
      world.at(plan.at).refused(code, merge(inputs), ...plan.actAs);
    },
  );
});
