import { ContractId, Instant, rulesOf } from '@coinlab/core';
import { earliestAdvance } from '@coinlab/core/rules';
import { roundStandingsOf, type RoundStanding } from '@coinlab/core/views';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../../request.js';
import { problems } from '../../../problem.js';
import { answer, jsonBody } from '../../../route-parts.js';
import type { LedgerView } from '../../../history/ledger-view.js';
import { contractOf, contractSchema, maybeCached, maybeCachedSchema } from '../../../wire/contract.js';

const cids = z.array(z.string());
const byContractId = z.record(z.string(), maybeCachedSchema).openapi('MaybeCachedContractWithStateMap');

export const registerScanRounds: Register<LedgerView> = (api, ledger) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/open-and-issuing-mining-rounds',
      operationId: 'getOpenAndIssuingMiningRounds',
      summary: 'List open and issuing rounds',
      tags: ['scan'],
      request: jsonBody(
        z
          .object({ cached_open_mining_round_contract_ids: cids, cached_issuing_round_contract_ids: cids })
          .openapi('GetOpenAndIssuingMiningRoundsRequest'),
      ),
      responses: {
        200: answer(
          'All open and issuing rounds by contract id. Contracts that the caller has cached are omitted. Rounds that are missing are archived.',
          z
            .object({
              time_to_live_in_microseconds: z.number().int(),
              open_mining_rounds: byContractId,
              issuing_mining_rounds: byContractId,
            })
            .openapi('GetOpenAndIssuingMiningRoundsResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const cached = c.req.valid('json');
      const body = {
        time_to_live_in_microseconds: timeToLive(ledger),
        open_mining_rounds: mapOf(ledger, 'open', cached.cached_open_mining_round_contract_ids),
        issuing_mining_rounds: mapOf(ledger, 'issuing', cached.cached_issuing_round_contract_ids),
      };
      return c.json(body, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/closed-rounds',
      operationId: 'getClosedRounds',
      summary: 'List closed rounds',
      tags: ['scan'],
      responses: {
        200: answer(
          'Closed rounds that are not yet archived, oldest first.',
          z.object({ rounds: z.array(contractSchema) }).openapi('GetClosedRoundsResponse'),
        ),
      },
    }),
    (c) => c.json({ rounds: roundsOf(ledger, 'closed').map(({ contract }) => contractOf(contract, ledger)) }, 200),
  );
};

export function roundsOf(ledger: LedgerView, phase: RoundStanding['phase']): readonly RoundStanding[] {
  const standings = roundStandingsOf(ledger.state, ledger.now());
  return standings.filter((standing) => standing.phase === phase).toReversed();
}

function mapOf(
  ledger: LedgerView,
  phase: 'open' | 'issuing',
  cached: readonly string[],
): z.output<typeof byContractId> {
  const known = new Set(cached);
  return Object.fromEntries(
    roundsOf(ledger, phase).map(({ contract }) => {
      const id = ContractId.format(contract.id);
      return [id, maybeCached(contract, known.has(id) ? id : undefined, ledger)];
    }),
  );
}

/** In microseconds. Assumption: A-84. */
function timeToLive(ledger: LedgerView): number {
  const state = ledger.state;
  const now = ledger.now();
  const tick = rulesOf(state)?.config.tickDuration ?? 0n;
  const next = earliestAdvance(state);
  const left = next === null || next < now ? 0n : Instant.between(now, next);
  return Number(left < tick ? left : tick);
}
