import { ContractId, contractsOf, type LedgerState, type PartyId } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { featuredRightOf } from '@coinlab/core/rules';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, emptyBody, WALLET } from '../../route-parts.js';
import { type LedgerAccess, submit } from '../../gates/submit.js';
import { walletOf } from '../../gates/caller.js';
import { createdIn } from './requests.js';
import { contractOf, contractSchema } from '../../wire/contract.js';
import type { NetworkContract } from '../../wire/templates.js';
import { cidText } from '../../wire/values.js';

const MOST_COUPONS = 1000;

const declared = { tags: ['wallet'], security: WALLET };

const LISTS: readonly (readonly [
  path: string,
  key: string,
  operationId: string,
  schema: string,
  list: (state: LedgerState, party: PartyId) => Iterable<NetworkContract>,
])[] = [
  ['app-reward-coupons', 'app_reward_coupons', 'listAppRewardCoupons', 'ListAppRewardCouponsResponse', appCoupons],
  [
    'validator-reward-coupons',
    'validator_reward_coupons',
    'listValidatorRewardCoupons',
    'ListValidatorRewardCouponsResponse',
    validatorCoupons,
  ],
  [
    'validator-faucet-coupons',
    'validator_faucet_coupons',
    'listValidatorFaucetCoupons',
    'ListValidatorFaucetCouponsResponse',
    (state, party) => contractsOf(state, 'ValidatorFaucetCoupon', party),
  ],
  [
    'validator-liveness-activity-records',
    'validator_liveness_activity_records',
    'listValidatorLivenessActivityRecords',
    'ListValidatorLivenessActivityRecordsResponse',
    (state, party) => contractsOf(state, 'ValidatorLivenessActivityRecord', party),
  ],
  ['sv-reward-coupons', 'sv_reward_coupons', 'listSvRewardCoupons', 'ListSvRewardCouponsResponse', svCoupons],
];

export const registerRewardCoupons: Register<LedgerAccess> = (api, server) => {
  for (const [name, key, operationId, schema, list] of LISTS) {
    const path = `/v0/wallet/${name}`;
    api.openapi(
      createRoute({
        method: 'get',
        path,
        operationId,
        summary: `List the wallet's ${name.replaceAll('-', ' ')}`,
        ...declared,
        responses: {
          200: answer('The 1,000 oldest coupons.', z.object({ [key]: z.array(contractSchema) }).openapi(schema)),
          ...problems(401, 404),
        },
      }),
      (c) => {
        const { party } = walletOf(c);
        const coupons: NetworkContract[] = [];
        for (const coupon of list(server.state, party)) {
          coupons.push(coupon);
          if (coupons.length === MOST_COUPONS) break;
        }
        return c.json({ [key]: coupons.map((coupon) => contractOf(coupon, server)) }, 200);
      },
    );
  }

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/wallet/self-grant-feature-app-right',
      operationId: 'selfGrantFeatureAppRight',
      summary: 'Grant yourself a featured app right',
      ...declared,
      responses: {
        200: answer(
          'The featured app right. A repeated call returns the existing right.',
          z.object({ contract_id: cidText }).openapi('SelfGrantFeaturedAppRightResponse'),
        ),
        ...problems(400, 401, 404, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const existing = featuredRightOf(server.state, party);
      if (existing) return c.json({ contract_id: ContractId.format(existing.id) }, 200);
      const update = await submit(server, { type: 'SelfGrantFeaturedAppRight', provider: party }, party);
      return c.json({ contract_id: ContractId.format(createdIn(update, 'FeaturedAppRight')) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'delete',
      path: '/v0/wallet/cancel-featured-app-rights',
      operationId: 'cancelFeaturedAppRights',
      summary: 'Cancel your featured app rights',
      ...declared,
      responses: {
        200: answer("The wallet's party has no featured app right.", emptyBody),
        ...problems(401, 404, 409, 429, 503),
      },
    }),
    async (c) => {
      const { party } = walletOf(c);
      const right = featuredRightOf(server.state, party);
      if (right) await submit(server, { type: 'CancelFeaturedAppRight', right: right.id }, party);
      return c.json({}, 200);
    },
  );
};

function* appCoupons(state: LedgerState, party: PartyId): Generator<NetworkContract, void, undefined> {
  for (const coupon of contractsOf(state, 'AppRewardCoupon', party))
    if ((coupon.beneficiary ?? coupon.provider) === party) yield coupon;
}

function* validatorCoupons(state: LedgerState, party: PartyId): Generator<NetworkContract, void, undefined> {
  for (const { user } of contractsByKey(state, 'ValidatorRight', `validator:${party}`))
    for (const coupon of contractsOf(state, 'ValidatorRewardCoupon', user)) if (coupon.user === user) yield coupon;
}

function* svCoupons(state: LedgerState, party: PartyId): Generator<NetworkContract, void, undefined> {
  for (const coupon of contractsOf(state, 'SvRewardCoupon', party)) if (coupon.beneficiary === party) yield coupon;
}
