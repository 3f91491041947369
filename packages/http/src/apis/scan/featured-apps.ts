import { allOf, contractsByKey } from '@coinlab/core/views';
import { featuredRightOf } from '@coinlab/core/rules';
import { find } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { contractOf, contractSchema, contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import type { NetworkContract } from '../../wire/templates.js';
import { contractIdOrNull, partyName } from '../../wire/values.js';
import type { RegisterShared } from './mount.js';

const rights = z.object({ featured_apps: z.array(contractSchema) }).openapi('ListFeaturedAppRightsResponse');
const right = z.object({ featured_app_right: contractSchema.optional() }).openapi('LookupFeaturedAppRightResponse');
const ofProvider = { params: z.object({ provider_party_id: partyName }) };

export const registerScanFeaturedApps: Register<LedgerView> = (api, ledger) => {
  const listed = (contracts: Iterable<NetworkContract>): z.output<typeof rights> => ({
    featured_apps: Array.from(contracts, (contract) => contractOf(contract, ledger)),
  });
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/featured-apps',
      operationId: 'listFeaturedAppRights',
      summary: 'List all featured app rights',
      tags: ['scan'],
      responses: { 200: answer('All featured app rights, oldest first.', rights) },
    }),
    (c) => c.json(listed(allOf(ledger.state, 'FeaturedAppRight')), 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/featured-apps/by-provider/{provider_party_id}',
      operationId: 'listFeaturedAppRightsByProvider',
      summary: 'List the featured app rights of a provider',
      tags: ['scan'],
      request: ofProvider,
      responses: { 200: answer("The provider's featured app rights.", rights) },
    }),
    (c) => {
      const { provider_party_id } = c.req.valid('param');
      return c.json(listed(contractsByKey(ledger.state, 'FeaturedAppRight', provider_party_id)), 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/featured-apps/by-contract-id/{contract_id}',
      operationId: 'lookupFeaturedAppRightByContractId',
      summary: 'Get a featured app right by contract id',
      tags: ['scan'],
      request: { params: z.object({ contract_id: z.string() }) },
      responses: { 200: answer('The featured app right, or an empty object if it does not exist.', right) },
    }),
    (c) => {
      const id = contractIdOrNull(c.req.valid('param').contract_id);
      const found = id === null ? null : find(ledger.state, 'FeaturedAppRight', id);
      return c.json(found ? { featured_app_right: contractOf(found, ledger) } : {}, 200);
    },
  );
};

export const registerScanFeaturedApp: RegisterShared = (api, ledger, mount) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${mount.prefix}/featured-apps/{provider_party_id}`,
      operationId: mount.operation('lookupFeaturedAppRight'),
      summary: 'Get the featured app right of a provider',
      ...mount.declared,
      request: ofProvider,
      responses: {
        200: answer("The provider's featured app right, or an empty object if it has none.", right),
        ...mount.refusals,
      },
    }),
    (c) => {
      const found = featuredRightOf(ledger.state, c.req.valid('param').provider_party_id);
      return c.json(found ? { featured_app_right: contractOf(found, ledger) } : {}, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${mount.prefix}/unclaimed-development-fund-coupons`,
      operationId: mount.operation('listUnclaimedDevelopmentFundCoupons'),
      summary: 'List unclaimed coupons of the development fund',
      ...mount.declared,
      responses: {
        200: answer(
          'Coupons of the development fund that are not yet allocated.',
          z
            .object({ 'unclaimed-development-fund-coupons': z.array(contractWithStateSchema) })
            .openapi('ListUnclaimedDevelopmentFundCouponsResponse'),
        ),
        ...mount.refusals,
        ...problems(500),
      },
    }),
    (c) => {
      const coupons = allOf(ledger.state, 'UnclaimedDevelopmentFundCoupon');
      const listed = Array.from(coupons, (coupon) => contractWithState(coupon, ledger));
      return c.json({ 'unclaimed-development-fund-coupons': listed }, 200);
    },
  );
};
