import { allOf } from '@coinlab/core/views';
import {
  Amount,
  COMMAND_TYPES,
  Duration,
  emptyLedger,
  genesis,
  genesisConfig,
  GENESIS_TIME,
  Instant,
  openLedger,
  PROFILES,
  PROFILE_NAMES,
  rulesOf,
  settingsOf,
  type AmuletConfig,
  type Command,
  type OpenOptions,
  type PartyId,
  type ProfileName,
  type RuleProfile,
} from '@coinlab/core';
import { stakeholdersOf, type TransferConfig } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, dso, second, worldOf } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type OpenLedger = Extract<Command, { type: 'OpenLedger' }>;

const opening = (fields: Partial<OpenLedger> = {}, profile: ProfileName = 'feeless'): OpenLedger => ({
  type: 'OpenLedger',
  dso,
  isDevNet: true,
  seed: 1,
  profile: PROFILES[profile],
  config: genesisConfig(profile),
  ...fields,
});
const context = { now: GENESIS_TIME, actAs: [dso] };

describe('opening a ledger', () => {
  it.each(PROFILE_NAMES)('records the rules and every number of the profile %s', (profile) => {
    const ledger = openLedger({ profile });
    expect(settingsOf(ledger.state)).toMatchObject({ dso, isDevNet: true, seed: 1, profile: PROFILES[profile] });
    expect(rulesOf(ledger.state)).toMatchObject({ isDevNet: true, config: genesisConfig(profile) });
    expect(ledger.updates().map(({ kind }) => kind)).toEqual(['LedgerOpened', 'RoundsBootstrapped']);
  });

  it('uses the profile feeless, a price of 0.005 USD and a time in 2026 by default', () => {
    const { state } = openLedger();
    expect(settingsOf(state).profile.name).toBe('feeless');
    expect(state.time).toBe(Instant.of('2026-01-01T00:00:00Z'));
  });

  it('overrides single rules and settings', () => {
    const { state } = openLedger({
      rules: { dustAtEquality: true },
      config: { tickDuration: Duration.seconds(60) },
      isDevNet: false,
    });
    expect(settingsOf(state).profile).toEqual({ ...PROFILES.feeless, dustAtEquality: true });
    expect(rulesOf(state)).toMatchObject({ isDevNet: false, config: { tickDuration: Duration.seconds(60) } });
  });

  it('creates the only factory of registry transfers, signed by the DSO alone', () => {
    const { state } = openLedger();
    const [factory, ...more] = allOf(state, 'ExternalPartyAmuletRules');
    expect(more).toEqual([]);
    expect(factory).toMatchObject({ template: 'ExternalPartyAmuletRules' });
    expect(factory && stakeholdersOf(factory, dso)).toEqual([dso]);
  });

  it('gives the rules and the factory the same ids for any options', () => {
    const first = openLedger({ seed: 1 }).state;
    const second = openLedger({ seed: 2, at: Instant.of('2027-06-01T00:00:00Z'), amuletPrice: Amount.of('0.1') }).state;
    expect(rulesOf(second)?.id).toBe(rulesOf(first)?.id);
    expect([...allOf(second, 'ExternalPartyAmuletRules')]).toEqual([...allOf(first, 'ExternalPartyAmuletRules')]);
  });

  it('must be the first command', () => {
    const commands = COMMAND_TYPES.filter((type) => type !== 'OpenLedger');
    for (const type of commands)
      expect(emptyLedger().check({ type } as unknown as Command, context)).toEqual({ code: 'NOT_BOOTSTRAPPED' });
  });

  it('throws an error for options that break a rule', () => {
    expect(() => openLedger({ amuletPrice: Amount.zero })).toThrow('NON_POSITIVE_AMOUNT');
    expect(() => openLedger({ seed: -1 })).toThrow('seed');
  });

  it.each([
    ['not a whole number', 1.5],
    ['negative', -1],
    ['above 32 bits', 2 ** 32],
  ])('refuses a seed that is %s', (_, seed) => {
    expect(emptyLedger().check(opening({ seed }), context)).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'seed' });
  });

  it('is refused before 1970', () => {
    const at = (time: string) => emptyLedger().check(opening(), { now: Instant.of(time), actAs: [dso] });
    expect(at('1969-12-31T23:59:59.999999Z')).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'now' });
    expect(at('1970-01-01T00:00:00Z')).toBeNull();
  });

  interface Plan {
    readonly open: boolean;
    readonly now: Instant;
    readonly actAs: readonly PartyId[];
    readonly fields: Partial<OpenLedger>;
  }
  precedence<Plan>(
    { open: false, now: second(1), actAs: [dso], fields: {} },
    [
      ['TIME_IN_PAST', { now: second(-1), open: true }],
      ['NOT_AUTHORISED', { actAs: [alice] }],
      ['ALREADY_EXISTS', { open: true }],
      ['INVALID_ARGUMENT', { fields: { seed: -1 } }],
    ],
    (code, { open, now, actAs, fields }) => {
      const ledger = open ? worldOf().ledger : emptyLedger();
      expect(ledger.check(opening(fields), { now, actAs })?.code).toBe(code);
    },
  );
});

describe('a configuration', () => {
  const a = amount;
  const transfer = (fields: Partial<TransferConfig>, profile: ProfileName = 'feeless'): Partial<AmuletConfig> => ({
    transferConfigUsd: { ...genesisConfig(profile).transferConfigUsd, ...fields },
  });
  const issuance = (fields: object): Partial<AmuletConfig> => {
    const [first, ...rest] = genesisConfig('feeless').issuanceCurve;
    return { issuanceCurve: [{ from: Duration.hours(0), issuance: { ...first!.issuance, ...fields } }, ...rest] }; // a genesis has five segments
  };
  const traffic = (fields: object): Partial<AmuletConfig> => ({
    traffic: { ...genesisConfig('feeless').traffic, ...fields },
  });
  const curve = genesisConfig('feeless').issuanceCurve;

  it.each<[string, string, Partial<AmuletConfig>, ProfileName]>([
    [
      'a legacy create fee is zero',
      'transferConfigUsd.createFee',
      transfer({ createFee: a('0') }, 'legacy-fees'),
      'legacy-fees',
    ],
    ['a create fee is negative', 'transferConfigUsd.createFee', transfer({ createFee: a('-1') }), 'feeless'],
    ['a 24-hour create fee is not zero', 'transferConfigUsd.createFee', transfer({ createFee: a('1') }), 'feeless-24h'],
    [
      'a 24-hour lock holder fee is not zero',
      'transferConfigUsd.lockHolderFee',
      transfer({ lockHolderFee: a('1') }),
      'feeless-24h',
    ],
    [
      'a legacy lock holder fee is zero',
      'transferConfigUsd.lockHolderFee',
      transfer({ lockHolderFee: a('0') }, 'legacy-fees'),
      'legacy-fees',
    ],
    ['the holding fee is zero', 'transferConfigUsd.holdingFee', transfer({ holdingFee: a('0') }), 'feeless'],
    [
      'a rate is above 1',
      'transferConfigUsd.transferFeeInitialRate',
      transfer({ transferFeeInitialRate: a('1.1') }),
      'feeless',
    ],
    [
      'a 24-hour rate is not zero',
      'transferConfigUsd.transferFeeInitialRate',
      transfer({ transferFeeInitialRate: a('0.1') }),
      'feeless-24h',
    ],
    [
      'a first step is at zero',
      'transferConfigUsd.transferFeeSteps[0].from',
      transfer({ transferFeeSteps: [{ from: a('0'), rate: a('0') }] }),
      'feeless',
    ],
    [
      'steps do not ascend',
      'transferConfigUsd.transferFeeSteps[1].from',
      transfer({
        transferFeeSteps: [
          { from: a('2'), rate: a('0') },
          { from: a('2'), rate: a('0') },
        ],
      }),
      'feeless',
    ],
    [
      'a step has a negative rate',
      'transferConfigUsd.transferFeeSteps[0].rate',
      transfer({ transferFeeSteps: [{ from: a('2'), rate: a('-0.1') }] }),
      'feeless',
    ],
    [
      'the featured reward is negative',
      'transferConfigUsd.extraFeaturedAppRewardAmount',
      transfer({ extraFeaturedAppRewardAmount: a('-1') }),
      'feeless',
    ],
    [
      'the 24-hour rewards differ',
      'transferConfigUsd.extraFeaturedAppRewardAmount',
      transfer({ extraFeaturedAppRewardAmount: a('2') }),
      'feeless-24h',
    ],
    ['no input is allowed', 'transferConfigUsd.maxNumInputs', transfer({ maxNumInputs: 0 }), 'feeless'],
    ['no output is allowed', 'transferConfigUsd.maxNumOutputs', transfer({ maxNumOutputs: 0 }), 'feeless'],
    [
      'fewer than no lock holders are allowed',
      'transferConfigUsd.maxNumLockHolders',
      transfer({ maxNumLockHolders: -1 }),
      'feeless',
    ],
    ['a tick is nothing', 'tickDuration', { tickDuration: Duration.ofMicros(0n) }, 'feeless'],
    [
      'a config tick is nothing',
      'externalPartyConfigStateTickDuration',
      { externalPartyConfigStateTickDuration: Duration.ofMicros(0n) },
      'feeless-24h',
    ],
    ['the issuance curve is empty', 'issuanceCurve[0].from', { issuanceCurve: [] }, 'feeless'],
    ['the issuance curve starts late', 'issuanceCurve[0].from', { issuanceCurve: curve.slice(1) }, 'feeless'],
    [
      'the issuance curve does not ascend',
      'issuanceCurve[2].from',
      { issuanceCurve: [curve[0]!, curve[2]!, curve[1]!] },
      'feeless',
    ],
    [
      'nothing is issued',
      'issuanceCurve[0].issuance.amuletToIssuePerYear',
      issuance({ amuletToIssuePerYear: a('0') }),
      'feeless',
    ],
    [
      'a share is above 1',
      'issuanceCurve[0].issuance.validatorRewardPercentage',
      issuance({ validatorRewardPercentage: a('1.1') }),
      'feeless',
    ],
    [
      'the shares exceed the whole',
      'issuanceCurve[0].issuance.appRewardPercentage',
      issuance({ validatorRewardPercentage: a('0.6'), appRewardPercentage: a('0.6') }),
      'feeless',
    ],
    [
      'a cap is negative',
      'issuanceCurve[0].issuance.validatorFaucetCapUsd',
      issuance({ validatorFaucetCapUsd: a('-1') }),
      'feeless',
    ],
    ['traffic costs nothing', 'traffic.extraTrafficPriceUsd', traffic({ extraTrafficPriceUsd: a('0') }), 'feeless'],
    ['a top-up may be nothing', 'traffic.minTopupBytes', traffic({ minTopupBytes: 0 }), 'feeless'],
    [
      'the active synchronizer is not required',
      'traffic.activeSynchronizer',
      traffic({ requiredSynchronizers: [] }),
      'feeless',
    ],
    [
      'a preapproval has a negative fee',
      'transferPreapprovalFeeUsd',
      { transferPreapprovalFeeUsd: a('-1') },
      'feeless',
    ],
    [
      'a marker has a negative worth',
      'featuredAppActivityMarkerAmountUsd',
      { featuredAppActivityMarkerAmountUsd: a('-1') },
      'feeless',
    ],
  ])('is refused with its field when %s', (_, field, config, profile) => {
    const [open] = genesis({ profile, config });
    expect(emptyLedger().check(open!.command, context)).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });
});

describe('a configuration at a bound', () => {
  const curve = genesisConfig('feeless').issuanceCurve;
  const halves = { validatorRewardPercentage: amount('0.5'), appRewardPercentage: amount('0.5') };
  it.each<[string, OpenOptions]>([
    ['dust judged at the newest round', { rules: { dustRoundsBehindNewest: 0 } }],
    [
      'shares that make up the whole',
      { config: { issuanceCurve: [{ from: Duration.hours(0), issuance: { ...curve[0]!.issuance, ...halves } }] } },
    ],
    ['a free preapproval', { config: { transferPreapprovalFeeUsd: Amount.zero } }],
    ['markers without worth', { config: { featuredAppActivityMarkerAmountUsd: null } }],
    [
      'no lock holders',
      { config: { transferConfigUsd: { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders: 0 } } },
    ],
  ])('is accepted with %s', (_, options) => {
    expect(openLedger(options).state.offset).toBe(2);
  });
});

describe('the rules of a profile', () => {
  it.each<[string, string, Partial<RuleProfile>]>([
    ['dust would be judged in the future', 'profile.dustRoundsBehindNewest', { dustRoundsBehindNewest: -1 }],
    ['a reserve would be negative', 'profile.feeReserveFactor', { feeReserveFactor: -4 }],
  ])('are refused with the field when %s', (_, field, rules) => {
    const [open] = genesis({ rules });
    expect(emptyLedger().check(open!.command, context)).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });
});
