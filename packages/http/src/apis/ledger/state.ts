import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import type { Register } from '../../request.js';
import { answer, USER } from '../../route-parts.js';
import { LEDGER, ledgerProblems } from './route.js';

const ledgerEnd = z.object({ offset: z.int() }).openapi('GetLedgerEndResponse');
const prunedOffsets = z
  .object({ participantPrunedUpToInclusive: z.int(), allDivulgedContractsPrunedUpToInclusive: z.int() })
  .openapi('GetLatestPrunedOffsetsResponse');

export const registerState: Register<Pick<LedgerView, 'state'>> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/state/ledger-end',
      operationId: 'getV2StateLedger-end',
      summary: 'Get the offset of the last update',
      ...LEDGER,
      security: USER,
      responses: { 200: answer('The offset of the last update.', ledgerEnd), ...ledgerProblems(401, 403) },
    }),
    (c) => c.json({ offset: Number(server.state.offset) }, 200),
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/state/latest-pruned-offsets',
      operationId: 'getV2StateLatest-pruned-offsets',
      summary: 'Get the offsets of pruned updates',
      ...LEDGER,
      security: USER,
      responses: {
        200: answer('Zero for both offsets, because the log is never pruned.', prunedOffsets),
        ...ledgerProblems(401, 403),
      },
    }),
    (c) => c.json({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 }, 200),
  );
};
