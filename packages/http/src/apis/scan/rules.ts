import type { Api } from '../../request.js';
import { allOf } from '@coinlab/core/views';
import { rulesOf } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { maybeCached, maybeCachedSchema } from '../../wire/contract.js';
import type { NetworkContract } from '../../wire/templates.js';
import { SCAN, type RegisterShared, type ScanMount } from './mount.js';

export const registerScanRules: Register<LedgerView> = (api, ledger) => {
  const rules = { api, ledger, mount: SCAN };
  registerRules({
    ...rules,
    names: ['amulet-rules', 'AmuletRules', 'amulet_rules'],
    find: () => rulesOf(ledger.state),
  });
  registerRules({
    ...rules,
    names: ['external-party-amulet-rules', 'ExternalPartyAmuletRules', 'external_party_amulet_rules'],
    find: () => first(allOf(ledger.state, 'ExternalPartyAmuletRules')),
  });

  const text = z.string();
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/splice-instance-names',
      operationId: 'getSpliceInstanceNames',
      summary: 'Get the display names of the network',
      tags: ['scan'],
      responses: {
        200: answer(
          'The display names of the network, the coin and the name service.',
          z
            .object({
              network_name: text,
              network_favicon_url: text,
              amulet_name: text,
              amulet_name_acronym: text,
              name_service_name: text,
              name_service_name_acronym: text,
            })
            .openapi('GetSpliceInstanceNamesResponse'),
        ),
      },
    }),
    (c) => c.json(INSTANCE_NAMES, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/feature-support',
      operationId: 'featureSupport',
      summary: 'Get the supported features',
      tags: ['scan'],
      responses: {
        200: answer(
          'The optional features that scan and the wallet support. Both APIs share this path here.',
          z
            .object({
              dummy: z.boolean(),
              token_standard: z.boolean(),
              transfer_preapproval_description: z.boolean(),
            })
            .openapi('FeatureSupportResponse'),
        ),
      },
    }),
    (c) => c.json({ dummy: false, token_standard: true, transfer_preapproval_description: true }, 200),
  );
};

/** Clients show these names. Assumption: A-83. */
const INSTANCE_NAMES = {
  network_name: 'Splice',
  network_favicon_url: 'https://www.hyperledger.org/hubfs/hyperledgerfavicon.png',
  amulet_name: 'Amulet',
  amulet_name_acronym: 'AMT',
  name_service_name: 'Amulet Name Service',
  name_service_name_acronym: 'ANS',
};

export const registerScanAnsRules: RegisterShared = (api, ledger, mount) => {
  registerRules({
    api,
    ledger,
    mount,
    names: ['ans-rules', 'AnsRules', 'ans_rules'],
    find: () => first(allOf(ledger.state, 'AnsRules')),
  });
};

function registerRules(rules: {
  readonly api: Api;
  readonly ledger: LedgerView;
  readonly mount: ScanMount;
  readonly names: readonly [path: string, operation: string, field: string];
  readonly find: () => NetworkContract | null;
}): void {
  const { api, ledger, mount, find } = rules;
  const [path, operation, field] = rules.names;
  const cachedId = `cached_${field}_contract_id`;
  const update = `${field}_update`;
  api.openapi(
    createRoute({
      method: 'post',
      path: `${mount.prefix}/${path}`,
      operationId: mount.operation(`get${operation}`),
      summary: `Get the ${operation} contract`,
      ...mount.declared,
      request: jsonBody(
        z
          .object({ [cachedId]: z.string().optional(), [`cached_${field}_domain_id`]: z.string().optional() })
          .openapi(`Get${operation}Request`),
      ),
      responses: {
        200: answer(
          "The contract and its synchronizer. The contract is omitted if the caller's cached version is current.",
          z.object({ [update]: maybeCachedSchema }).openapi(`Get${operation}Response`),
        ),
        ...mount.refusals,
        ...problems(400, 500),
      },
    }),
    async (c) => {
      // The parser reads an empty body as an empty object.
      if ((await c.req.text()) === '') throw new Problem(400, 'body: expected a JSON object, which may be empty');
      const contract = find();
      if (!contract) throw new Problem(500, `the network has no ${operation} yet`);
      return c.json({ [update]: maybeCached(contract, c.req.valid('json')[cachedId], ledger) }, 200);
    },
  );
}

function first<Contract>(contracts: Iterable<Contract>): Contract | null {
  for (const contract of contracts) return contract;
  return null;
}
