import {
  balanceOf,
  contractsOf,
  countOf,
  Duration,
  Instant,
  PartyId,
  updateOf,
  type ProfileName,
  type Update,
} from '@coinlab/core';
import { DSO_DEFAULTS, habitsOf, MERGE_DEFAULTS, runAutomation, type AutomationConfig } from '@coinlab/automation';
import { openRoundsOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { amount, carol, dso, provider, worldOf, type World } from '../core/ledger-fixture.ts';
import { automated, driverOf, found, sweepTo, TOP_UP } from './automation-fixture.ts';

const users = Array.from({ length: 5 }, (_, i) => PartyId.of(`user-${i}`));
const [payer, payee, hoarder, merchant, saver] = users as [PartyId, PartyId, PartyId, PartyId, PartyId];

const config: AutomationConfig = {
  dso: DSO_DEFAULTS,
  superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: saver, weight: 4 }] }],
  validators: [
    automated(provider, null, {
      topUp: { ...TOP_UP, targetThroughput: 1000 },
      sweeps: { [merchant]: sweepTo(saver, '30', '10') },
      autoAccept: {
        [saver]: { fromParties: [merchant], instructions: 'wallet' },
        [payee]: { fromParties: [payer], instructions: 'all' },
      },
    }),
  ],
  mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS }],
};

/** A small network: one super validator, one featured validator with five users. */
function network(profile: ProfileName): World {
  const world = worldOf({ profile, amuletPrice: amount('0.5') });
  found(world, carol);
  world.submit({ type: 'GrantValidatorLicense', validator: provider, sponsor: carol }, dso);
  world.submit({ type: 'GrantFeaturedAppRight', provider }, dso);
  for (const endUser of users) {
    const endUserName = PartyId.hint(endUser);
    world.submit({ type: 'OnboardUser', validator: provider, endUserName, endUser }, provider, endUser);
  }
  world.fundEach(payer, ['1000', '500']);
  world.fund(provider, '100');
  world.submit({ type: 'ProposePreapproval', receiver: merchant, provider }, merchant);
  world.submit({ type: 'ProposeMergeDelegation', owner: hoarder, operator: provider }, hoarder);
  for (const { id } of contractsOf(world.state, 'MergeDelegationProposal', provider)) {
    world.submit({ type: 'AcceptMergeDelegation', proposal: id }, provider);
  }
  return world;
}

function act(world: World, step: number): void {
  const pay = world.holdings(payer).map(({ id }) => id);
  const executeBefore = Instant.plus(world.now, Duration.minutes(step % 3 === 0 ? 1 : 30));
  if (step % 4 === 0 && pay.length > 0) {
    const terms = { sender: payer, receiver: merchant, amount: amount('10'), inputs: pay };
    world.submit({ type: 'DirectTransfer', ...terms }, payer);
  } else if (step % 4 === 1 && pay.length > 0) {
    const receiver = step % 3 === 0 ? hoarder : payee;
    const terms = { sender: payer, receiver, amount: amount('3'), inputs: pay, executeBefore };
    world.submit({ type: 'CreateOffer', ...terms }, payer);
  } else if (step % 4 === 2) {
    world.submit(
      {
        type: 'CreateWalletOffer',
        sender: payer,
        // Who accepts is paid a little and promised too much; the other lets its offers expire.
        receiver: step % 16 === 14 ? hoarder : payee,
        amount: amount(step % 8 === 2 ? '1' : '100000'),
        unit: 'usd',
        expiresAt: executeBefore,
        trackingId: `T${step}`,
        description: '',
      },
      payer,
    );
  } else world.fund(hoarder, '0.5');
}

/** Runs everything that runs by itself until nothing has anything more to do. */
function settle(world: World): readonly Update[] {
  const updates: Update[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const { accepted, refused } = runAutomation(driverOf(world), config, world.now);
    expect(refused).toEqual([]);
    updates.push(...accepted.map(updateOf));
    if (accepted.length === 0) return updates;
  }
  throw new Error('automation goes on and on');
}

describe('automation', () => {
  it.each<ProfileName>(['legacy-fees', 'feeless', 'feeless-24h'])(
    'keeps a network running in the profile %s without a refused task, and has no task left after each step',
    (profile) => {
      const world = network(profile);
      const kinds = new Set<string>(settle(world).map(({ kind }) => kind));
      for (let step = 0; step < 60; step++) {
        world.wait(120);
        act(world, step);
        for (const { kind } of settle(world)) kinds.add(kind);
        for (const { policy } of habitsOf(config, world.state)) expect(policy(world.state, world.now)).toEqual([]);
      }
      expect([...kinds]).toEqual(
        expect.arrayContaining([
          'RoundsAdvanced',
          'IssuingStarted',
          'RoundClosed',
          'RoundArchived',
          'LivenessRecorded',
          'SvRewardCouponsReceived',
          'HoldingsMerged',
          'TrafficToppedUp',
          'PreapprovalCreated',
          'WalletOfferCreated',
          'WalletOfferAccepted',
          'WalletOfferCompleted',
          'WalletOfferAborted',
          'WalletOfferExpired',
          'TransferAccepted',
        ]),
      );
      expect(kinds.has('TransferExpired')).toBe(profile !== 'legacy-fees');
      expect(openRoundsOf(world.state)[0]?.round).toBeGreaterThanOrEqual(9);
      for (const user of users) expect(countOf(world.state, user)).toBeLessThanOrEqual(1);
      // The super validator's beneficiary has minted, and its sweeper has paid it.
      expect(balanceOf(world.state, saver).total).toBeGreaterThan(amount('1000000'));
    },
    60_000,
  );

  it('returns the same tasks for the same state', () => {
    const world = network('feeless');
    world.wait(700);
    const forks = [world.fork(), world.fork()].map((fork) => {
      settle(fork);
      return fork.ledger.hash();
    });
    expect(forks[0]).toBe(forks[1]);
  });

  it('runs the given cadence only', () => {
    const world = network('feeless');
    world.fundEach(
      hoarder,
      Array.from({ length: 12 }, () => '1'),
    );
    const run = (cadence: 'frequent' | 'rewards' | 'merges') =>
      runAutomation(driverOf(world), config, world.now, [cadence]).accepted.map(({ kind }) => kind);
    run('frequent');
    expect(countOf(world.state, hoarder)).toBe(12);
    expect(run('merges')).toEqual(['BatchMergeUtilityCreated', 'DelegatedHoldingsMerged']);
    expect(countOf(world.state, hoarder)).toBe(1);
    expect(new Set(run('rewards'))).toEqual(new Set(['HoldingsMerged']));
  });
});
