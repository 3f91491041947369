import { Amount, Duration, Instant, type PartyId, type Round } from '@coinlab/core';
import { dso, provider } from '../cast.js';
import type { Draw } from '../draw.js';
import type { RecipesOf } from '../recipe.js';

export const validators: RecipesOf<
  | 'GrantValidatorLicense'
  | 'RecordValidatorLivenessActivity'
  | 'ReceiveFaucetCoupon'
  | 'UpdateLicenseMetadata'
  | 'ReportActive'
  | 'WithdrawValidatorLicense'
  | 'CancelValidatorLicense'
  | 'GrantFeaturedAppRight'
  | 'SelfGrantFeaturedAppRight'
  | 'WithdrawFeaturedAppRight'
  | 'CancelFeaturedAppRight'
  | 'CreateActivityMarker'
  | 'ConvertActivityMarkers'
  | 'CreateValidatorRight'
  | 'ArchiveValidatorRight'
> = {
  GrantValidatorLicense: {
    weight: 0.7,
    draw: (d) => ({
      command: {
        type: 'GrantValidatorLicense',
        validator: d.party(),
        sponsor: d.sv(),
        ...(d.dice.chance(30) ? { version: d.text(), contactPoint: d.text() } : {}),
      },
      actAs: [dso],
    }),
  },

  RecordValidatorLivenessActivity: {
    weight: 2,
    needs: ['ValidatorLicense'],
    draw: (d) => {
      const { validator, round } = liveness(d);
      return { command: { type: 'RecordValidatorLivenessActivity', validator, ...round }, actAs: [validator] };
    },
  },

  ReceiveFaucetCoupon: {
    weight: 0.7,
    needs: ['ValidatorLicense'],
    draw: (d) => {
      const { validator, round } = liveness(d);
      return { command: { type: 'ReceiveFaucetCoupon', validator, ...round }, actAs: [validator] };
    },
  },

  UpdateLicenseMetadata: {
    weight: 0.5,
    needs: ['ValidatorLicense'],
    draw: (d) => {
      const license = d.contract('ValidatorLicense');
      const validator = license?.validator ?? d.party();
      return {
        command: { type: 'UpdateLicenseMetadata', validator, version: d.text(), contactPoint: d.text() },
        actAs: [validator],
        at: d.dice.chance(50) ? d.after(hourAfter(license?.metadata?.lastUpdatedAt)) : d.now,
      };
    },
  },

  ReportActive: {
    weight: 0.5,
    needs: ['ValidatorLicense'],
    draw: (d) => {
      const license = d.contract('ValidatorLicense');
      const validator = license?.validator ?? d.party();
      return {
        command: { type: 'ReportActive', validator },
        actAs: [validator],
        at: d.dice.chance(50) ? d.after(hourAfter(license?.lastActiveAt)) : d.now,
      };
    },
  },

  WithdrawValidatorLicense: {
    weight: 0.3,
    needs: ['ValidatorLicense'],
    draw: (d) => ({
      command: {
        type: 'WithdrawValidatorLicense',
        validator: d.contract('ValidatorLicense')?.validator ?? d.party(),
        reason: d.text(),
      },
      actAs: [dso],
    }),
  },

  CancelValidatorLicense: {
    weight: 0.2,
    needs: ['ValidatorLicense'],
    draw: (d) => {
      const validator = d.contract('ValidatorLicense')?.validator ?? d.party();
      return { command: { type: 'CancelValidatorLicense', validator, reason: d.text() }, actAs: [validator] };
    },
  },

  GrantFeaturedAppRight: {
    weight: 0.4,
    draw: (d) => ({
      command: { type: 'GrantFeaturedAppRight', provider: d.dice.chance(40) ? d.party() : provider },
      actAs: [dso],
    }),
  },

  SelfGrantFeaturedAppRight: {
    weight: 0.4,
    draw: (d) => {
      const app = d.party();
      return { command: { type: 'SelfGrantFeaturedAppRight', provider: app }, actAs: [app] };
    },
  },

  WithdrawFeaturedAppRight: {
    weight: 0.3,
    needs: ['FeaturedAppRight'],
    draw: (d) => ({
      command: { type: 'WithdrawFeaturedAppRight', right: d.ref(d.contract('FeaturedAppRight')), reason: d.text() },
      actAs: [dso],
    }),
  },

  CancelFeaturedAppRight: {
    weight: 0.2,
    needs: ['FeaturedAppRight'],
    draw: (d) => {
      const right = d.contract('FeaturedAppRight');
      return {
        command: { type: 'CancelFeaturedAppRight', right: d.ref(right) },
        actAs: [right?.provider ?? d.party()],
      };
    },
  },

  CreateActivityMarker: {
    weight: 1,
    needs: ['FeaturedAppRight'],
    draw: (d) => {
      const app = d.contract('FeaturedAppRight')?.provider ?? provider;
      return {
        command: {
          type: 'CreateActivityMarker',
          provider: app,
          beneficiaries: d.beneficiaries(app),
          ...(d.dice.chance(30) ? { weight: Amount.of(d.dice.pick(['1', '2.5', '10000', '0.5', '10001'])) } : {}),
        },
        actAs: [app],
      };
    },
  },

  ConvertActivityMarkers: {
    weight: 1,
    needs: ['FeaturedAppActivityMarker'],
    draw: (d) => ({
      command: {
        type: 'ConvertActivityMarkers',
        markers: d.some('FeaturedAppActivityMarker'),
        ...(d.dice.chance(20) ? { round: d.round() } : {}),
      },
      actAs: [dso],
    }),
  },

  CreateValidatorRight: {
    weight: 0.5,
    draw: (d) => {
      const user = d.party();
      const validator = d.dice.chance(30) ? d.party() : provider;
      return { command: { type: 'CreateValidatorRight', user, validator }, actAs: [user, validator] };
    },
  },

  ArchiveValidatorRight: {
    weight: 0.3,
    needs: ['ValidatorRight'],
    draw: (d) => {
      const right = d.contract('ValidatorRight');
      return {
        command: { type: 'ArchiveValidatorRight', right: d.ref(right) },
        actAs: [(d.dice.chance(50) ? right?.user : right?.validator) ?? d.party()],
      };
    },
  },
};

function liveness(d: Draw): { validator: PartyId; round: { round?: Round } } {
  const validator = d.contract('ValidatorLicense')?.validator ?? d.party();
  return { validator, round: d.dice.chance(30) ? { round: d.round() } : {} };
}

function hourAfter(last: Instant | null | undefined): Instant | undefined {
  return last === null || last === undefined ? undefined : Instant.plus(last, Duration.hours(1));
}
