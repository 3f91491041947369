import { createRoute, z } from '@hono/zod-openapi';
import { describeMalformed } from '@coinlab/core';
import { fingerprintOf, generateTopology, topologyKeyOf, type FurtherHost } from '@coinlab/core/rules';
import { contractsOf, find, type Rejection } from '@coinlab/core';
import { callerOf } from '../../../gates/caller.js';
import { LedgerProblem } from '../../../gates/ledger/errors.js';
import { requireAdmin, rightsOf } from '../../../gates/ledger/rights.js';
import { describeRejection } from '../../../gates/status.js';
import type { Register } from '../../../request.js';
import { answer, jsonBody, USER } from '../../../route-parts.js';
import { defaultProvider } from '../../../wire/ledger/users.js';
import { requireSynchronizer } from './allocation.js';
import { LEDGER, ledgerProblems } from '../route.js';
import { grantRights, userNamed, type UserNeeds } from '../users/changes.js';

const KEY_FORMAT = 'CRYPTO_KEY_FORMAT_RAW';
const KEY_SPEC = 'SIGNING_KEY_SPEC_EC_CURVE25519';
const PARTICIPANT = /^(PAR::)?[\w-]+::\w+$/;

const publicKey = z
  .object({
    format: z.string().describe(`\`${KEY_FORMAT}\`.`),
    keyData: z.string().describe('Ed25519 key of 32 bytes, in base64.'),
    keySpec: z.string().describe(`\`${KEY_SPEC}\`.`),
  })
  .openapi('SigningPublicKey');
const signature = z
  .object({
    format: z.string(),
    signature: z.string().describe('Ed25519 signature of 64 bytes, in base64.'),
    signedBy: z.string().describe('Fingerprint of the key.'),
    signingAlgorithmSpec: z.string(),
  })
  .openapi('Signature');
const participants = z.array(z.string()).default([]);
const generation = z
  .object({
    synchronizer: z.string(),
    partyHint: z.string(),
    publicKey,
    localParticipantObservationOnly: z.boolean().default(false),
    otherConfirmingParticipantUids: participants,
    confirmationThreshold: z.int().min(0).default(0).describe('0: all confirming participants.'),
    observingParticipantUids: participants,
  })
  .openapi('GenerateExternalPartyTopologyRequest');
const generated = z
  .object({
    partyId: z.string(),
    publicKeyFingerprint: z.string(),
    topologyTransactions: z.array(z.string()).describe('In base64; return them unchanged.'),
    multiHash: z.string().describe('In base64. One signature of its bytes covers all transactions.'),
  })
  .openapi('GenerateExternalPartyTopologyAnswer');
const allocation = z
  .object({
    synchronizer: z.string(),
    onboardingTransactions: z.array(
      z.object({ transaction: z.string(), signatures: z.array(signature).default([]) }).openapi('SignedTransaction'),
    ),
    multiHashSignatures: z.array(signature).default([]),
    identityProviderId: defaultProvider,
    waitForAllocation: z.boolean().default(true),
    userId: z.string().optional().describe('User that may act as the party.'),
  })
  .openapi('AllocateExternalPartyRequest');

type SignatureJson = z.infer<typeof signature>;

/** Source: specification of the API §8.3, §7.2. Assumption: A-118. */
export const registerExternalParties: Register<UserNeeds> = (api, server) => {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/parties/external/generate-topology',
      operationId: 'postV2PartiesExternalGenerate-topology',
      summary: 'Generate the topology of an external party',
      ...LEDGER,
      security: USER,
      request: jsonBody(generation),
      responses: {
        200: answer('The id of the party, its topology transactions and the hash to sign.', generated),
        ...ledgerProblems(400, 401, 403),
      },
    }),
    (c) => {
      const request = c.req.valid('json');
      requireSynchronizer(request.synchronizer, 'synchronizer', server);
      const key = keyIn(request.publicKey);
      const fingerprint = fingerprintOf(key);
      const others = [
        ...hostsIn(request.otherConfirmingParticipantUids, 'confirmation', server),
        ...hostsIn(request.observingParticipantUids, 'observation', server),
      ];
      const observesOnly = request.localParticipantObservationOnly;
      const confirming =
        others.filter(({ permission }) => permission === 'confirmation').length + (observesOnly ? 0 : 1);
      const topology = generateTopology({
        hint: request.partyHint,
        publicKey: key,
        participant: server.participantId,
        observesOnly,
        others,
        threshold: request.confirmationThreshold === 0 ? confirming : request.confirmationThreshold,
      });
      if (!fingerprint.ok) throw new LedgerProblem('INVALID_ARGUMENT', describeMalformed(fingerprint.error));
      if (!topology.ok) throw new LedgerProblem('INVALID_ARGUMENT', describeMalformed(topology.error));
      const { party, transactions, multiHash } = topology.value;
      return c.json(
        {
          partyId: party,
          publicKeyFingerprint: fingerprint.value,
          topologyTransactions: transactions.map(({ transaction }) => transaction),
          multiHash: Buffer.from(multiHash, 'hex').toString('base64'),
        },
        200,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v2/parties/external/allocate',
      operationId: 'postV2PartiesExternalAllocate',
      summary: 'Allocate an external party',
      ...LEDGER,
      security: USER,
      request: jsonBody(allocation),
      responses: {
        200: answer(
          'The party, which is known now. A caller who does not administer the participant can allocate for itself only.',
          z.object({ partyId: z.string() }).openapi('AllocateExternalPartyResponse'),
        ),
        ...ledgerProblems(400, 401, 403, 404, 409, 503),
      },
    }),
    async (c) => {
      const request = c.req.valid('json');
      const { userId = '' } = request;
      const caller = callerOf(c);
      if (userId !== caller.user) requireAdmin(rightsOf(caller));
      requireSynchronizer(request.synchronizer, 'synchronizer', server);
      if (userId !== '') userNamed(userId, server);
      const { host, participantId: participant, validator } = server;
      const command = { type: 'SubmitTopology', participant, ...signedTopology(request) } as const;
      const submitted = await host.submit(command, [validator]);
      const party = submitted.ok ? submitted.value.update.detail.party : knownElsewhere(submitted.error, server);
      if (userId !== '') await grantRights(userId, [{ kind: 'CanActAs', party }], server);
      return c.json({ partyId: party }, 200);
    },
  );
};

function keyIn({ format, keyData, keySpec }: z.infer<typeof publicKey>): string {
  const refuse = (field: string, value: string, expected: string): never => {
    throw new LedgerProblem('INVALID_ARGUMENT', `publicKey.${field}: got ${value}, expected ${expected}`);
  };
  if (format !== KEY_FORMAT) refuse('format', format, KEY_FORMAT);
  if (keySpec !== KEY_SPEC) refuse('keySpec', keySpec, KEY_SPEC);
  const bytes = Buffer.from(keyData, 'base64');
  if (bytes.length !== 32) refuse('keyData', keyData, 'an Ed25519 key of 32 bytes in base64');
  return bytes.toString('hex');
}

/** Clients name participants with and without `PAR::`. */
function hostsIn(
  ids: readonly string[],
  permission: FurtherHost['permission'],
  { participantId }: UserNeeds,
): readonly FurtherHost[] {
  return ids.flatMap((id) => {
    if (!PARTICIPANT.test(id))
      throw new LedgerProblem('INVALID_ARGUMENT', `participant: got ${id}, expected an id such as ${participantId}`);
    const participant = id.startsWith('PAR::') ? id : `PAR::${id}`;
    return participant === participantId ? [] : [{ participant, permission }];
  });
}

function signedTopology({ onboardingTransactions, multiHashSignatures }: z.infer<typeof allocation>) {
  const publicKey = topologyKeyOf(onboardingTransactions.map(({ transaction }) => transaction));
  const fingerprint = publicKey === null ? null : fingerprintOf(publicKey);
  if (publicKey === null || !fingerprint?.ok)
    throw new LedgerProblem(
      'INVALID_ARGUMENT',
      'onboardingTransactions: expected the transactions of POST /v2/parties/external/generate-topology, unchanged',
    );
  const owners = (signatures: readonly SignatureJson[]): string | null => {
    const own = signatures.find(({ signedBy }) => signedBy === fingerprint.value);
    return own ? Buffer.from(own.signature, 'base64').toString('hex') : null;
  };
  const combined = owners(multiHashSignatures);
  if (combined === null && multiHashSignatures.length > 0)
    throw new LedgerProblem('INVALID_ARGUMENT', `multiHashSignatures: none is signedBy ${fingerprint.value}`);
  const transactions = onboardingTransactions.map(({ transaction, signatures }) => {
    const own = owners(signatures);
    return own === null ? { transaction } : { transaction, signature: own };
  });
  return { publicKey, transactions, ...(combined === null ? {} : { signature: combined }) };
}

function knownElsewhere(rejection: Rejection, { state, participantId }: UserNeeds) {
  if (rejection.code !== 'ALREADY_EXISTS' || rejection.contract === null)
    throw new LedgerProblem('INVALID_ARGUMENT', describeRejection(rejection));
  const known = find(state, 'KnownParty', rejection.contract);
  const [key] = known ? contractsOf(state, 'ExternalPartyKey', known.party) : [];
  if (known && key && key.participant !== participantId) return known.party;
  throw new LedgerProblem('EXTERNAL_PARTY_ALREADY_EXISTS', describeRejection(rejection), {
    resources: known ? [['PARTY', known.party]] : [],
  });
}
