import type { Contract } from '../../contracts/contract.js';
import { isCoupon } from '../../rules/coupons.js';
import { rulesOf, settingsOf } from '../../contracts/state.js';
import { featuredRightOf } from '../../rules/preapproval.js';
import { dsoRulesOf, superValidatorOf } from '../../rules/super-majority.js';
import type { Step } from '../law.js';
import { archivedIn, archivedOf, type StepOf } from '../touched.js';
import { archived, byDso, byDsoOrSv, dsoOf, dsoOrSv, type Consents, type Group } from './consent.js';

const byLicensed = {
  controllers: (step: Step): readonly Group[] => [[archivedOf(step, 'ValidatorLicense')[0]?.validator]],
  exercised: (step: Step): readonly (Contract | null)[] => archived(step, 'ValidatorLicense'),
};

const bySv = {
  controllers: ({ before, update }: StepOf<'SvRewardCouponsReceived' | 'AmuletPriceVoted'>): readonly Group[] => {
    const rules = dsoRulesOf(before);
    return [[(rules && superValidatorOf(rules, update.detail.sv)?.party) ?? undefined]];
  },
  throughRules: true,
} as const;

/** By whose authority rewards are recorded, issued and expired. Source: specification §3.6 to §3.10, §3.19, §6. */
export const rewardConsents: Consents = {
  IssuingStarted: byDsoOrSv,
  RoundClosed: byDsoOrSv,
  RoundArchived: byDsoOrSv,

  ExpiredRewardsClaimed: {
    controllers: dsoOrSv,
    exercised: (step) => archivedIn(step).filter(isCoupon),
    throughRules: true,
  },
  UnclaimedRewardsMerged: byDsoOrSv,
  ActivityRecordAllocated: byDso,
  ActivityRecordExpired: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'UnclaimedActivityRecord'),
  },

  DevelopmentFundCouponGranted: {
    controllers: ({ before }) => [[rulesOf(before)?.config.developmentFundManager ?? undefined]],
    throughRules: true,
  },
  DevelopmentFundCouponWithdrawn: {
    controllers: (step) => [[archivedOf(step, 'DevelopmentFundCoupon')[0]?.fundManager]],
    exercised: (step) => archived(step, 'DevelopmentFundCoupon'),
  },
  DevelopmentFundCouponRejected: {
    controllers: (step) => [[archivedOf(step, 'DevelopmentFundCoupon')[0]?.beneficiary]],
    exercised: (step) => archived(step, 'DevelopmentFundCoupon'),
  },
  DevelopmentFundCouponExpired: {
    controllers: dsoOrSv,
    exercised: (step) => archived(step, 'DevelopmentFundCoupon'),
  },
  DevelopmentFundMerged: byDsoOrSv,

  ValidatorLicenseGranted: byDso,
  LivenessRecorded: byLicensed,
  FaucetCouponReceived: byLicensed,
  LicenseMetadataUpdated: byLicensed,
  ActivityReported: byLicensed,
  ValidatorLicenseWithdrawn: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'ValidatorLicense'),
  },
  ValidatorLicenseCancelled: byLicensed,

  FeaturedAppRightGranted: {
    // On a DevNet providers feature themselves.
    controllers: (step) => [
      [dsoOf(step)],
      ...(settingsOf(step.before).isDevNet ? [[step.update.detail.provider]] : []),
    ],
    throughRules: true,
  },
  FeaturedAppRightWithdrawn: {
    controllers: (step) => [[dsoOf(step)]],
    exercised: (step) => archived(step, 'FeaturedAppRight'),
  },
  FeaturedAppRightCancelled: {
    controllers: (step) => [[archivedOf(step, 'FeaturedAppRight')[0]?.provider]],
    exercised: (step) => archived(step, 'FeaturedAppRight'),
  },
  ActivityMarkersCreated: {
    controllers: ({ update }) => [[update.detail.provider]],
    exercised: ({ before, update }) => [featuredRightOf(before, update.detail.provider)],
  },
  ActivityMarkersConverted: byDsoOrSv,

  ValidatorRightCreated: { controllers: ({ update }) => [[update.detail.user, update.detail.validator]] },
  ValidatorRightArchived: {
    controllers: (step) => {
      const [right] = archivedOf(step, 'ValidatorRight');
      return [[right?.user], [right?.validator]];
    },
    exercised: (step) => archived(step, 'ValidatorRight'),
  },

  SvRewardCouponsReceived: bySv,
  AmuletPriceVoted: bySv,
};
