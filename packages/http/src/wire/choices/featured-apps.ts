import type { Beneficiary } from '@coinlab/core/rules';
import { choice, type Choice } from './choice.js';
import { decimal, list, party, record, unit } from './daml.js';

interface Activity {
  readonly beneficiaries: readonly Beneficiary[];
}

export const beneficiaries = list(record<Beneficiary>({ beneficiary: party, weight: decimal }));

export const featuredAppChoices: readonly Choice[] = [
  choice({
    on: '#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight',
    template: 'FeaturedAppRight',
    name: 'FeaturedAppRight_CreateActivityMarker',
    isConsuming: false,
    argument: record<Activity>({ beneficiaries }),
    commands: ['CreateActivityMarker'],
    command(argument, site) {
      const { provider } = site.contract('FeaturedAppRight', site.target);
      return { type: 'CreateActivityMarker', provider, beneficiaries: argument.beneficiaries };
    },
    // An update of markers does not name the right.
    records: {},
  }),
  choice({
    on: '#splice-amulet:Splice.Amulet:FeaturedAppRight',
    template: 'FeaturedAppRight',
    name: 'FeaturedAppRight_Cancel',
    isConsuming: true,
    argument: unit,
    commands: ['CancelFeaturedAppRight'],
    command: (_, { target }) => ({ type: 'CancelFeaturedAppRight', right: target }),
    records: {
      FeaturedAppRightCancelled: ({ detail: { right } }) => ({ contract: right, argument: {}, result: {} }),
    },
  }),
];
