import { Amount, Instant, PROFILE_NAMES, err, ok, type ContractId, type PartyId, type Update } from '@coinlab/core';
import {
  sweep,
  DSO_DEFAULTS,
  habitsOf,
  habitsOfWallet,
  MERGE_DEFAULTS,
  runAutomation,
  runHabits,
  type AutomationConfig,
  type Cadence,
  type Driver,
  type Habit,
  type ValidatorAutomation,
} from '@coinlab/automation';
import { busyNetwork, cast } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf } from '../core/ledger-fixture.ts';
import { automated, driverOf, sweepTo, TOP_UP } from './automation-fixture.ts';

const validator = automated(provider, [provider, alice], {
  topUp: { ...TOP_UP, targetThroughput: 1000, tap: 'never' },
  sweeps: { [alice]: sweepTo(bob, '30', '10') },
  autoAccept: { [alice]: { fromParties: [bob], instructions: 'all' } },
});
const config: AutomationConfig = {
  dso: null,
  superValidators: [{ sv: carol, beneficiaries: [{ beneficiary: carol, weight: 4 }] }],
  validators: [validator],
  mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS }],
};

const state = worldOf().state;
const namesOf = (habits: readonly Habit[]): readonly string[] =>
  habits.map(({ name, cadence }) => `${cadence}: ${name}`);
const withValidator = (change: Partial<ValidatorAutomation>): readonly string[] =>
  namesOf(habitsOf({ ...config, validators: [{ ...validator, ...change }] }, state));

const OF_PROVIDER = [
  `frequent: top-up of ${provider}`,
  `frequent: liveness of ${provider}`,
  `frequent: transfer commands of ${provider}`,
  `frequent: expired transfer commands of ${provider}`,
  `frequent: preapproval proposals of ${provider}`,
  `frequent: preapproval renewal of ${provider}`,
  `frequent: merge proposals of ${provider}`,
];
const ofWallet = (party: string): readonly string[] => [
  ...(party === alice ? [`frequent: auto-accept of ${party}`] : []),
  `frequent: offers of ${party}`,
  `frequent: traffic requests of ${party}`,
  `frequent: expired offers of ${party}`,
  `frequent: expired delegations of ${party}`,
  `rewards: delegated minting of ${party}`,
  `frequent: names of ${party}`,
  `rewards: collection of ${party}`,
  ...(party === alice ? [`frequent: sweep of ${party}`] : []),
];
const WHOLE = [
  `frequent: rewards of ${carol}`,
  ...OF_PROVIDER,
  ...ofWallet(provider),
  ...ofWallet(alice),
  `merges: merges of ${provider}`,
];

describe('the automation habits of a configuration', () => {
  it('run in a fixed order, the DSO’s first', () => {
    expect(namesOf(habitsOf(config, state))).toEqual(WHOLE);
    const routines = namesOf(habitsOf({ ...config, dso: DSO_DEFAULTS }, state));
    expect(routines.slice(-WHOLE.length)).toEqual(WHOLE);
    expect(routines.length).toBeGreaterThan(WHOLE.length + 10);
    for (const name of routines) expect(name).toMatch(/^(frequent|rewards|merges): ./);
    // Each can be asked at any time.
    for (const { policy } of habitsOf({ ...config, dso: DSO_DEFAULTS }, state))
      for (const at of [state.time, second(100_000)]) expect(Array.isArray(policy(state, at))).toBe(true);
  });

  it.each<[string, Partial<ValidatorAutomation>, readonly RegExp[]]>([
    ['top-up', { topUp: null }, [/top-up/]],
    ['liveness', { recordsLiveness: false }, [/liveness/]],
    ['transfer commands', { sendsTransferCommands: false }, [/transfer commands/]],
    ['preapprovals', { preapprovals: null }, [/preapproval/]],
    ['merge proposals', { acceptsMergeDelegations: false }, [/merge proposals/]],
    ['offers', { completesOffers: false }, [/: offers/, /expired offers/, /traffic requests/]],
    ['delegated minting', { mintsByDelegation: false }, [/delegat/]],
    ['names', { renewsNames: false }, [/names/]],
    ['collection', { collectsRewards: false }, [/collection/]],
    ['sweeps', { sweeps: {} }, [/sweep/]],
    ['auto-accept', { autoAccept: {} }, [/auto-accept/]],
    ['wallets', { wallets: [provider] }, [new RegExp(`of ${alice}`)]],
  ])('omit only the habit %s when it is switched off', (_, change, gone) => {
    expect(withValidator(change)).toEqual(WHOLE.filter((name) => !gone.some((each) => each.test(name))));
  });

  it('cover every wallet of the configured validators on the ledger, unless the configuration lists wallets', () => {
    const world = worldOf();
    const onboard = (at: typeof provider, endUser: typeof alice): void => {
      world.submit(
        { type: 'OnboardUser', validator: at, endUserName: endUser.split('::')[0] ?? '', endUser },
        at,
        endUser,
      );
    };
    onboard(provider, alice);
    onboard(provider, bob);
    onboard(carol, dso);
    onboard(carol, provider);
    const habits = habitsOf({ ...config, validators: [{ ...validator, wallets: null }] }, world.state);
    const wallets = habits.flatMap(({ name }) => /^collection of (.*)/.exec(name)?.[1] ?? []);
    expect(wallets).toEqual([provider, alice, bob]);
    expect(namesOf(habitsOfWallet(alice, validator))).toEqual(ofWallet(alice));
  });
});

describe('a run of automation', () => {
  const world = worldOf().at(second(605));
  const all: AutomationConfig = { dso: DSO_DEFAULTS, superValidators: [], validators: [], mergeOperators: [] };

  it('runs every habit of the given cadence', () => {
    expect(runAutomation(driverOf(world), all, world.now, ['merges'])).toEqual({ accepted: [], refused: [] });
    const { accepted, refused } = runAutomation(driverOf(world), all, world.now);
    expect(accepted.map(({ kind }) => kind)).toEqual(['RoundsAdvanced', 'IssuingStarted']);
    expect(refused).toEqual([]);
  });
});

describe('repeated turns of automation', () => {
  const habit = (name: string, answers: string[][], cadence: Cadence = 'frequent'): Habit => ({
    name,
    cadence,
    policy: () =>
      (answers.shift() ?? []).map((outcome) => ({
        command: { type: 'CreateTopUpState', validator: provider, synchronizerId: 's', memberId: `${name} ${outcome}` },
        actAs: [provider],
      })) as never,
  });
  /** A driver that takes down what is asked, and refuses what calls itself refused. */
  function recorder(): { readonly driver: Driver; readonly asked: string[] } {
    const asked: string[] = [];
    const driver: Driver = {
      state,
      submit(command, { now, actAs }) {
        const { memberId } = command as { readonly memberId: string };
        const happened = { kind: memberId } as unknown as Update;
        asked.push(`${memberId} ${now - state.time} ${actAs.length}`);
        return memberId.endsWith('refused')
          ? err({ code: 'NOT_BOOTSTRAPPED' })
          : ok({ update: happened, entry: happened });
      },
    };
    return { driver, asked };
  }

  it('continue until no task is accepted, and report refused tasks', () => {
    const { driver, asked } = recorder();
    const run = runHabits(
      driver,
      [habit('a', [['refused', 'done'], ['done', 'refused'], ['refused'], ['never']]), habit('b', [['done']])],
      second(1),
    );
    expect(asked).toEqual(
      ['a refused', 'a done', 'a done', 'a refused', 'a refused', 'b done'].map((name) => `${name} 1000000 1`),
    );
    expect(run.accepted.map(({ kind }) => kind)).toEqual(['a done', 'a done', 'b done']);
    expect(run.refused.map(({ task, rejection }) => [task.command, rejection])).toEqual(
      Array.from({ length: 3 }, () => [
        expect.objectContaining({ memberId: 'a refused' }),
        { code: 'NOT_BOOTSTRAPPED' },
      ]),
    );
  });

  it('run only the habits of the given cadence, or all habits by default', () => {
    const all = () =>
      (['frequent', 'rewards', 'merges'] as const).map((cadence) => habit(cadence, [['done']], cadence));
    const [whole, some] = [recorder(), recorder()];
    expect(runHabits(whole.driver, all(), state.time).accepted).toHaveLength(3);
    expect(runHabits(some.driver, all(), state.time, ['merges', 'frequent']).accepted.map(({ kind }) => kind)).toEqual([
      'frequent done',
      'merges done',
    ]);
  });
});

describe('before any round has opened', () => {
  it.each(PROFILE_NAMES)('returns no task in the profile %s', (profile) => {
    const network = busyNetwork(profile).state;
    const everybody = [cast.provider, ...cast.people, cast.external.party];
    const all: AutomationConfig = {
      dso: null,
      superValidators: cast.founders.map((sv) => ({ sv, beneficiaries: [{ beneficiary: sv, weight: 1 }] })),
      mergeOperators: [{ operator: cast.provider, ...MERGE_DEFAULTS, mergeAbove: 1 }],
      validators: [{ ...validator, validator: cast.provider, wallets: everybody, autoAccept: {}, sweeps: {} }],
    };
    const swept = everybody.map((party): Habit => {
      const to = { receiver: cast.dso, maxBalanceUSD: Amount.zero, minBalanceUSD: Amount.zero };
      return {
        name: 'sweep',
        cadence: 'frequent',
        policy: sweep(party, { ...to, useTransferPreapproval: false }, 'public'),
      };
    });
    const tasksAt = (at: Instant): readonly string[] =>
      [...habitsOf(all, network), ...swept].flatMap(({ policy }) =>
        policy(network, at).map(({ command }) => command.type),
      );
    expect(new Set(tasksAt(Instant.ofMicros(0n)))).toEqual(new Set(['CreateTopUpState']));
    expect(new Set(tasksAt(network.time))).toEqual(
      new Set([
        'BatchMergeHoldings',
        'CompleteWalletOffer',
        'CreateTopUpState',
        'CreateWalletOffer',
        'MergeHoldings',
        'MintForBeneficiary',
        'ReceiveSvRewardCoupon',
        'RecordValidatorLivenessActivity',
        'SendTransferCommand',
      ]),
    );
  });
});

describe('a validator without traffic or coin to buy more', () => {
  it('accepts offers to its users, and does not pay their own offers', () => {
    const world = worldOf({ amuletPrice: amount('0.005') });
    world.fund(alice, '5');
    const offer = (sender: PartyId, receiver: PartyId): ContractId =>
      world.accepted(
        'WalletOfferCreated',
        {
          type: 'CreateWalletOffer',
          sender,
          receiver,
          amount: amount('1'),
          unit: 'coin',
          expiresAt: second(600),
          trackingId: 'T1',
          description: '',
        },
        sender,
      ).detail.offer;
    offer(bob, provider);
    world.submit({ type: 'AcceptWalletOffer', offer: offer(alice, bob) }, bob);
    const { memberId } = validator;
    world.submit({ type: 'CreateTopUpState', validator: provider, memberId }, provider);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 400_000 }, dso);
    const accepting = {
      ...validator,
      autoAccept: { [provider]: { fromParties: [bob], instructions: 'none' } },
    } as const;
    const busy = (change: Partial<ValidatorAutomation>): readonly string[] =>
      [provider, alice]
        .flatMap((party) => habitsOfWallet(party, { ...accepting, ...change }))
        .filter(({ policy }) => policy(world.state, world.now).length > 0)
        .map(({ name }) => name);
    expect(busy({})).toEqual([`auto-accept of ${provider}`]);
    expect(busy({ topUp: null })).toEqual([`auto-accept of ${provider}`, `offers of ${alice}`]);
  });

  it('runs only habits that bring it coin, unless its top-ups are switched off', () => {
    const world = worldOf({ amuletPrice: amount('0.005') });
    // Two coins each to merge.
    for (const party of [provider, alice]) world.fundEach(party, ['1', '2']);
    const { memberId } = validator;
    world.submit({ type: 'CreateTopUpState', validator: provider, memberId }, provider);
    world.submit({ type: 'ConsumeTraffic', memberId, bytes: 400_000 }, dso);
    const busy = (change: Partial<ValidatorAutomation>): readonly string[] =>
      habitsOf(
        { ...config, mergeOperators: [], superValidators: [], validators: [{ ...validator, ...change }] },
        world.state,
      )
        .filter(({ policy }) => policy(world.state, world.now).length > 0)
        .map(({ name }) => name);
    expect(busy({})).toEqual([`collection of ${provider}`]);
    expect(busy({ topUp: null })).toEqual([`collection of ${provider}`, `collection of ${alice}`]);
  });
});
