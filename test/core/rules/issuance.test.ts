import { Amount, Duration, genesisConfig } from '@coinlab/core';
import { issuanceFigures, type Issuance, type RoundTotals } from '@coinlab/core/rules';
import type { IssuanceConfig } from '@coinlab/core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../ledger-fixture.ts';

const tick = Duration.seconds(600);

const nothing: RoundTotals = {
  validatorRewards: Amount.zero,
  featuredAppRewards: Amount.zero,
  unfeaturedAppRewards: Amount.zero,
  svWeight: 0,
  livenessRecords: 0,
};

/** The issuance of the first half year, without a development fund. */
const genesis: IssuanceConfig = {
  ...(genesisConfig('feeless').issuanceCurve[0]?.issuance as IssuanceConfig),
  developmentFundPercentage: Amount.zero,
};

function totals(validator: string, featured: string, unfeatured: string, svWeight: number, livenessRecords: number) {
  return {
    validatorRewards: amount(validator),
    featuredAppRewards: amount(featured),
    unfeaturedAppRewards: amount(unfeatured),
    svWeight,
    livenessRecords,
  };
}

function shown(issuance: Issuance): Record<string, string> {
  const { figures, ...rest } = issuance;
  return Object.fromEntries(
    Object.entries({ ...rest, ...figures }).map(([name, value]) => [name, Amount.short(value)]),
  );
}

describe('the issuance of a round', () => {
  it('equals the first worked vector of the specification, digit for digit', () => {
    const issued = issuanceFigures(totals('1000', '500', '200', 100, 10), genesis, amount('0.005'), tick);
    expect(shown(issued)).toEqual({
      toIssue: '761035.0076103501',
      developmentFund: '0.0',
      perValidatorRewardCoupon: '0.2',
      perValidatorFaucetCoupon: '570.0',
      perUnfeaturedAppRewardCoupon: '0.6',
      perFeaturedAppRewardCoupon: '100.0',
      perSvRewardCoupon: '6088.2800608828',
      unclaimedValidatorRewards: '32151.7503805175',
      unclaimedAppRewards: '64035.2511415525',
      unclaimedSvRewards: '0.0000000001',
    });
  });

  it('equals the second worked vector of the specification, digit for digit', () => {
    const config = genesisConfig('feeless').issuanceCurve[1]?.issuance as IssuanceConfig;
    const issued = issuanceFigures(totals('5000', '2000', '0', 500, 100), config, amount('0.15'), tick);
    expect(shown(issued)).toEqual({
      toIssue: '361491.6286149162',
      developmentFund: '19025.8751902588',
      perValidatorRewardCoupon: '0.2',
      perValidatorFaucetCoupon: '19.0',
      perUnfeaturedAppRewardCoupon: '0.6',
      perFeaturedAppRewardCoupon: '72.298325723',
      perSvRewardCoupon: '347.0319634703',
      unclaimedValidatorRewards: '40478.9954337899',
      unclaimedAppRewards: '0.0',
      unclaimedSvRewards: '0.0000000098',
    });
    const coupon = amount('6.6666666667');
    expect(Amount.short(Amount.mul(coupon, issued.figures.perFeaturedAppRewardCoupon))).toBe('481.9888381557');
    expect(Amount.short(Amount.mul(coupon, issued.figures.perUnfeaturedAppRewardCoupon))).toBe('4.0');
  });

  it('has the caps as payouts when there are no coupons, and leaves everything unclaimed', () => {
    const issued = issuanceFigures(nothing, genesis, amount('0.005'), tick);
    expect(shown(issued)).toMatchObject({
      perValidatorRewardCoupon: '0.2',
      perValidatorFaucetCoupon: '570.0',
      perUnfeaturedAppRewardCoupon: '0.6',
      perFeaturedAppRewardCoupon: '100.0',
      perSvRewardCoupon: '608828.0060882801',
      unclaimedSvRewards: '608828.0060882801',
    });
    const unclaimed = [issued.unclaimedValidatorRewards, issued.unclaimedAppRewards, issued.unclaimedSvRewards];
    expect(Amount.sum(unclaimed)).toBe(issued.toIssue);
  });

  it.each([
    ['a liveness cap of zero', { validatorFaucetCapUsd: Amount.zero }, totals('0', '0', '0', 0, 10)],
    ['a validator cap of zero', { validatorRewardCap: Amount.zero }, totals('1000', '0', '0', 0, 0)],
    ['validator coupons too few to count', {}, totals('0.0000000002', '0', '0', 0, 0)],
  ])('pays zero under %s, instead of dividing by zero', (_, change, recorded) => {
    const issued = issuanceFigures(recorded, { ...genesis, ...change }, amount('0.005'), tick);
    const { perValidatorFaucetCoupon, perValidatorRewardCoupon } = issued.figures;
    expect(recorded.livenessRecords > 0 ? perValidatorFaucetCoupon : perValidatorRewardCoupon).toBe(0n);
    expect(Amount.short(issued.unclaimedValidatorRewards)).toBe('38051.7503805175');
  });

  it('pays featured coupons at least the unfeatured payout when their cap is lower', () => {
    const config = { ...genesis, featuredAppRewardCap: amount('0.5') };
    const { figures } = issuanceFigures(totals('0', '500', '200', 0, 0), config, amount('0.005'), tick);
    expect(figures.perFeaturedAppRewardCoupon).toBe(figures.perUnfeaturedAppRewardCoupon);
  });

  it('leaves zero for super validators when the other shares sum to one', () => {
    const halves = { validatorRewardPercentage: amount('0.5'), appRewardPercentage: amount('0.5') };
    // Three units of 10⁻¹⁰ a round: both halves round up to two.
    const config = { ...genesis, ...halves, amuletToIssuePerYear: amount('0.000015768') };
    const issued = issuanceFigures(totals('0', '0', '0', 1, 0), config, amount('1'), tick);
    expect(issued.toIssue).toBe(3n);
    expect(issued.figures.perSvRewardCoupon).toBe(0n);
  });

  it('sums payouts and unclaimed coin to the issued coin, up to rounding', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 17n }).map((value) => Amount.ofUnits(value));
    const share = fc.integer({ min: 0, max: 100 }).map((percent) => amount((percent / 100).toFixed(2)));
    fc.assert(
      fc.property(
        units,
        units,
        units,
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        share,
        share,
        (validatorRewards, featuredAppRewards, unfeaturedAppRewards, svWeight, livenessRecords, part, fund) => {
          const recorded = { validatorRewards, featuredAppRewards, unfeaturedAppRewards, svWeight, livenessRecords };
          const config = {
            ...genesis,
            validatorRewardPercentage: part,
            appRewardPercentage: Amount.sub(Amount.one, part),
            developmentFundPercentage: fund,
          };
          const { figures, ...issued } = issuanceFigures(recorded, config, amount('0.15'), tick);
          const payable = Amount.sum([
            Amount.mul(figures.perValidatorRewardCoupon, validatorRewards),
            Amount.times(figures.perValidatorFaucetCoupon, livenessRecords),
            Amount.mul(figures.perUnfeaturedAppRewardCoupon, unfeaturedAppRewards),
            Amount.mul(figures.perFeaturedAppRewardCoupon, featuredAppRewards),
            Amount.times(figures.perSvRewardCoupon, svWeight),
          ]);
          const unclaimed = [issued.unclaimedValidatorRewards, issued.unclaimedAppRewards, issued.unclaimedSvRewards];
          const coupons = Amount.sum([validatorRewards, featuredAppRewards, unfeaturedAppRewards]);
          const counted = Amount.ceil(coupons) + BigInt(svWeight + livenessRecords + 10);
          const difference = payable + Amount.sum(unclaimed) - issued.toIssue;
          expect(difference <= counted && difference >= -counted).toBe(true);
          expect(payable <= issued.toIssue + counted).toBe(true);
          expect(figures.perFeaturedAppRewardCoupon >= figures.perUnfeaturedAppRewardCoupon).toBe(true);
        },
      ),
    );
  });
});
