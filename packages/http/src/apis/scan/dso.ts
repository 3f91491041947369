import { dsoInfoOf, openRoundsOf } from '@coinlab/core/views';
import { newestUsableRound } from '@coinlab/core/rules';
import { settingsOf } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import { Problem, problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { contractWithState, contractWithStateSchema } from '../../wire/contract.js';
import { partyText } from '../../wire/values.js';
import type { RegisterShared } from './mount.js';

const dsoInfo = z
  .object({
    sv_user: z.string(),
    sv_party_id: partyText,
    dso_party_id: partyText,
    voting_threshold: z.number().int(),
    latest_mining_round: contractWithStateSchema,
    amulet_rules: contractWithStateSchema,
    dso_rules: contractWithStateSchema,
    sv_node_states: z.array(contractWithStateSchema),
    initial_round: z.string().optional(),
  })
  .openapi('GetDsoInfoResponse');

export const registerScanDso: RegisterShared = (api, ledger, mount) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: `${mount.prefix}/dso-party-id`,
      operationId: mount.operation('getDsoPartyId'),
      summary: 'Get the party id of the DSO',
      ...mount.declared,
      responses: {
        200: answer('The party id of the DSO.', z.object({ dso_party_id: partyText }).openapi('GetDsoPartyIdResponse')),
        ...mount.refusals,
      },
    }),
    (c) => c.json({ dso_party_id: settingsOf(ledger.state).dso }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${mount.prefix}/dso`,
      operationId: mount.operation('getDsoInfo'),
      summary: 'Get the DSO, its rules and its members',
      ...mount.declared,
      responses: {
        200: answer('The DSO party, its rules, the current round and the state of every super validator.', dsoInfo),
        ...mount.refusals,
        ...problems(500),
      },
    }),
    (c) => c.json(dsoInfoFor(ledger), 200),
  );
};

function dsoInfoFor(ledger: LedgerView): z.output<typeof dsoInfo> {
  const state = ledger.state;
  const info = dsoInfoOf(state);
  const round = newestUsableRound(state, ledger.now()) ?? openRoundsOf(state)[0];
  const [sv] = info?.dsoRules.svs ?? [];
  if (!info?.amuletRules || !round || !sv) throw new Problem(500, 'the DSO has not been founded yet');
  const initialRound = initialRoundOf(ledger);
  return {
    sv_user: sv.name,
    sv_party_id: sv.party,
    dso_party_id: info.dso,
    voting_threshold: info.votesRequired,
    latest_mining_round: contractWithState(round, ledger),
    amulet_rules: contractWithState(info.amuletRules, ledger),
    dso_rules: contractWithState(info.dsoRules, ledger),
    sv_node_states: [],
    ...(initialRound === null ? {} : { initial_round: String(initialRound) }),
  };
}

/** The update after the genesis bootstraps the rounds. */
function initialRoundOf({ history }: LedgerView): number | null {
  const bootstrap = history.head < 2 ? null : history.updateAt(2);
  const [oldest] = bootstrap?.created.filter(({ template }) => template === 'OpenMiningRound') ?? [];
  return oldest?.template === 'OpenMiningRound' ? oldest.round : null;
}
