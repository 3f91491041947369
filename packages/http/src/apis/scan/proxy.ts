import { rulesOf } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import { registerScanDso } from './dso.js';
import { registerScanFeaturedApp } from './featured-apps.js';
import { registerScanHoldingsSummary } from './holdings-summary.js';
import { registerScanLookups } from './lookups.js';
import { SCAN_PROXY } from './mount.js';
import { registerScanNames } from './ans-entries.js';
import { roundsOf } from './rounds/rounds.js';
import { registerScanAnsRules } from './rules.js';

export const registerScanProxy: Register<LedgerView> = (api, ledger) => {
  const rounds = z.array(contractWithStateSchema);
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/scan-proxy/amulet-rules',
      operationId: SCAN_PROXY.operation('getAmuletRules'),
      summary: 'Get the AmuletRules contract',
      ...SCAN_PROXY.declared,
      responses: {
        200: answer(
          'The AmuletRules contract.',
          z.object({ amulet_rules: contractWithStateSchema }).openapi('GetAmuletRulesProxyResponse'),
        ),
        ...SCAN_PROXY.refusals,
        ...problems(500),
      },
    }),
    (c) => {
      const rules = rulesOf(ledger.state);
      if (!rules) throw new Problem(500, 'the network has no AmuletRules yet');
      return c.json({ amulet_rules: contractWithState(rules, ledger) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/scan-proxy/open-and-issuing-mining-rounds',
      operationId: SCAN_PROXY.operation('getOpenAndIssuingMiningRounds'),
      summary: 'List open and issuing rounds',
      ...SCAN_PROXY.declared,
      responses: {
        200: answer(
          'All open and issuing rounds, oldest first.',
          z
            .object({ open_mining_rounds: rounds, issuing_mining_rounds: rounds })
            .openapi('GetOpenAndIssuingMiningRoundsProxyResponse'),
        ),
        ...SCAN_PROXY.refusals,
      },
    }),
    (c) => {
      const listed = (phase: 'open' | 'issuing'): z.output<typeof rounds> =>
        roundsOf(ledger, phase).map(({ contract }) => contractWithState(contract, ledger));
      return c.json({ open_mining_rounds: listed('open'), issuing_mining_rounds: listed('issuing') }, 200);
    },
  );
  registerScanDso(api, ledger, SCAN_PROXY);
  registerScanAnsRules(api, ledger, SCAN_PROXY);
  registerScanFeaturedApp(api, ledger, SCAN_PROXY);
  registerScanLookups(api, ledger, SCAN_PROXY);
  registerScanNames(api, ledger, SCAN_PROXY);
  registerScanHoldingsSummary(api, ledger, SCAN_PROXY);
};
