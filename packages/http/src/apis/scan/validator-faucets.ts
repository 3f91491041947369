import type { Configured } from '../../config.js';
import { faucetStatisticsOf, scanFaucetStatistics, type FaucetStatistics } from '@coinlab/core/views';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { problems } from '../../problem.js';
import { answer, DEPRECATED } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { wholeNumber } from '../../wire/query.js';
import { partyName } from '../../wire/values.js';

const REMOVED_IN: readonly number[] = [0, 6, 6];

const PAGE_LIMIT = 1000;

const faucets = z
  .object({
    validator: z.string(),
    numRoundsCollected: z.number().int(),
    numRoundsMissed: z.number().int(),
    firstCollectedInRound: z.number().int(),
    lastCollectedInRound: z.number().int(),
  })
  .openapi('ValidatorReceivedFaucets');

export const registerScanFaucets: Register<LedgerView & Configured<'release'>> = (api, ledger) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/validators/validator-faucets',
      operationId: 'getValidatorFaucetsByValidator',
      summary: 'Get the faucet statistics of validators',
      tags: ['scan'],
      request: { query: z.object({ validator_ids: z.union([partyName, z.array(partyName)]) }) },
      responses: {
        200: answer(
          'Faucet statistics of the requested validators that have any, in the order of the request.',
          z.object({ validatorsReceivedFaucets: z.array(faucets) }).openapi('GetValidatorFaucetsByValidatorResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const validators = [c.req.valid('query').validator_ids].flat();
      const found = validators.map((validator) => faucetStatisticsOf(ledger.state, validator));
      return c.json({ validatorsReceivedFaucets: found.filter((one) => one !== null).map(figuresOf) }, 200);
    },
  );
  if (!precedes(ledger.config.release, REMOVED_IN)) return;
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v0/top-validators-by-validator-faucets',
      operationId: 'getTopValidatorsByValidatorFaucets',
      summary: 'Rank validators by collected faucet rounds',
      tags: ['scan'],
      ...DEPRECATED,
      request: { query: z.object({ limit: wholeNumber(1, PAGE_LIMIT) }) },
      responses: {
        200: answer(
          'Validators by number of collected rounds, highest first.',
          z
            .object({ validatorsByReceivedFaucets: z.array(faucets) })
            .openapi('GetTopValidatorsByValidatorFaucetsResponse'),
        ),
        ...problems(400),
      },
    }),
    (c) => {
      const top = scanFaucetStatistics(ledger.state).slice(0, c.req.valid('query').limit);
      return c.json({ validatorsByReceivedFaucets: top.map(figuresOf) }, 200);
    },
  );
};

function precedes(release: string, other: readonly number[]): boolean {
  const parts = release.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const differing = other.findIndex((part, i) => (parts[i] ?? 0) !== part);
  return differing >= 0 && (parts[differing] ?? 0) < (other[differing] ?? 0);
}

function figuresOf(statistics: FaucetStatistics): z.output<typeof faucets> {
  return { ...statistics };
}
