import type { AmuletConfig, IssuanceConfig, TransferConfig } from '../../contracts/amulet-rules.js';
import type { ProfileName, RuleProfile } from '../../contracts/settings.js';
import { Amount } from '../../kernel/amount.js';
import { shown } from '../../kernel/malformed.js';
import type { Rejected } from '../../kernel/rejection.js';
import { Duration } from '../../kernel/time.js';
import { invalid } from '../refusals.js';

type Refusal = Rejected<'INVALID_ARGUMENT'>;

/** Source: specification §2.2, §2.4, §2.5. */
export function refuseConfig(config: AmuletConfig, profile: ProfileName): Refusal | null {
  const { traffic, issuanceCurve } = config;
  return (
    refuseTransferConfig(config.transferConfigUsd, profile) ??
    unless(config.tickDuration > 0n, 'tickDuration', micros(config.tickDuration), 'above zero') ??
    unless(issuanceCurve[0]?.from === 0n, 'issuanceCurve[0].from', micros(issuanceCurve[0]?.from), 'zero') ??
    first(issuanceCurve, ({ from }, i) =>
      unless(
        i === 0 || from > (issuanceCurve[i - 1]?.from ?? 0n),
        `issuanceCurve[${i}].from`,
        micros(from),
        'strictly ascending',
      ),
    ) ??
    first(issuanceCurve, ({ issuance }, i) => refuseIssuance(issuance, `issuanceCurve[${i}].issuance`)) ??
    aboveZero('traffic.extraTrafficPriceUsd', traffic.extraTrafficPriceUsd) ??
    aboveZero('traffic.minTopupBytes', traffic.minTopupBytes) ??
    zeroOrAbove('traffic.burstBytes', traffic.burstBytes) ??
    unless(traffic.burstWindow > 0n, 'traffic.burstWindow', micros(traffic.burstWindow), 'above zero') ??
    zeroOrAbove('traffic.readVsWriteScalingFactor', traffic.readVsWriteScalingFactor) ??
    unless(
      traffic.requiredSynchronizers.includes(traffic.activeSynchronizer),
      'traffic.activeSynchronizer',
      traffic.activeSynchronizer,
      'one of the required synchronizers',
    ) ??
    unless(
      config.externalPartyConfigStateTickDuration > 0n,
      'externalPartyConfigStateTickDuration',
      micros(config.externalPartyConfigStateTickDuration),
      'above zero',
    ) ??
    zeroOrAbove('transferPreapprovalFeeUsd', config.transferPreapprovalFeeUsd) ??
    zeroOrAbove('featuredAppActivityMarkerAmountUsd', config.featuredAppActivityMarkerAmountUsd ?? Amount.zero) ??
    unless(
      profile !== 'feeless-24h' ||
        config.transferConfigUsd.extraFeaturedAppRewardAmount === config.featuredAppActivityMarkerAmountUsd,
      'transferConfigUsd.extraFeaturedAppRewardAmount',
      config.transferConfigUsd.extraFeaturedAppRewardAmount,
      'equal to featuredAppActivityMarkerAmountUsd in feeless-24h',
    )
  );
}

export function refuseRules({ dustRoundsBehindNewest, feeReserveFactor }: RuleProfile): Refusal | null {
  return (
    unless(
      dustRoundsBehindNewest >= 0,
      'profile.dustRoundsBehindNewest',
      dustRoundsBehindNewest,
      'zero or above: dust is not judged by a round that has no contract yet',
    ) ?? zeroOrAbove('profile.feeReserveFactor', feeReserveFactor)
  );
}

function refuseTransferConfig(config: TransferConfig, profile: ProfileName): Refusal | null {
  const fee = (name: 'createFee' | 'lockHolderFee'): Refusal | null => {
    const value = config[name];
    const fits = profile === 'legacy-fees' ? value > 0n : profile === 'feeless-24h' ? value === 0n : value >= 0n;
    return unless(
      fits,
      `transferConfigUsd.${name}`,
      value,
      { 'legacy-fees': 'above zero', feeless: 'zero or above', 'feeless-24h': 'zero' }[profile],
    );
  };
  const isRate = (rate: Amount): boolean =>
    rate >= 0n && rate <= Amount.one && (profile !== 'feeless-24h' || rate === 0n);
  const rateRule = profile === 'feeless-24h' ? 'zero' : 'from 0 to 1';
  const steps = config.transferFeeSteps;
  return (
    fee('createFee') ??
    aboveZero('transferConfigUsd.holdingFee', config.holdingFee) ??
    unless(
      isRate(config.transferFeeInitialRate),
      'transferConfigUsd.transferFeeInitialRate',
      config.transferFeeInitialRate,
      rateRule,
    ) ??
    first(steps, ({ from, rate }, i) => {
      const field = `transferConfigUsd.transferFeeSteps[${i}]`;
      return (
        unless(from > (steps[i - 1]?.from ?? 0n), `${field}.from`, from, 'positive and strictly ascending') ??
        unless(isRate(rate), `${field}.rate`, rate, rateRule)
      );
    }) ??
    fee('lockHolderFee') ??
    zeroOrAbove('transferConfigUsd.extraFeaturedAppRewardAmount', config.extraFeaturedAppRewardAmount) ??
    unless(config.maxNumInputs >= 1, 'transferConfigUsd.maxNumInputs', config.maxNumInputs, 'at least 1') ??
    unless(config.maxNumOutputs >= 1, 'transferConfigUsd.maxNumOutputs', config.maxNumOutputs, 'at least 1') ??
    unless(config.maxNumLockHolders >= 0, 'transferConfigUsd.maxNumLockHolders', config.maxNumLockHolders, 'at least 0')
  );
}

function refuseIssuance(issuance: IssuanceConfig, field: string): Refusal | null {
  const shares = ['validatorRewardPercentage', 'appRewardPercentage', 'developmentFundPercentage'] as const;
  const caps = [
    'validatorRewardCap',
    'featuredAppRewardCap',
    'unfeaturedAppRewardCap',
    'validatorFaucetCapUsd',
  ] as const;
  const total = Amount.add(issuance.validatorRewardPercentage, issuance.appRewardPercentage);
  return (
    aboveZero(`${field}.amuletToIssuePerYear`, issuance.amuletToIssuePerYear) ??
    first(shares, (name) =>
      unless(issuance[name] >= 0n && issuance[name] <= Amount.one, `${field}.${name}`, issuance[name], 'from 0 to 1'),
    ) ??
    unless(total <= Amount.one, `${field}.appRewardPercentage`, total, 'at most 1 together with the validators') ??
    first(caps, (name) => zeroOrAbove(`${field}.${name}`, issuance[name]))
  );
}

function aboveZero(field: string, value: Amount | number): Refusal | null {
  return unless(value > 0, field, value, 'above zero');
}

function zeroOrAbove(field: string, value: Amount | number): Refusal | null {
  return unless(value >= 0, field, value, 'zero or above');
}

function unless(fits: boolean, field: string, value: Shown, expected: string): Refusal | null {
  if (fits) return null;
  return invalid(field, typeof value === 'bigint' ? Amount.short(value) : shown(value), expected);
}

type Shown = Amount | number | string | null | { readonly microseconds: string };

/** Shows a span with its unit, so that it differs from an amount. */
function micros(span: Duration | undefined): Shown {
  return span === undefined ? null : { microseconds: Duration.format(span) };
}

function first<Item>(items: readonly Item[], refuse: (item: Item, index: number) => Refusal | null): Refusal | null {
  for (const [index, item] of items.entries()) {
    const refusal = refuse(item, index);
    if (refusal) return refusal;
  }
  return null;
}
