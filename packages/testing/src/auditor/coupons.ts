import type { Contract, ContractOf } from '@coinlab/core';

export type Coupon = ContractOf<
  | 'AppRewardCoupon'
  | 'ValidatorRewardCoupon'
  | 'SvRewardCoupon'
  | 'ValidatorLivenessActivityRecord'
  | 'ValidatorFaucetCoupon'
  | 'UnclaimedActivityRecord'
  | 'DevelopmentFundCoupon'
>;

const COUPONS: Readonly<Record<Coupon['template'], true>> = {
  AppRewardCoupon: true,
  ValidatorRewardCoupon: true,
  SvRewardCoupon: true,
  ValidatorLivenessActivityRecord: true,
  ValidatorFaucetCoupon: true,
  UnclaimedActivityRecord: true,
  DevelopmentFundCoupon: true,
};

export function isCoupon(contract: Contract): contract is Coupon {
  return Object.hasOwn(COUPONS, contract.template);
}
