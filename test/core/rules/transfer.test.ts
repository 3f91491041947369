import { Amount, genesisConfig, type Instant, PartyId, Round, type ContractId, type Lock } from '@coinlab/core';
import type { TransferConfig } from '@coinlab/core/contracts';
import { tryTransfer, type TransferOutput, type TransferRequest } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const price = amount('0.15');

function request(inputs: readonly ContractId[], fields: Partial<TransferRequest> = {}): Omit<TransferRequest, 'round'> {
  return {
    sender: alice,
    provider,
    inputs,
    outputs: [{ receiver: bob, amount: amount('100') }],
    now: second(0),
    ...fields,
  };
}

function done(world: World, asked: Omit<TransferRequest, 'round'>) {
  const result = tryTransfer(world.state, asked);
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) throw new Error('unreachable: expected acceptance above');
  return result.value;
}

const shares = (holdings: readonly { readonly owner: PartyId; readonly amount: Amount }[]): readonly string[] =>
  holdings.map(({ owner, amount: value }) => `${PartyId.hint(owner)} ${Amount.short(value)}`);

describe('the transfer primitive', () => {
  it('lets the receiver pay a share of the fee, as in the worked example with ratio 0.5', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price, initialRound: Round.of(11) });
    const coin = world.put({
      template: 'Holding',
      owner: alice,
      amount: amount('1000'),
      createdAt: Round.of(5),
      ratePerRound: amount('0.0001268393'),
      lock: null,
    });
    const outputs = [{ receiver: bob, amount: amount('100'), receiverFeeRatio: amount('0.5') }];
    const { fees, outcome, ...trial } = done(world, request([coin], { outputs }));
    expect(shares(trial.outputs)).toEqual(['bob 99.4']);
    // 899.3991121249 remain; the create fee of the change is paid from them.
    expect(trial.change?.amount).toBe(amount('899.1991121249'));
    expect(fees).toEqual({
      holdingFees: amount('0.0008878751'),
      outputFees: [amount('1.2')],
      changeFee: amount('0.2'),
    });
    expect(outcome.detail.burned).toBe(amount('1.4008878751'));
  });

  it('creates the rewards, then the outputs in their order, then the change', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one });
    const outputs = [
      { receiver: carol, amount: amount('1') },
      { receiver: alice, amount: amount('2') },
      { receiver: bob, amount: amount('3') },
    ];
    const { outcome } = done(world, request([world.fund(alice, '10')], { outputs }));
    expect(outcome.created.map(({ template }) => template)).toEqual([
      'ValidatorRewardCoupon',
      'AppRewardCoupon',
      'Holding',
      'Holding',
      'Holding',
      'Holding',
    ]);
    const made = outcome.created.flatMap((one) => (one.template === 'Holding' ? [one] : []));
    // Each output costs 0.03 and, unless it is the sender's own, a hundredth; the change costs 0.03.
    expect(shares(made)).toEqual(['carol 1.0', 'alice 2.0', 'bob 3.0', 'alice 3.84']);
    const numbers = outcome.created.map(({ id }) => id);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it('sorts lock holders, and drops repeated holders and the owner of the coin', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one });
    const lock: Lock = { holders: [carol, dso, bob, carol, bob], expiresAt: second(1), context: 'escrow' };
    const outputs = [{ receiver: bob, amount: amount('1'), lock }];
    const { outputs: made, fees } = done(world, request([world.fund(alice, '10')], { outputs }));
    expect(made[0]?.lock).toEqual({ ...lock, holders: [carol, dso].sort() });
    // 0.03 to create, 0.005 for each of two holders, 0.01 of the amount.
    expect(fees?.outputFees).toEqual([amount('0.05')]);
  });

  it('accepts 50 lock holders and refuses 51, after duplicates are removed', () => {
    const world = worldOf();
    const coin = world.fund(alice, '10');
    const holders = Array.from({ length: 51 }, (_, i) => PartyId.of(`holder-${i}`));
    const locked = (who: readonly PartyId[]): readonly TransferOutput[] => [
      { receiver: bob, amount: amount('1'), lock: { holders: who, expiresAt: second(1), context: null } },
    ];
    done(world, request([coin], { outputs: locked([...holders.slice(1), ...holders.slice(1), bob]) }));
    expect(tryTransfer(world.state, request([coin], { outputs: locked(holders) }))).toMatchObject({
      ok: false,
      error: { code: 'TOO_MANY_LOCK_HOLDERS', holders: 51, limit: 50 },
    });
  });

  it('accepts 100 outputs and refuses 101', () => {
    const world = worldOf();
    const coin = world.fund(alice, '101');
    const many = (count: number): readonly TransferOutput[] =>
      Array.from({ length: count }, () => ({ receiver: bob, amount: Amount.one }));
    expect(done(world, request([coin], { outputs: many(100) })).outputs).toHaveLength(100);
    expect(tryTransfer(world.state, request([coin], { outputs: many(101) }))).toMatchObject({
      ok: false,
      error: { code: 'MAX_OUTPUTS_EXCEEDED', outputs: 101, limit: 100 },
    });
  });

  describe('shared rewards', () => {
    const beneficiaries = [
      { beneficiary: bob, weight: amount('0.25') },
      { beneficiary: provider, weight: amount('0.5') },
      { beneficiary: bob, weight: amount('0.25') },
    ];
    function rewards(profile: 'legacy-fees' | 'feeless' | 'feeless-24h', createsRewards = true) {
      const world = worldOf({ profile, amuletPrice: price });
      const id = world.put({ template: 'FeaturedAppRight', provider });
      const featuredAppRight = { id, template: 'FeaturedAppRight', provider } as const;
      const asked = request([world.fund(alice, '1000')], { beneficiaries, featuredAppRight, createsRewards });
      return done(world, asked).outcome.created.filter(({ template }) => template !== 'Holding');
    }

    it('add up the weights of a beneficiary that is named twice', () => {
      expect(rewards('feeless')).toMatchObject([
        { template: 'AppRewardCoupon', beneficiary: bob, featured: true, amount: amount('3.3333333334') },
        { template: 'AppRewardCoupon', beneficiary: null, provider, amount: amount('3.3333333334') },
      ]);
      expect(rewards('feeless-24h')).toMatchObject([
        { template: 'FeaturedAppActivityMarker', provider, beneficiary: bob, weight: amount('0.5') },
        { template: 'FeaturedAppActivityMarker', provider, beneficiary: provider, weight: amount('0.5') },
      ]);
    });

    it('divide both the fees and the featured extra', () => {
      expect(rewards('legacy-fees')).toMatchObject([
        { template: 'ValidatorRewardCoupon', user: alice, amount: amount('1.2') },
        { template: 'AppRewardCoupon', beneficiary: bob, amount: amount('3.9333333334') },
        { template: 'AppRewardCoupon', beneficiary: null, amount: amount('3.9333333334') },
      ]);
    });

    it('are not created for a transfer that earns none', () => {
      for (const profile of ['legacy-fees', 'feeless', 'feeless-24h'] as const)
        expect(rewards(profile, false)).toEqual([]);
    });
  });

  describe('no reward is created for', () => {
    const fees = { ...genesisConfig('legacy-fees').transferConfigUsd, extraFeaturedAppRewardAmount: Amount.zero };
    const rewardsOf = (world: World, asked: Partial<TransferRequest>): readonly string[] => {
      const outputs = [{ receiver: alice, amount: amount('1') }];
      const made = done(world, request([world.fund(alice, '10')], { outputs, ...asked })).outcome.created;
      return made.flatMap((one) => (one.template === 'Holding' ? [] : [one.template]));
    };

    it('a share below the smallest amount', () => {
      // The fee of one unit: of it the small share is nothing, the large one all.
      const config = { transferConfigUsd: { ...fees, createFee: Amount.unit } };
      const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one, config });
      const beneficiaries = [
        { beneficiary: bob, weight: amount('0.1') },
        { beneficiary: provider, weight: amount('0.9') },
      ];
      expect(rewardsOf(world, { beneficiaries })).toEqual(['ValidatorRewardCoupon', 'AppRewardCoupon']);
    });

    it('a marker of a provider that is not featured, even with fees', () => {
      const config = { transferConfigUsd: fees };
      const rules = { featuredReward: 'marker' } as const;
      const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.one, config, rules });
      expect(rewardsOf(world, {})).toEqual(['ValidatorRewardCoupon']);
    });
  });

  it("refuses another party's coin and a contract that cannot be an input, and names the owner or the template", () => {
    const world = worldOf();
    const of = (input: ContractId) => tryTransfer(world.state, request([input]));
    expect(of(world.fund(bob, '1'))).toMatchObject({ error: { code: 'GROUP_MISMATCH', actual: bob } });
    const right = world.put({ template: 'FeaturedAppRight', provider });
    expect(of(right)).toMatchObject({
      error: { code: 'GROUP_MISMATCH', actual: expect.stringContaining('FeaturedAppRight') },
    });
  });

  interface Plan {
    readonly transfer: Partial<TransferConfig>;
    readonly inputs: readonly string[];
    readonly twice: boolean;
    readonly ratio: Amount;
    readonly lockEnds: Instant;
    readonly value: string;
    readonly outputs: number;
  }
  precedence<Plan>(
    {
      transfer: {},
      inputs: ['1000', '1000'],
      twice: false,
      ratio: Amount.zero,
      lockEnds: second(1),
      value: '100',
      outputs: 1,
    },
    [
      ['DUPLICATE_INPUT', { twice: true }],
      ['INVALID_ARGUMENT', { ratio: amount('-0.0000000001') }, 'a ratio below 0'],
      ['INVALID_ARGUMENT', { ratio: amount('1.0000000001') }, 'a ratio above 1'],
      ['DEADLINE_PASSED', { lockEnds: second(0) }],
      ['TOO_MANY_LOCK_HOLDERS', { transfer: { maxNumLockHolders: 0, maxNumInputs: 1, maxNumOutputs: 1 } }],
      // The fee of 0.05 is all the receiver's, who would get less than nothing.
      ['NON_POSITIVE_AMOUNT', { value: '0.03', ratio: Amount.one, transfer: { maxNumInputs: 1, maxNumOutputs: 1 } }],
      ['MAX_INPUTS_EXCEEDED', { transfer: { maxNumInputs: 1, maxNumOutputs: 1 } }],
      ['MAX_OUTPUTS_EXCEEDED', { outputs: 101, transfer: {} }],
      ['INVALID_DECIMAL', { inputs: [Amount.format(Amount.max), '1'] }],
      ['INSUFFICIENT_FUNDS', { value: '2001' }],
      ['LOCK_OUTLIVES_AMULET', { value: '0.0001', lockEnds: tickOf(second(86_400), 1) }],
    ],
    (code, plan) => {
      const config = genesisConfig('legacy-fees').transferConfigUsd;
      const world = worldOf({
        profile: 'legacy-fees',
        amuletPrice: Amount.one,
        config: { transferConfigUsd: { ...config, ...plan.transfer } },
      });
      const coins = world.fundEach(alice, plan.inputs);
      const lock: Lock = { holders: [carol], expiresAt: plan.lockEnds, context: null };
      const outputs = Array.from({ length: plan.outputs }, () => ({
        receiver: bob,
        amount: amount(plan.value),
        receiverFeeRatio: plan.ratio,
        lock,
      }));
      const inputs = plan.twice ? [...coins, ...coins] : coins;
      const result = tryTransfer(world.state, request(inputs, { outputs }));
      expect(result).toMatchObject({ ok: false, error: { code } });
    },
  );
});
