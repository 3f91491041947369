import { rulesOf } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../app.js';
import { Problem, problems } from '../../gates/problem.js';
import { answer } from '../../route-parts.js';
import { stateOf } from '../../server-context.js';
import { contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import { registerScanDso } from './dso.js';
import { registerScanFeaturedApp } from './featured-apps.js';
import { registerScanHoldingsSummary } from './holdings-summary.js';
import { registerScanLookups } from './lookups.js';
import { SCAN_PROXY } from './mount.js';
import { registerScanNames } from './names.js';
import { roundsOf } from './rounds.js';
import { registerScanAnsRules } from './scan.js';

/**
 * What the validator's users ask of scan through their validator: any valid token, which a guard asks for.
 * Source: specification of the API §7.7.
 */
export const registerScanProxy: Register = (api, server) => {
  const rounds = z.array(contractWithStateSchema);
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/scan-proxy/amulet-rules',
      operationId: SCAN_PROXY.operation('getAmuletRules'),
      ...SCAN_PROXY.declared,
      responses: {
        200: answer(
          'The rules of the coin.',
          z.object({ amulet_rules: contractWithStateSchema }).openapi('GetAmuletRulesProxyResponse'),
        ),
        ...SCAN_PROXY.refusals,
        ...problems(500),
      },
    }),
    (c) => {
      const rules = rulesOf(stateOf(server));
      if (!rules) throw new Problem(500, 'the network has no AmuletRules yet');
      return c.json({ amulet_rules: contractWithState(rules, server) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/scan-proxy/open-and-issuing-mining-rounds',
      operationId: SCAN_PROXY.operation('getOpenAndIssuingMiningRounds'),
      ...SCAN_PROXY.declared,
      responses: {
        200: answer(
          'Every open and issuing round, oldest first.',
          z
            .object({ open_mining_rounds: rounds, issuing_mining_rounds: rounds })
            .openapi('GetOpenAndIssuingMiningRoundsProxyResponse'),
        ),
        ...SCAN_PROXY.refusals,
      },
    }),
    (c) => {
      const listed = (phase: 'open' | 'issuing'): z.output<typeof rounds> =>
        roundsOf(server, phase).map(({ contract }) => contractWithState(contract, server));
      return c.json({ open_mining_rounds: listed('open'), issuing_mining_rounds: listed('issuing') }, 200);
    },
  );
  registerScanDso(api, server, SCAN_PROXY);
  registerScanAnsRules(api, server, SCAN_PROXY);
  registerScanFeaturedApp(api, server, SCAN_PROXY);
  registerScanLookups(api, server, SCAN_PROXY);
  registerScanNames(api, server, SCAN_PROXY);
  registerScanHoldingsSummary(api, server, SCAN_PROXY);
};
