import {
  Amount,
  Duration,
  emptyLedger,
  genesis,
  genesisConfig,
  type AmuletConfig,
  type ProfileName,
  type Rejection,
} from '@coinlab/core';
import type { IssuanceConfig, TrafficConfig, TransferConfig } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { amount } from '../ledger-fixture.ts';

const unit = Amount.ofUnits(1n);
const below = Amount.ofUnits(-1n);
const aboveOne = amount('1.0000000001');

function refusal(config: Partial<AmuletConfig>, profile: ProfileName = 'feeless'): Rejection | null {
  const [open] = genesis({ profile, config });
  return emptyLedger().check(open!.command, open!.context); // a genesis begins with OpenLedger
}

const transfers = (changes: Partial<TransferConfig>, profile: ProfileName = 'feeless'): Partial<AmuletConfig> => ({
  transferConfigUsd: { ...genesisConfig(profile).transferConfigUsd, ...changes },
});
const traffic = (changes: Partial<TrafficConfig>): Partial<AmuletConfig> => ({
  traffic: { ...genesisConfig('feeless').traffic, ...changes },
});
const curve = (changes: Partial<IssuanceConfig>): Partial<AmuletConfig> => ({
  issuanceCurve: genesisConfig('feeless').issuanceCurve.map(({ from, issuance }) => ({
    from,
    issuance: { ...issuance, ...changes },
  })),
});

const startingAt = (...froms: readonly bigint[]): Partial<AmuletConfig> => {
  const [first] = genesisConfig('feeless').issuanceCurve;
  if (!first) throw new Error('a curve has a first step');
  return { issuanceCurve: froms.map((from) => ({ ...first, from: Duration.ofMicros(from) })) };
};
const issuing = (amuletToIssuePerYear: Amount): Partial<AmuletConfig> => curve({ amuletToIssuePerYear });
const steps = (...froms: readonly bigint[]): Partial<AmuletConfig> =>
  transfers({ transferFeeSteps: froms.map((from) => ({ from: Amount.ofUnits(from), rate: Amount.zero })) });

describe('a configuration', () => {
  it.each<[field: string, last: Partial<AmuletConfig>, first: Partial<AmuletConfig>]>([
    ['traffic.burstBytes', traffic({ burstBytes: 0 }), traffic({ burstBytes: -1 })],
    [
      'traffic.burstWindow',
      traffic({ burstWindow: Duration.ofMicros(1n) }),
      traffic({ burstWindow: Duration.ofMicros(0n) }),
    ],
    [
      'traffic.readVsWriteScalingFactor',
      traffic({ readVsWriteScalingFactor: 0 }),
      traffic({ readVsWriteScalingFactor: -1 }),
    ],
    [
      'transferConfigUsd.extraFeaturedAppRewardAmount',
      transfers({ extraFeaturedAppRewardAmount: Amount.zero }),
      transfers({ extraFeaturedAppRewardAmount: below }),
    ],
    [
      'transferConfigUsd.transferFeeInitialRate',
      transfers({ transferFeeInitialRate: Amount.one }),
      transfers({ transferFeeInitialRate: aboveOne }),
    ],
    [
      'transferConfigUsd.transferFeeSteps[0].rate',
      transfers({ transferFeeSteps: [{ from: unit, rate: Amount.one }] }),
      transfers({ transferFeeSteps: [{ from: unit, rate: aboveOne }] }),
    ],
    ['tickDuration', { tickDuration: Duration.ofMicros(1n) }, { tickDuration: Duration.ofMicros(0n) }],
    ['issuanceCurve[0].from', startingAt(0n), startingAt(1n)],
    ['issuanceCurve[0].from', startingAt(0n), { issuanceCurve: [] }],
    ['issuanceCurve[1].from', startingAt(0n, 1n), startingAt(0n, 0n)],
    ['issuanceCurve[2].from', startingAt(0n, 1n, 2n), startingAt(0n, 2n, 2n)],
    ['issuanceCurve[0].issuance.amuletToIssuePerYear', issuing(unit), issuing(Amount.zero)],
    [
      'issuanceCurve[0].issuance.appRewardPercentage',
      curve({ validatorRewardPercentage: amount('0.4'), appRewardPercentage: amount('0.6') }),
      curve({ validatorRewardPercentage: amount('0.4'), appRewardPercentage: amount('0.6000000001') }),
    ],
    [
      'traffic.extraTrafficPriceUsd',
      traffic({ extraTrafficPriceUsd: unit }),
      traffic({ extraTrafficPriceUsd: Amount.zero }),
    ],
    ['traffic.minTopupBytes', traffic({ minTopupBytes: 1 }), traffic({ minTopupBytes: 0 })],
    [
      'externalPartyConfigStateTickDuration',
      { externalPartyConfigStateTickDuration: Duration.ofMicros(1n) },
      { externalPartyConfigStateTickDuration: Duration.ofMicros(0n) },
    ],
    ['transferPreapprovalFeeUsd', { transferPreapprovalFeeUsd: Amount.zero }, { transferPreapprovalFeeUsd: below }],
    [
      'featuredAppActivityMarkerAmountUsd',
      { featuredAppActivityMarkerAmountUsd: Amount.zero },
      { featuredAppActivityMarkerAmountUsd: below },
    ],
    ['transferConfigUsd.holdingFee', transfers({ holdingFee: unit }), transfers({ holdingFee: Amount.zero })],
    [
      'transferConfigUsd.transferFeeInitialRate',
      transfers({ transferFeeInitialRate: Amount.zero }),
      transfers({ transferFeeInitialRate: below }),
    ],
    ['transferConfigUsd.transferFeeSteps[0].from', steps(1n), steps(0n)],
    ['transferConfigUsd.transferFeeSteps[1].from', steps(1n, 2n), steps(2n, 2n)],
    ['transferConfigUsd.maxNumInputs', transfers({ maxNumInputs: 1 }), transfers({ maxNumInputs: 0 })],
    ['transferConfigUsd.maxNumOutputs', transfers({ maxNumOutputs: 1 }), transfers({ maxNumOutputs: 0 })],
    ['transferConfigUsd.maxNumLockHolders', transfers({ maxNumLockHolders: 0 }), transfers({ maxNumLockHolders: -1 })],
  ])('accepts the field %s at its bound and refuses it beyond', (field, last, first) => {
    expect(refusal(last)).toBeNull();
    expect(refusal(first)).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });

  it.each(['validatorRewardPercentage', 'appRewardPercentage', 'developmentFundPercentage'] as const)(
    'accepts the share %s from 0 to 1 only',
    (name) => {
      const alone = { validatorRewardPercentage: Amount.zero, appRewardPercentage: Amount.zero };
      const field = `issuanceCurve[0].issuance.${name}`;
      for (const share of [Amount.zero, Amount.one]) expect(refusal(curve({ ...alone, [name]: share }))).toBeNull();
      for (const share of [below, aboveOne])
        expect(refusal(curve({ ...alone, [name]: share }))).toMatchObject({ code: 'INVALID_ARGUMENT', field });
    },
  );

  it.each(['validatorRewardCap', 'featuredAppRewardCap', 'unfeaturedAppRewardCap', 'validatorFaucetCapUsd'] as const)(
    'accepts the cap %s at 0 and refuses it below 0',
    (name) => {
      expect(refusal(curve({ [name]: Amount.zero }))).toBeNull();
      expect(refusal(curve({ [name]: below }))).toMatchObject({ field: `issuanceCurve[0].issuance.${name}` });
    },
  );
});

describe('the fixed fees and rates of a profile', () => {
  it.each<[ProfileName, allowed: readonly Amount[], refused: readonly Amount[]]>([
    ['legacy-fees', [unit], [Amount.zero, below]],
    ['feeless', [unit, Amount.zero], [below]],
    ['feeless-24h', [Amount.zero], [unit, below]],
  ])('accept the values that the profile %s allows, and refuse all others', (profile, allowed, refused) => {
    for (const name of ['createFee', 'lockHolderFee'] as const) {
      for (const fee of allowed) expect(refusal(transfers({ [name]: fee }, profile), profile)).toBeNull();
      for (const fee of refused) {
        const heard = refusal(transfers({ [name]: fee }, profile), profile);
        expect(heard).toMatchObject({
          field: `transferConfigUsd.${name}`,
          expected: expect.any(String),
        });
      }
    }
  });

  it.each<[ProfileName, refused: boolean]>([
    ['legacy-fees', false],
    ['feeless', false],
    ['feeless-24h', true],
  ])('a rate above zero is refused in the profile %s: %s', (profile, refused) => {
    const initial = transfers({ transferFeeInitialRate: unit }, profile);
    const later = transfers({ transferFeeSteps: [{ from: unit, rate: unit }] }, profile);
    const none = transfers(
      { transferFeeInitialRate: Amount.zero, transferFeeSteps: [{ from: unit, rate: Amount.zero }] },
      profile,
    );
    expect(refusal(initial, profile) !== null).toBe(refused);
    expect(refusal(later, profile) !== null).toBe(refused);
    expect(refusal(none, profile)).toBeNull();
  });

  it('are refused with the bounds of their profile', () => {
    const expected = (profile: ProfileName) =>
      refusal(transfers({ transferFeeInitialRate: aboveOne }, profile), profile) as { readonly expected: string };
    expect(expected('feeless')).toEqual(expected('legacy-fees'));
    expect(expected('feeless-24h')).toMatchObject({ expected: 'zero' });
    expect(expected('feeless').expected).not.toBe('zero');
  });
});

describe('the featured app reward and the featured app marker', () => {
  const differing = (profile: ProfileName): Partial<AmuletConfig> => ({
    ...transfers({ extraFeaturedAppRewardAmount: amount('1') }, profile),
    featuredAppActivityMarkerAmountUsd: amount('2'),
  });
  it('must be worth the same in feeless-24h, where a provider can earn both', () => {
    expect(refusal(differing('feeless-24h'), 'feeless-24h')).toMatchObject({
      field: 'transferConfigUsd.extraFeaturedAppRewardAmount',
    });
    expect(refusal(differing('feeless'))).toBeNull();
    expect(
      refusal({ ...differing('feeless-24h'), featuredAppActivityMarkerAmountUsd: amount('1') }, 'feeless-24h'),
    ).toBeNull();
  });
});

describe('the rule options of a network', () => {
  it.each(['dustRoundsBehindNewest', 'feeReserveFactor'] as const)('require the option %s to be at least 0', (name) => {
    const opened = (value: number): Rejection | null => {
      const [open] = genesis({ rules: { [name]: value } });
      return emptyLedger().check(open!.command, open!.context); // a genesis begins with OpenLedger
    };
    expect(opened(0)).toBeNull();
    expect(opened(-1)).toMatchObject({ code: 'INVALID_ARGUMENT', field: `profile.${name}` });
  });
});

describe('a configuration value in a refusal', () => {
  it.each<[what: string, config: Partial<AmuletConfig>, value: string]>([
    ['an amount', transfers({ holdingFee: amount('-0.25') }), '-0.25'],
    ['a number', transfers({ maxNumInputs: 0 }), '0'],
    ['a span', { tickDuration: Duration.ofMicros(-5n) }, '{"microseconds":"-5"}'],
    ['a span that is missing', { issuanceCurve: [] }, 'null'],
    ['a text', traffic({ activeSynchronizer: 'elsewhere' }), '"elsewhere"'],
  ])('is shown as text: %s', (_, config, value) => {
    expect(refusal(config)).toMatchObject({ code: 'INVALID_ARGUMENT', value });
  });
});
