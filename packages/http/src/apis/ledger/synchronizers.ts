import { createRoute, z } from '@hono/zod-openapi';
import type { LedgerView } from '../../history/ledger-view.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { participantHosting } from '../../network/hosting.js';
import type { Register } from '../../request.js';
import { answer, USER } from '../../route-parts.js';
import { synchronizerOf } from '../../wire/contract.js';
import { contractsOf, type PartyId } from '@coinlab/core';
import { partyIn } from '../../wire/ledger/users.js';
import { LEDGER, ledgerProblems } from './route.js';

const permission = z.enum([
  'PARTICIPANT_PERMISSION_UNSPECIFIED',
  'PARTICIPANT_PERMISSION_SUBMISSION',
  'PARTICIPANT_PERMISSION_CONFIRMATION',
]);
const response = z
  .object({
    connectedSynchronizers: z.array(
      z
        .object({ synchronizerAlias: z.string(), synchronizerId: z.string(), permission })
        .openapi('ConnectedSynchronizer'),
    ),
  })
  .openapi('GetConnectedSynchronizersResponse');
const text = z.string().optional();

export type SynchronizersNeeds = LedgerView & ValidatorIdentity;

/** Source: specification of the API §8.3. */
export const registerSynchronizers: Register<SynchronizersNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v2/state/connected-synchronizers',
      operationId: 'getV2StateConnected-synchronizers',
      summary: 'List the synchronizers of the participant',
      ...LEDGER,
      security: USER,
      request: { query: z.object({ party: text, participantId: text, identityProviderId: text }) },
      responses: {
        200: answer('The only synchronizer; none for a party that this participant does not host.', response),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => {
      const { party = '' } = c.req.valid('query');
      const held = party === '' ? 'UNSPECIFIED' : permissionOf(partyIn(party, 'party'), server);
      const one = { synchronizerAlias: 'global', synchronizerId: synchronizerOf(server) };
      const connectedSynchronizers =
        held === null ? [] : [{ ...one, permission: `PARTICIPANT_PERMISSION_${held}` as const }];
      return c.json({ connectedSynchronizers }, 200);
    },
  );
};

/** External parties sign for themselves, so their participant only confirms. */
function permissionOf(party: PartyId, server: SynchronizersNeeds): 'CONFIRMATION' | 'SUBMISSION' | null {
  if (participantHosting(party, server) !== server.participantId) return null;
  const [key] = contractsOf(server.state, 'ExternalPartyKey', party);
  return key ? 'CONFIRMATION' : 'SUBMISSION';
}
