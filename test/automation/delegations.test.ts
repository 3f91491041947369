import { allOf } from '@coinlab/core/views';
import {
  acceptMergeDelegations,
  coinsToMerge,
  expireMintingDelegations,
  expireTransferCommands,
  MERGE_DEFAULTS,
  mergeDelegatedHoldings,
  mintForBeneficiaries,
  sendTransferCommands,
} from '@coinlab/automation';
import { Duration, genesisConfig, PartyId, type AmuletConfig, type ContractId, type ProfileName } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, provider, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { appCoupons, dsoRoutine, issuingRound, order, settle } from './automation-fixture.ts';

const createCounters = dsoRoutine('create counters');
const grace = Duration.seconds(5);
const profiles: readonly ProfileName[] = ['legacy-fees', 'feeless', 'feeless-24h'];

function taking(maxNumInputs: number): Partial<AmuletConfig> {
  return { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs } };
}

describe('a wallet provider that accepts merge delegations', () => {
  const policy = acceptMergeDelegations(provider, 'PAR::here');

  function propose(world: World, owner: PartyId, operator = provider): void {
    world.submit({ type: 'ProposeMergeDelegation', owner, operator }, owner);
  }

  function install(world: World, validator: PartyId, user: PartyId): void {
    world.put({ template: 'WalletAppInstall', validator, endUserName: user.split('::')[0] ?? '', endUser: user });
  }

  const owners = (world: World): readonly PartyId[] =>
    [...allOf(world.state, 'MergeDelegation')].map((one) => one.owner);

  it("accepts proposals of its own users, and rejects none of the proposals of another validator's users", () => {
    const world = worldOf();
    install(world, provider, alice);
    install(world, carol, bob);
    propose(world, alice);
    propose(world, bob);
    propose(world, provider, carol);
    expect(settle(world, policy)).toEqual(['MergeDelegationAccepted']);
    expect(owners(world)).toEqual([alice]);
  });

  it.each([
    ['PAR::here', ['MergeDelegationAccepted']],
    ['PAR::there', []],
  ] as const)(
    'accepts a proposal of an external party only if its own participant hosts the party: %s',
    (participant, kinds) => {
      const world = worldOf();
      propose(world, alice);
      world.put({ template: 'ExternalPartyKey', party: alice, publicKey: '00', participant });
      expect(settle(world, policy)).toEqual(kinds);
    },
  );

  it('accepts one of two proposals of the same owner, and none while the owner has a delegation', () => {
    const world = worldOf();
    install(world, provider, alice);
    propose(world, alice);
    propose(world, alice);
    expect(settle(world, policy)).toEqual(['MergeDelegationAccepted']);
    propose(world, alice);
    expect(settle(world, policy)).toEqual([]);
    expect([...allOf(world.state, 'MergeDelegationProposal')]).toHaveLength(2);
  });
});

describe('a wallet provider that merges', () => {
  const policy = mergeDelegatedHoldings(provider, MERGE_DEFAULTS);

  function owner(world: World, party: PartyId, coins: number, value = '10'): void {
    world.put({ template: 'MergeDelegation', operator: provider, owner: party, meta: {} });
    world.fundEach(
      party,
      Array.from({ length: coins }, () => value),
    );
  }

  it.each(profiles)(
    'merges more than ten holdings into one, in one batch for all owners, in the profile %s',
    (profile) => {
      const world = worldOf({ profile, amuletPrice: amount('1') });
      owner(world, alice, 11);
      owner(world, bob, 10);
      owner(world, carol, 12);
      expect(settle(world, policy)).toEqual(['BatchMergeUtilityCreated', 'DelegatedHoldingsMerged']);
      const fee = profile === 'legacy-fees' ? '0.03' : '0';
      const left = (sum: string): bigint[] => [amount(sum) - amount(fee)];
      expect(world.holdings(alice).map((coin) => coin.amount)).toEqual(left('110'));
      expect(world.holdings(carol).map((coin) => coin.amount)).toEqual(left('120'));
      expect(world.holdings(bob)).toHaveLength(10);
    },
  );

  it.each([
    ['0.001', []],
    ['0.015', []],
    ['0.0150000001', ['BatchMergeUtilityCreated', 'DelegatedHoldingsMerged']],
  ] as const)('merges two coins of %s only when their sum exceeds the fee of 0.03', (value, kinds) => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    owner(world, alice, 2, value);
    expect(settle(world, mergeDelegatedHoldings(provider, { ...MERGE_DEFAULTS, mergeAbove: 1 }))).toEqual(kinds);
  });

  it.each([
    [4, ['BatchMergeUtilityCreated', 'DelegatedHoldingsMerged'], 8],
    [1, [], 11],
  ] as const)(
    'merges up to %i coins, which is the input limit of a transfer, and never merges a single coin',
    (most, kinds, left) => {
      const world = worldOf({ config: taking(most) });
      owner(world, alice, 11);
      expect(settle(world, policy)).toEqual(kinds);
      expect(world.holdings(alice)).toHaveLength(left);
    },
  );

  it("merges an owner's hundred smallest holdings in each call, until one call has merged the rest", () => {
    const world = worldOf();
    owner(world, alice, 115);
    expect(settle(world, policy)).toEqual([
      'BatchMergeUtilityCreated',
      'DelegatedHoldingsMerged',
      'DelegatedHoldingsMerged',
    ]);
    expect(world.coinsOf(alice)).toEqual(['1150.0']);
  });

  it('merges an owner with two delegations once', () => {
    const world = worldOf();
    owner(world, alice, 6);
    owner(world, alice, 6);
    const merged = settle(world, policy);
    expect(merged).toEqual(['BatchMergeUtilityCreated', 'DelegatedHoldingsMerged']);
  });

  it('creates an activity marker in each merge when the provider is featured', () => {
    const world = worldOf();
    world.put({ template: 'FeaturedAppRight', provider });
    owner(world, alice, 11);
    owner(world, bob, 11);
    settle(world, policy);
    const markers = [...allOf(world.state, 'FeaturedAppActivityMarker')].map(({ beneficiary }) => beneficiary);
    expect(markers).toEqual([provider, provider]);
  });

  it('merges for at most `callsPerBatch` owners in one command', () => {
    const world = worldOf();
    const owners = Array.from({ length: 5 }, (_, i) => PartyId.of(`owner-${i}`));
    for (const party of owners) owner(world, party, 3);
    const small = mergeDelegatedHoldings(provider, { ...MERGE_DEFAULTS, mergeAbove: 2, callsPerBatch: 2 });
    expect(settle(world, small)).toEqual([
      'BatchMergeUtilityCreated',
      'DelegatedHoldingsMerged',
      'DelegatedHoldingsMerged',
      'DelegatedHoldingsMerged',
    ]);
  });
});

describe('a minting delegate', () => {
  const policy = mintForBeneficiaries(provider);

  function delegate(world: World, amuletMergeLimit: number, expiresAt = second(3600)): ContractId {
    return world.put({
      template: 'MintingDelegation',
      beneficiary: alice,
      delegate: provider,
      expiresAt,
      amuletMergeLimit,
    });
  }

  it.each([
    [1, 10, 0],
    [19, 10, 0],
    [20, 10, 11],
    [25, 10, 16],
    [2, 1, 2],
    [1, 1, 0],
    [1, 0, 0],
    [2, 0, 2],
  ])('with %i coins and a merge limit of %i merges %i of them', (coins, limit, merged) => {
    expect(coinsToMerge(coins, limit)).toBe(merged);
  });

  it('merges the smallest coins down to the limit', () => {
    const world = worldOf();
    delegate(world, 3);
    world.fundEach(alice, ['6', '5', '4', '3', '2']);
    expect(settle(world, policy)).toEqual([]);
    world.fund(alice, '1');
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary']);
    expect(world.coinsOf(alice)).toEqual(['6.0', '5.0', '10.0']);
  });

  it('mints all mintable rewards, coupons before grants', () => {
    const world = worldOf();
    delegate(world, 10);
    issuingRound(world, 7);
    const [app] = appCoupons(world, alice, 7, ['1']);
    const live = world.put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round: 7 as never });
    world.put({ template: 'ValidatorRight', user: bob, validator: alice });
    const user = world.put({ template: 'ValidatorRewardCoupon', user: bob, amount: amount('4'), round: 7 as never });
    world.put({ template: 'SvRewardCoupon', sv: bob, beneficiary: alice, round: 7 as never, weight: 1 });
    const grant = world.put({
      template: 'UnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('8'),
      reason: 'late',
      expiresAt: second(60),
    });
    expect(policy(world.state, world.now).map(({ command }) => 'inputs' in command && command.inputs)).toEqual([
      [live, user, app, grant],
    ]);
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary']);
    expect(world.coinsOf(alice)).toEqual(['24.0']);
  });

  it('puts rewards before coins, and consumes at most the inputs that one transfer allows', () => {
    const world = worldOf();
    delegate(world, 1);
    issuingRound(world, 7);
    appCoupons(
      world,
      alice,
      7,
      Array.from({ length: 90 }, () => '1'),
    );
    world.fundEach(
      alice,
      Array.from({ length: 30 }, () => '1'),
    );
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary', 'MintedForBeneficiary']);
    expect(world.coinsOf(alice)).toEqual(['210.0']);
  });

  it('mints a single reward or a single grant without merging a coin', () => {
    const world = worldOf();
    delegate(world, 10);
    issuingRound(world, 7);
    appCoupons(world, alice, 7, ['1']);
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary']);
    world.put({
      template: 'UnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('8'),
      reason: 'late',
      expiresAt: second(60),
    });
    expect(settle(world, policy)).toEqual(['MintedForBeneficiary']);
    expect(world.coinsOf(alice)).toEqual(['2.0', '8.0']);
  });

  it('merges nothing when a transfer may consume only one input', () => {
    const world = worldOf({ config: taking(1) });
    delegate(world, 1);
    world.fundEach(alice, ['1', '2']);
    expect(policy(world.state, world.now)).toEqual([]);
  });

  it('uses the first unexpired delegation', () => {
    const world = worldOf();
    delegate(world, 1, second(60));
    const used = delegate(world, 2, second(120));
    world.fundEach(alice, ['1', '1', '1', '1']);
    world.at(second(60));
    expect(policy(world.state, world.now).map(({ command }) => 'delegation' in command && command.delegation)).toEqual([
      used,
    ]);
    world.at(second(120));
    expect(settle(world, policy)).toEqual([]);
  });

  it('removes expired delegations and proposals', () => {
    const world = worldOf();
    delegate(world, 1, second(60));
    delegate(world, 1, second(61));
    world.put({
      template: 'MintingDelegationProposal',
      beneficiary: alice,
      delegate: provider,
      expiresAt: second(60),
      amuletMergeLimit: 1,
    });
    world.at(second(64));
    const expire = expireMintingDelegations(provider, grace);
    expect(settle(world, expire)).toEqual([]);
    world.at(second(65));
    expect(settle(world, expire)).toEqual(['MintingDelegationProposalRejected', 'MintingDelegationRejected']);
  });

  it('does not accept a proposal in which it is the beneficiary, not the delegate', () => {
    const world = worldOf();
    world.put({
      template: 'MintingDelegationProposal',
      beneficiary: provider,
      delegate: bob,
      expiresAt: second(60),
      amuletMergeLimit: 1,
    });
    world.at(second(65));
    expect(settle(world, expireMintingDelegations(provider, grace))).toEqual([]);
    expect(settle(world, expireMintingDelegations(bob, grace))).toEqual(['MintingDelegationProposalRejected']);
  });
});

describe('the delegate of an external party', () => {
  const policy = sendTransferCommands(provider);

  function preapprove(world: World): void {
    world.put({
      template: 'TransferPreapproval',
      receiver: bob,
      provider,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt: second(3600),
    });
  }

  it('executes commands in the order of their nonces once their counter exists', () => {
    const world = worldOf();
    preapprove(world);
    world.fundEach(alice, ['7', '8']);
    order(world, 1);
    order(world, 0);
    order(world, 3);
    expect(settle(world, policy)).toEqual([]);
    expect(settle(world, createCounters)).toEqual(['TransferCommandCounterCreated']);
    expect(settle(world, policy)).toEqual(['TransferCommandSent', 'TransferCommandSent']);
    expect([world.coinsOf(alice), world.coinsOf(bob)]).toEqual([['5.0'], ['5.0', '5.0']]);
  });

  it('executes commands with a spent nonce or a receiver without a preapproval, and records their failure', () => {
    const world = worldOf();
    world.fund(alice, '20');
    order(world, 0);
    order(world, 0);
    settle(world, createCounters);
    expect(settle(world, policy)).toEqual(['TransferCommandFailed', 'TransferCommandFailed']);
    expect(world.coinsOf(alice)).toEqual(['20.0']);
  });

  it.each([
    ['feeless', ['TransferCommandFailed']],
    ['feeless-24h', []],
  ] as const)('handles a sender without enough coin as the profile %s requires', (profile, kinds) => {
    const world = worldOf({ profile });
    preapprove(world);
    world.fundEach(alice, ['1', '2']);
    order(world, 0);
    settle(world, createCounters);
    expect(settle(world, policy)).toEqual(kinds);
  });

  it('spends app coupons but no other coupons', () => {
    const world = worldOf();
    preapprove(world);
    issuingRound(world, 7);
    appCoupons(world, alice, 7, ['2']);
    world.put({ template: 'ValidatorLivenessActivityRecord', validator: alice, round: 7 as never });
    world.fund(alice, '1');
    order(world, 0);
    settle(world, createCounters);
    expect(settle(world, policy)).toEqual(['TransferCommandSent']);
    expect([...allOf(world.state, 'ValidatorLivenessActivityRecord')]).toHaveLength(1);
  });

  it('removes expired commands', () => {
    const world = worldOf();
    order(world, 0);
    settle(world, createCounters);
    world.at(second(600));
    expect(settle(world, policy)).toEqual([]);
    expect(settle(world, expireTransferCommands(provider, grace))).toEqual([]);
    world.at(second(605));
    expect(settle(world, expireTransferCommands(provider, grace))).toEqual(['TransferCommandExpired']);
  });
});
