import {
  Amount,
  genesisConfig,
  type Command,
  type ContractId,
  type Instant,
  type LedgerOptions,
  type PartyId,
  type ProfileName,
  Round,
} from '@coinlab/core';
import type { TransferConfig } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type DirectTransfer = Extract<Command, { type: 'DirectTransfer' }>;

const ends = second(1000);
const nowhere = 999_999 as ContractId;

function direct(inputs: readonly ContractId[], fields: Partial<DirectTransfer> = {}): DirectTransfer {
  return { type: 'DirectTransfer', sender: alice, receiver: bob, amount: amount('100'), inputs, ...fields };
}

/** Puts a preapproval of bob's that was paid for by the provider. */
function preapprove(world: World, expiresAt: Instant = ends, receiver: PartyId = bob): ContractId {
  return world.put({
    template: 'TransferPreapproval',
    receiver,
    provider,
    validFrom: world.now,
    lastRenewedAt: world.now,
    expiresAt,
  });
}

describe('a direct transfer', () => {
  it('pays a receiver with a preapproval in one step, exactly the amount', () => {
    const world = worldOf();
    const preapproval = preapprove(world);
    const coin = world.fund(alice, '1000');
    const { archived, created, detail } = world.accepted(
      'TransferCompleted',
      direct([coin], { meta: { reason: 'tea' } }),
      alice,
    );
    expect(archived).toEqual([coin]);
    expect(created.map(({ template }) => template)).toEqual(['Holding', 'Holding']);
    expect(detail).toMatchObject({
      sender: alice,
      receiver: bob,
      amount: amount('100'),
      preapproval,
      inputs: 1,
      holdings: [created[0]?.id],
      change: created[1]?.id,
      fees: null,
      rewards: null,
      minted: 0n,
      burned: 0n,
      meta: { reason: 'tea' },
    });
    expect(world.coinsOf(bob)).toEqual(['100.0']);
    expect(world.coinsOf(alice)).toEqual(['900.0']);
  });

  it('creates no change when the inputs equal the amount', () => {
    const world = worldOf();
    preapprove(world);
    const { detail } = world.accepted('TransferCompleted', direct(world.fundEach(alice, ['60', '40'])), alice);
    expect(detail.change).toBeNull();
    expect(world.coinsOf(alice)).toEqual([]);
  });

  it('succeeds until one microsecond before the preapproval ends', () => {
    const world = worldOf();
    const preapproval = preapprove(world);
    const coins = world.fundEach(alice, ['100', '100']);
    world.at(tickOf(ends, -1)).submit(direct([coins[0]!], { preapproval }), alice);
    world.at(ends);
    expect(world.refused('PREAPPROVAL_EXPIRED', direct([coins[1]!], { preapproval }), alice)).toEqual({
      code: 'PREAPPROVAL_EXPIRED',
      deadline: ends,
      at: ends,
    });
    // Without naming one there is none in force.
    expect(world.refused('CONTRACT_NOT_FOUND', direct([coins[1]!]), alice).contract).toBeNull();
  });

  it('uses the preapproval that expires last unless the command names one', () => {
    const world = worldOf();
    const short = preapprove(world, second(500));
    const long = preapprove(world, second(2000));
    preapprove(world, second(1000));
    const coins = world.fundEach(alice, ['100', '100']);
    expect(world.accepted('TransferCompleted', direct([coins[0]!]), alice).detail.preapproval).toBe(long);
    const named = direct([coins[1]!], { preapproval: short });
    expect(world.accepted('TransferCompleted', named, alice).detail.preapproval).toBe(short);
  });

  it('uses the older of two preapprovals that expire together', () => {
    const world = worldOf();
    const [older] = [preapprove(world), preapprove(world)];
    const { detail } = world.accepted('TransferCompleted', direct([world.fund(alice, '100')]), alice);
    expect(detail.preapproval).toBe(older);
  });

  it('accepts 100 inputs and refuses 101', () => {
    const world = worldOf();
    preapprove(world);
    const coins = world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '1'),
    );
    expect(world.refused('MAX_INPUTS_EXCEEDED', direct(coins), alice)).toMatchObject({ inputs: 101, limit: 100 });
    world.submit(direct(coins.slice(1)), alice);
    expect(world.coinsOf(bob)).toEqual(['100.0']);
  });

  describe.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)('in the profile %s', (profile) => {
    interface Plan {
      readonly options: LedgerOptions;
      readonly actAs: readonly PartyId[];
      readonly fields: Partial<DirectTransfer>;
      readonly value: string;
      readonly at: Instant;
      readonly admin: PartyId;
      readonly requestedAt: Instant;
      readonly executeBefore: Instant;
      readonly name: string;
      readonly preapproval: (world: World) => ContractId;
      readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
    }
    const tight = (transfer: Partial<TransferConfig>): LedgerOptions => ({
      config: { transferConfigUsd: { ...genesisConfig(profile).transferConfigUsd, ...transfer } },
    });
    const locked = (world: World): ContractId =>
      world.put({
        template: 'Holding',
        owner: alice,
        amount: amount('1000'),
        createdAt: Round.of(0),
        ratePerRound: Amount.unit,
        lock: { holders: [bob], expiresAt: second(61), context: null },
      });
    const good: Plan = {
      options: {},
      actAs: [alice],
      fields: {},
      value: '100',
      at: second(60),
      admin: dso,
      requestedAt: second(60),
      executeBefore: second(61),
      name: 'Amulet',
      preapproval: (world) => preapprove(world),
      inputs: (_, funded) => funded,
    };
    precedence<Plan>(
      good,
      [
        ['TIME_IN_PAST', { at: second(-1) }],
        ['NOT_AUTHORISED', { actAs: [bob, provider, dso] }],
        ['ADMIN_MISMATCH', { admin: carol }],
        ['CONTRACT_NOT_FOUND', { preapproval: () => nowhere }, 'no such preapproval'],
        ['GROUP_MISMATCH', { preapproval: (world) => preapprove(world, second(50), carol) }, "another's preapproval"],
        ['PREAPPROVAL_EXPIRED', { preapproval: (world) => preapprove(world, second(60)) }],
        ['WRONG_INSTRUMENT', { name: 'amulet' }],
        ['NON_POSITIVE_AMOUNT', { value: '0' }],
        ['REQUESTED_IN_FUTURE', { requestedAt: tickOf(second(60), 1) }],
        ['DEADLINE_PASSED', { executeBefore: second(60) }],
        ['NO_INPUTS', { inputs: () => [] }],
        ['DUPLICATE_INPUT', { inputs: (_, [a, b]) => [a!, a!, nowhere, b!] }],
        ['CONTRACT_NOT_FOUND', { inputs: (world, [a, b]) => [a!, nowhere, world.fund(bob, '1'), b!] }],
        ['GROUP_MISMATCH', { inputs: (world, [a, b]) => [a!, world.fund(bob, '1'), locked(world), b!] }],
        ['LOCK_NOT_EXPIRED', { inputs: (world, [a, b]) => [a!, locked(world), b!] }],
        ['MAX_INPUTS_EXCEEDED', { options: tight({ maxNumInputs: 1 }) }],
        ['INSUFFICIENT_FUNDS', { value: '2000.0000000001' }],
      ],
      (code, plan) => {
        const world = worldOf({ profile, amuletPrice: Amount.one, ...plan.options });
        const funded = world.fundEach(alice, ['1000', '1000']);
        const preapproval = plan.preapproval(world);
        const inputs = plan.inputs(world, funded);
        const command = direct(inputs, {
          amount: amount(plan.value),
          expectedAdmin: plan.admin,
          instrument: { admin: dso, id: plan.name },
          requestedAt: plan.requestedAt,
          executeBefore: plan.executeBefore,
          preapproval,
        });
        world.at(plan.at).refused(code, command, ...plan.actAs);
      },
    );
  });
});

describe('the worked example of the specification: 100 of a coin of 1000, seven rounds old, at 0.15 USD', () => {
  /** Round 12 is the newest usable one; the coin was made in round 5 at the rate of this price. */
  function paid(profile: ProfileName, featured: boolean, options: LedgerOptions = {}) {
    const world = worldOf({ profile, amuletPrice: amount('0.15'), initialRound: Round.of(11), ...options });
    preapprove(world);
    if (featured) world.put({ template: 'FeaturedAppRight', provider });
    const coin = world.put({
      template: 'Holding',
      owner: alice,
      amount: amount('1000'),
      createdAt: Round.of(5),
      ratePerRound: amount('0.0001268393'),
      lock: null,
    });
    const { created, detail } = world.accepted('TransferCompleted', direct([coin]), alice);
    const rewards = created.filter(({ template }) => template !== 'Holding');
    return { world, detail, rewards };
  }
  const validatorCoupon = { template: 'ValidatorRewardCoupon', user: alice, amount: amount('1.2'), round: 12 };

  it('legacy-fees: holding fee, output fee and change fee are burned', () => {
    const { world, detail } = paid('legacy-fees', false);
    expect(world.coinsOf(bob)).toEqual(['100.0']);
    expect(world.coinsOf(alice)).toEqual(['898.5991121249']);
    expect(detail.fees).toEqual({
      holdingFees: amount('0.0008878751'),
      outputFees: [amount('1.2')],
      changeFee: amount('0.2'),
    });
    expect(detail.burned).toBe(amount('1.4008878751'));
    expect(world.holdings(alice)[0]).toMatchObject({ createdAt: 12, ratePerRound: amount('0.0001268393') });
  });

  it('legacy-fees: validator and provider earn coupons for the fees', () => {
    expect(paid('legacy-fees', false).rewards).toMatchObject([
      validatorCoupon,
      {
        template: 'AppRewardCoupon',
        provider,
        featured: false,
        amount: amount('1.2'),
        round: 12,
        beneficiary: null,
      },
    ]);
  });

  it('legacy-fees: a featured provider earns one USD extra', () => {
    expect(paid('legacy-fees', true).rewards).toMatchObject([
      validatorCoupon,
      {
        template: 'AppRewardCoupon',
        provider,
        featured: true,
        amount: amount('7.8666666667'),
        round: 12,
        beneficiary: null,
      },
    ]);
  });

  it.each([['feeless'], ['feeless-24h']] as const)('%s: no fee is charged and no reward earned', (profile) => {
    const { world, detail, rewards } = paid(profile, false);
    expect(world.coinsOf(bob)).toEqual(['100.0']);
    expect(world.coinsOf(alice)).toEqual(['900.0']);
    expect([detail.fees, detail.burned, rewards]).toEqual([null, 0n, []]);
  });

  it('feeless: a featured provider earns a coupon of one USD', () => {
    expect(paid('feeless', true).rewards).toMatchObject([
      {
        template: 'AppRewardCoupon',
        provider,
        featured: true,
        amount: amount('6.6666666667'),
        round: 12,
        beneficiary: null,
      },
    ]);
  });

  it('feeless-24h: a featured provider earns a marker of weight one, of no round', () => {
    expect(paid('feeless-24h', true).rewards).toMatchObject([
      { template: 'FeaturedAppActivityMarker', provider, beneficiary: provider, weight: Amount.one },
    ]);
  });

  it('feeless-24h: coins carry the round of the config state', () => {
    const { world } = paid('feeless-24h', false);
    expect(world.holdings(bob)[0]?.createdAt).toBe(11);
    expect(world.holdings(alice)[0]?.createdAt).toBe(11);
  });

  it.each([['legacy-fees'], ['feeless'], ['feeless-24h']] as const)(
    '%s: another party’s right makes no provider featured',
    (profile) => {
      const world = worldOf({ profile, amuletPrice: amount('0.15') });
      preapprove(world);
      for (const other of [alice, bob, carol, dso]) world.put({ template: 'FeaturedAppRight', provider: other });
      const { created } = world.accepted('TransferCompleted', direct([world.fund(alice, '1000')]), alice);
      expect(created).not.toContainEqual(expect.objectContaining({ featured: true }));
      expect(created).not.toContainEqual(expect.objectContaining({ template: 'FeaturedAppActivityMarker' }));
    },
  );

  it('legacy-fees: change up to the create fee is burned as a fee', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('0.15') });
    preapprove(world);
    const exact = world.accepted('TransferCompleted', direct([world.fund(alice, '101.4')]), alice);
    expect(exact.detail).toMatchObject({ change: null, fees: { changeFee: amount('0.2') }, burned: amount('1.4') });
    const less = world.accepted('TransferCompleted', direct([world.fund(alice, '101.2000000001')]), alice);
    expect(less.detail).toMatchObject({ change: null, fees: { changeFee: Amount.unit } });
    const none = world.accepted('TransferCompleted', direct([world.fund(alice, '101.2')]), alice);
    expect(none.detail).toMatchObject({ change: null, fees: { changeFee: 0n } });
    const short = direct([world.fund(alice, '101.1999999999')]);
    expect(world.refused('INSUFFICIENT_FUNDS', short, alice).missing).toBe(Amount.unit);
    const more = world.accepted('TransferCompleted', direct([world.fund(alice, '101.4000000001')]), alice);
    expect(world.holdings(alice).at(-1)).toMatchObject({ id: more.detail.change, amount: Amount.unit });
  });

  it('legacy-fees: the holding fee of an input never exceeds its amount', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('0.15'), initialRound: Round.of(1_000_000) });
    preapprove(world);
    const dust = world.put({
      template: 'Holding',
      owner: alice,
      amount: amount('1'),
      createdAt: Round.of(0),
      ratePerRound: amount('0.0001268393'),
      lock: null,
    });
    const { detail } = world.accepted('TransferCompleted', direct([dust, world.fund(alice, '200')]), alice);
    expect(detail.fees?.holdingFees).toBe(amount('1'));
  });
});
