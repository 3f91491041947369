import type { Configured } from '../../config.js';
import type { ValidatorIdentity } from '../../host/hosted-parties.js';
import { allOf, scanAcs } from '@coinlab/core/views';
import { contractsOf, settingsOf, type LedgerState, type PartyId } from '@coinlab/core';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import { lastOffsetUntil, type LedgerView } from '../../history/ledger-view.js';
import type { Register } from '../../request.js';
import { participantHosting } from '../../network/hosting.js';
import { Problem, problems } from '../../problem.js';
import { answer, OPERATOR } from '../../route-parts.js';
import { acsText } from '../../wire/acs-text.js';
import { synchronizerOf } from '../../wire/contract.js';
import { wholeNumber } from '../../wire/query.js';
import { isOfNetwork, type NetworkContract } from '../../wire/templates.js';
import { dateTime, MIGRATION, rfc3339, timeText } from '../../wire/values.js';

const text = z.string();
const identities = z
  .object({ id: text, keys: z.array(z.object({ keyPair: text })), authorizedStoreSnapshot: text, version: text })
  .openapi('NodeIdentitiesDump');
const connections = z
  .object({
    sequencer_connections: z
      .object({
        connections: z.array(
          z
            .object({ sequencer_alias: text, endpoints: z.array(text), transport_security: z.boolean() })
            .openapi('SequencerAliasToConnections'),
        ),
        sequencer_trust_threshold: z.int(),
        sequencer_liveness_margin: z.int(),
        submission_request_amplification: z
          .object({ factor: z.number(), patience_seconds: z.number() })
          .openapi('SequencerSubmissionRequestAmplification'),
      })
      .openapi('SequencerConnections'),
  })
  .openapi('GetDecentralizedSynchronizerConnectionConfigResponse');
const identityProvider = z
  .object({ id: text, isDeactivated: z.boolean(), jwksUrl: text, issuer: text, audience: text })
  .openapi('ParticipantIdentityProvider');
const participantUser = z
  .object({
    id: text,
    primaryParty: text.optional(),
    rights: z.array(z.object({ kind: z.enum(['participantAdmin', 'canActAs']), party: text.optional() })),
    isDeactivated: z.boolean(),
    annotations: z.array(z.object({ key: text, value: text })),
    identityProviderId: text,
  })
  .openapi('ParticipantUser');
const dump = z
  .object({
    participant: identities,
    participant_users: z
      .object({ identityProviders: z.array(identityProvider), users: z.array(participantUser) })
      .openapi('ParticipantUsersData'),
    acs_snapshot: text,
    acs_timestamp: timeText,
    dars: z.array(z.object({ hash: text, content: text })),
    migration_id: z.int(),
    domain_id: text,
    created_at: timeText,
  })
  .openapi('DomainMigrationDump');
const snapshot = z
  .object({ data_snapshot: dump, migration_id: z.int() })
  .openapi('GetValidatorDomainDataSnapshotResponse');

export type ParticipantNeeds = LedgerView & ValidatorIdentity & Configured<'release'>;

export const registerParticipant: Register<ParticipantNeeds> = (api, server) => {
  const declared = { method: 'get' as const, tags: ['admin'], security: OPERATOR };
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/admin/participant/identities',
      operationId: 'dumpParticipantIdentities',
      summary: 'Dump the identities of the participant',
      responses: {
        200: answer('The participant id and the ids of the parties it hosts.', identities),
        ...problems(401, 403),
      },
    }),
    (c) => c.json(identitiesOf(server.state, server), 200),
  );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/admin/participant/global-domain-connection-config',
      operationId: 'getDecentralizedSynchronizerConnectionConfig',
      summary: 'Get the synchronizer connection of the participant',
      responses: {
        200: answer('The sequencer connections that the participant uses.', connections),
        ...problems(401, 403),
      },
    }),
    (c) => c.json({ sequencer_connections: connectionsOf(c.req.url) }, 200),
  );
  api.openapi(
    createRoute({
      ...declared,
      path: '/v0/admin/domain/data-snapshot',
      operationId: 'getValidatorDomainDataSnapshot',
      summary: "Dump the participant's users and contracts",
      request: {
        query: z.object({
          timestamp: dateTime,
          migration_id: wholeNumber(0).optional(),
          force: z.enum(['true', 'false']).optional(),
        }),
      },
      responses: {
        200: answer('The users and contracts of the participant at the requested time.', snapshot),
        ...problems(400, 401, 403),
      },
    }),
    (c) => {
      const { timestamp, migration_id = MIGRATION } = c.req.valid('query');
      const offset = lastOffsetUntil(server, timestamp);
      if (migration_id !== MIGRATION || offset === 0)
        throw new Problem(400, `timestamp: there is no data of migration ${migration_id} at ${rfc3339(timestamp)}`);
      const state = server.history.stateAt(offset);
      const data_snapshot = {
        participant: identitiesOf(state, server),
        participant_users: { identityProviders: [], users: usersOf(state, server) },
        acs_snapshot: acsText(contractsSeenBy(partiesHosted(state, server), state), state, server),
        acs_timestamp: rfc3339(state.time),
        dars: [],
        migration_id: MIGRATION,
        domain_id: synchronizerOf(server),
        created_at: rfc3339(server.now()),
      };
      return c.json({ data_snapshot, migration_id: MIGRATION }, 200);
    },
  );
};

function identitiesOf(state: LedgerState, server: ParticipantNeeds): z.output<typeof identities> {
  const store = Buffer.from(JSON.stringify([...partiesHosted(state, server)]));
  return {
    id: server.participantId.replace(/^PAR::/, ''),
    keys: [],
    authorizedStoreSnapshot: store.toString('base64'),
    version: server.config.release,
  };
}

function connectionsOf(url: string): z.output<typeof connections>['sequencer_connections'] {
  const { origin, protocol } = new URL(url);
  return {
    connections: [{ sequencer_alias: 'global', endpoints: [origin], transport_security: protocol === 'https:' }],
    sequencer_trust_threshold: 1,
    sequencer_liveness_margin: 0,
    submission_request_amplification: { factor: 1, patience_seconds: 0 },
  };
}

function partiesHosted(state: LedgerState, server: ParticipantNeeds): ReadonlySet<PartyId> {
  const known = Array.from(allOf(state, 'KnownParty'), ({ party }) => party);
  return new Set(known.filter((party) => participantHosting(party, server) === server.participantId));
}

function contractsSeenBy(parties: ReadonlySet<PartyId>, state: LedgerState): readonly NetworkContract[] {
  const { dso } = settingsOf(state);
  return scanAcs(state)
    .filter(isOfNetwork)
    .filter((contract) => stakeholdersOf(contract, dso).some((party) => parties.has(party)));
}

function usersOf(state: LedgerState, { validator }: ParticipantNeeds): z.output<typeof participantUser>[] {
  return [...contractsOf(state, 'WalletAppInstall', validator)]
    .filter((install) => install.validator === validator)
    .map(({ endUserName, endUser }) => ({
      id: endUserName,
      primaryParty: endUser,
      rights: [
        ...(endUser === validator ? [{ kind: 'participantAdmin' as const }] : []),
        { kind: 'canActAs' as const, party: endUser },
      ],
      isDeactivated: false,
      annotations: [],
      identityProviderId: '',
    }));
}
