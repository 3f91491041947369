import {
  Amount,
  Duration,
  emptyLedger,
  genesis,
  genesisConfig,
  Instant,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
} from '@coinlab/core';
import { preapprovalFee, preapprovalOf } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const price = amount('0.15');
const nowhere = 999_999 as ContractId;
const ninetyDays = Instant.plus(second(0), Duration.days(90));

const propose: Command = { type: 'ProposePreapproval', receiver: bob, provider };
const accept = (proposal: ContractId, inputs: readonly ContractId[], expiresAt: Instant = ninetyDays): Command => ({
  type: 'AcceptPreapprovalProposal',
  proposal,
  expiresAt,
  inputs,
});
const create = (inputs: readonly ContractId[], expiresAt: Instant = ninetyDays): Command => ({
  type: 'CreatePreapproval',
  receiver: bob,
  provider,
  expiresAt,
  inputs,
});
const renew = (preapproval: ContractId, inputs: readonly ContractId[], newExpiresAt: Instant): Command => ({
  type: 'RenewPreapproval',
  preapproval,
  newExpiresAt,
  inputs,
});

/** A world in which bob has a preapproval for 90 days, and the provider a coin of 10 to pay for more. */
function approved(options: LedgerOptions = {}) {
  const world = worldOf({ amuletPrice: price, ...options });
  const { detail } = world.accepted('PreapprovalCreated', create([world.fund(provider, '5')]), bob, provider);
  const coin = world.fund(provider, '10');
  return { world, preapproval: detail.preapproval, coin };
}

function tooFewInputs(): LedgerOptions {
  return { config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs: 1 } } };
}

describe('the price of a preapproval', () => {
  it('for 90 days is 0.2466 USD, 1.644 coin at 0.15 USD', () => {
    expect(preapprovalFee(Duration.days(90), amount('0.00274'), Amount.one)).toBe(amount('0.2466'));
    expect(preapprovalFee(Duration.days(90), amount('0.00274'), price)).toBe(amount('1.644'));
  });

  it('is proportional to the time, and equal for two renewals of half the time, up to rounding', () => {
    for (const days of [1, 7, 31, 365]) {
      const whole = preapprovalFee(Duration.days(days), amount('0.00274'), price);
      const half = preapprovalFee(Duration.hours(days * 12), amount('0.00274'), price);
      expect(Math.abs(Number(whole - 2n * half))).toBeLessThanOrEqual(20);
    }
  });
});

describe('proposing a preapproval', () => {
  it('creates a proposal for the provider', () => {
    const world = worldOf();
    const { created, detail } = world.accepted('PreapprovalProposed', propose, bob);
    expect(created).toEqual([
      { id: detail.proposal, template: 'TransferPreapprovalProposal', receiver: bob, provider },
    ]);
  });

  it('is refused to any party but the receiver', () => {
    const world = worldOf();
    expect(world.refused('NOT_AUTHORISED', propose, provider, dso).required).toBe(bob);
  });

  it('can be undone once, when the receiver withdraws the proposal', () => {
    const world = worldOf();
    const { proposal } = world.accepted('PreapprovalProposed', propose, bob).detail;
    const withdraw: Command = { type: 'WithdrawPreapprovalProposal', proposal };
    world.refused('NOT_AUTHORISED', withdraw, provider);
    expect(world.accepted('PreapprovalProposalWithdrawn', withdraw, bob).archived).toEqual([proposal]);
    world.refused('CONTRACT_NOT_FOUND', withdraw, provider);
    world.refused('CONTRACT_NOT_FOUND', accept(proposal, []), provider);
  });
});

describe('accepting a proposal', () => {
  it('burns the fee, which the provider pays', () => {
    const world = worldOf({ amuletPrice: price });
    const { proposal } = world.accepted('PreapprovalProposed', propose, bob).detail;
    const coin = world.fund(provider, '10');
    const { archived, created, detail } = world.accepted('PreapprovalCreated', accept(proposal, [coin]), provider);
    expect(archived).toEqual([proposal, coin]);
    expect(detail).toMatchObject({
      receiver: bob,
      provider,
      expiresAt: ninetyDays,
      fee: amount('1.644'),
      burned: amount('1.644'),
      minted: 0n,
      inputs: 1,
      change: world.holdings(provider)[0]?.id,
    });
    expect(world.coinsOf(provider)).toEqual(['8.356']);
    expect(created).toContainEqual({
      id: detail.preapproval,
      template: 'TransferPreapproval',
      receiver: bob,
      provider,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt: ninetyDays,
    });
    // The payer's validator earns a coupon of what was burned, in the round of the payment.
    expect(created).toContainEqual(
      expect.objectContaining({
        template: 'ValidatorRewardCoupon',
        user: provider,
        amount: amount('1.644'),
        round: 1,
      }),
    );
    expect(created).toHaveLength(3);
  });

  it('also burns create fees in the legacy profile', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: price });
    const { proposal } = world.accepted('PreapprovalProposed', propose, bob).detail;
    const coin = world.fund(provider, '10');
    const { created, detail } = world.accepted('PreapprovalCreated', accept(proposal, [coin]), provider);
    expect(detail).toMatchObject({ fee: amount('1.644'), burned: amount('2.044') });
    expect(world.coinsOf(provider)).toEqual(['7.956']);
    expect(created).toContainEqual(
      expect.objectContaining({ template: 'ValidatorRewardCoupon', amount: amount('1.844') }),
    );
    expect(created).not.toContainEqual(expect.objectContaining({ template: 'AppRewardCoupon' }));
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly ended: boolean;
    readonly expiresAt: Instant;
    readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
  }
  precedence<Plan>(
    {
      options: {},
      at: second(60),
      actAs: [provider],
      ended: false,
      expiresAt: ninetyDays,
      inputs: (_, funded) => funded,
    },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['CONTRACT_NOT_FOUND', { ended: true }, 'the proposal is gone'],
      ['NOT_AUTHORISED', { actAs: [bob, dso] }],
      ['DEADLINE_PASSED', { expiresAt: second(60) }],
      ['NO_INPUTS', { inputs: () => [] }],
      ['DUPLICATE_INPUT', { inputs: (world, [a]) => [a!, a!, world.fund(bob, '1'), nowhere] }],
      ['CONTRACT_NOT_FOUND', { inputs: (world, [a]) => [a!, nowhere, world.fund(bob, '1')] }],
      ['GROUP_MISMATCH', { inputs: (world, [a]) => [a!, world.fund(bob, '1')] }],
      ['MAX_INPUTS_EXCEEDED', { options: tooFewInputs() }],
      ['INSUFFICIENT_FUNDS', { inputs: (world) => world.fundEach(provider, ['0.5', '1.1']) }],
    ],
    (code, plan) => {
      const world = worldOf({ amuletPrice: price, ...plan.options });
      const { proposal } = world.accepted('PreapprovalProposed', propose, bob).detail;
      const command = accept(proposal, plan.inputs(world, world.fundEach(provider, ['1', '1'])), plan.expiresAt);
      if (plan.ended) world.take(proposal);
      world.at(plan.at).refused(code, command, ...plan.actAs);
    },
  );

  it('charges nothing and spends no coin when the price rounds to zero', () => {
    const world = worldOf({ amuletPrice: price });
    const coin = world.fund(provider, '10');
    const { archived, detail } = world.accepted(
      'PreapprovalCreated',
      create([coin], tickOf(world.now, 1)),
      bob,
      provider,
    );
    expect([archived, detail.fee, detail.inputs]).toEqual([[], 0n, 0]);
  });
});

describe('creating a preapproval without a proposal', () => {
  it('requires that receiver and provider both act', () => {
    const world = worldOf({ amuletPrice: price });
    const coin = world.fund(provider, '1.644');
    expect(world.refused('NOT_AUTHORISED', create([coin]), provider).required).toBe(bob);
    expect(world.refused('NOT_AUTHORISED', create([coin]), bob).required).toBe(provider);
    const { detail } = world.accepted('PreapprovalCreated', create([coin]), bob, provider);
    expect(detail.change).toBeNull();
    expect(preapprovalOf(world.state, bob, world.now)?.id).toBe(detail.preapproval);
  });

  it('spends no coin where preapprovals are free', () => {
    const world = worldOf({ config: { transferPreapprovalFeeUsd: Amount.zero } });
    const { detail } = world.accepted('PreapprovalCreated', create([]), bob, provider);
    expect(detail).toMatchObject({ fee: 0n, burned: 0n, inputs: 0, change: null });
  });

  it('is refused when the end has passed, and while no round is open', () => {
    const world = worldOf();
    world.refused('DEADLINE_PASSED', create([], world.now), bob, provider);
    const [open] = genesis({});
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    const context = { now: open!.context.now, actAs: [bob, provider] };
    expect(opened.value.ledger.check(create([]), context)?.code).toBe('ROUND_NOT_OPEN');
  });
});

describe('renewing a preapproval', () => {
  const later = Instant.plus(ninetyDays, Duration.days(90));

  it('pays for the added time, and keeps receiver, provider and start', () => {
    const { world, preapproval, coin } = approved();
    world.at(second(1000));
    const { archived, created, detail } = world.accepted(
      'PreapprovalRenewed',
      renew(preapproval, [coin], later),
      provider,
    );
    expect(archived).toEqual([preapproval, coin]);
    expect(detail).toMatchObject({ fee: amount('1.644'), burned: amount('1.644'), expiresAt: later });
    expect(created).toContainEqual({
      id: detail.preapproval,
      template: 'TransferPreapproval',
      receiver: bob,
      provider,
      validFrom: second(0),
      lastRenewedAt: second(1000),
      expiresAt: later,
    });
  });

  it('costs the price of coin in the round of the payment', () => {
    const { world, preapproval, coin } = approved();
    world.advanceRounds(3, '0.3');
    const { detail } = world.accepted('PreapprovalRenewed', renew(preapproval, [coin], later), provider);
    expect(detail.fee).toBe(amount('0.822'));
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly ended: boolean;
    readonly newExpiresAt: Instant;
    readonly inputs: (world: World, funded: readonly ContractId[]) => readonly ContractId[];
  }
  precedence<Plan>(
    {
      options: {},
      at: tickOf(ninetyDays, -1),
      actAs: [provider],
      ended: false,
      newExpiresAt: later,
      inputs: (_, funded) => funded,
    },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['CONTRACT_NOT_FOUND', { ended: true }, 'it has ended'],
      ['NOT_AUTHORISED', { actAs: [bob, dso] }],
      ['PREAPPROVAL_EXPIRED', { at: ninetyDays }],
      ['INVALID_ARGUMENT', { newExpiresAt: ninetyDays }, 'no time is added'],
      ['NO_INPUTS', { inputs: () => [] }],
      ['DUPLICATE_INPUT', { inputs: (_, [a]) => [a!, a!, nowhere] }],
      ['CONTRACT_NOT_FOUND', { inputs: (world, [a]) => [a!, nowhere, world.fund(carol, '1')] }],
      ['GROUP_MISMATCH', { inputs: (world, [a]) => [a!, world.fund(carol, '1')] }],
      ['MAX_INPUTS_EXCEEDED', { options: tooFewInputs() }],
      ['INSUFFICIENT_FUNDS', { inputs: (world) => world.fundEach(provider, ['0.5', '1.1']) }],
    ],
    (code, plan) => {
      const { world, preapproval, coin } = approved(plan.options);
      const inputs = plan.inputs(world, [coin, world.fund(provider, '1')]);
      if (plan.ended) world.take(preapproval);
      world.at(plan.at).refused(code, renew(preapproval, inputs, plan.newExpiresAt), ...plan.actAs);
    },
  );
});

describe('a preapproval', () => {
  it.each([
    ['the receiver', bob],
    ['the provider', provider],
  ])('ends early, without a refund, when %s cancels it', (_, who) => {
    const { world, preapproval } = approved();
    const supply = world.state.minted - world.state.burned;
    const { archived, created, detail } = world
      .at(tickOf(ninetyDays, -1))
      .accepted('PreapprovalCancelled', { type: 'CancelPreapproval', preapproval }, who);
    expect([archived, created, detail.fee]).toEqual([[preapproval], [], 0n]);
    expect(world.state.minted - world.state.burned).toBe(supply);
    expect(preapprovalOf(world.state, bob, world.now)).toBeNull();
  });

  it('is removed by the DSO after it has expired', () => {
    const { world, preapproval } = approved();
    world.at(ninetyDays);
    expect(preapprovalOf(world.state, bob, world.now)).toBeNull();
    world.accepted('PreapprovalExpired', { type: 'ExpirePreapproval', preapproval }, dso);
  });

  interface Plan {
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly ended: boolean;
  }
  describe('by cancelling', () => {
    precedence<Plan>(
      { at: second(1), actAs: [bob], ended: false },
      [
        ['TIME_IN_PAST', { at: second(-1) }],
        ['CONTRACT_NOT_FOUND', { ended: true }],
        ['NOT_AUTHORISED', { actAs: [dso, alice] }],
        ['PREAPPROVAL_EXPIRED', { at: ninetyDays }],
      ],
      (code, { at, actAs, ended }) => {
        const { world, preapproval } = approved();
        if (ended) world.take(preapproval);
        world.at(at).refused(code, { type: 'CancelPreapproval', preapproval }, ...actAs);
      },
    );
  });
  describe('by expiring', () => {
    precedence<Plan>(
      { at: ninetyDays, actAs: [dso], ended: false },
      [
        ['TIME_IN_PAST', { at: second(-1) }],
        ['CONTRACT_NOT_FOUND', { ended: true }],
        ['NOT_AUTHORISED', { actAs: [bob, provider] }],
        ['DEADLINE_NOT_REACHED', { at: tickOf(ninetyDays, -1) }],
      ],
      (code, { at, actAs, ended }) => {
        const { world, preapproval } = approved();
        if (ended) world.take(preapproval);
        world.at(at).refused(code, { type: 'ExpirePreapproval', preapproval }, ...actAs);
      },
    );
  });
});
