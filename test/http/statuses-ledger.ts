import { PartyId } from '@coinlab/core';
import { keyOf } from '../core/external-keys.ts';
import { synchronizer } from './scan-fixture.ts';
import type { WalletServer } from './wallet-fixture.ts';

/*
 * Requests that cause the declared statuses of the ledger API's routes for users, rights, parties and packages.
 */

const OPERATOR = 'ledger-api-user';

type Request = readonly [method: string, path: string, body?: object];

const mask = (...paths: readonly string[]): object => ({ updateMask: { paths } });
const rights = [{ kind: { CanReadAs: { value: { party: PartyId.of('carol') } } } }];
const annotated = (party: PartyId, resourceVersion?: string): object => ({
  partyDetails: { party, localMetadata: { annotations: { team: 'a' }, resourceVersion } },
  ...mask('local_metadata'),
});
const renamed = (id: string, resourceVersion?: string): object => ({
  user: { id, metadata: { annotations: { team: 'a' }, resourceVersion } },
  ...mask('metadata'),
});

/** Creates users, and returns writing requests of the operator that then succeed. */
export async function writingRequests(on: WalletServer): Promise<readonly Request[]> {
  for (const id of ['ann', 'ben'])
    await on.post(OPERATOR, '/v2/users', { user: { id }, rights: id === 'ann' ? rights : [] });
  const { validator } = on.server;
  return [
    ['PATCH', '/v2/users/ann', renamed('ann')],
    ['PATCH', '/v2/users/ann/rights', { rights }],
    ['POST', '/v2/users/ann/rights', { rights: [...rights, { kind: { CanReadAsAnyParty: { value: {} } } }] }],
    ['PATCH', `/v2/parties/${validator}`, annotated(validator)],
    ['POST', '/v2/parties/external/allocate', await allocation(on)],
    ['DELETE', '/v2/users/ben'],
  ];
}

export async function useParticipant(on: WalletServer): Promise<void> {
  const writing = await writingRequests(on);
  for (const [method, path, body] of writing) await on.call(OPERATOR, method, path, body);
  const missing = PartyId.of('missing');
  const refused: readonly Request[] = [
    ...writing,
    ['GET', '/v2/users/ann/rights'],
    ['PATCH', '/v2/users/missing', renamed('missing')],
    ['PATCH', '/v2/users/ann', renamed('ann', '99')],
    ['DELETE', `/v2/users/${OPERATOR}`],
    ['POST', '/v2/parties', { userId: 'missing' }],
    ['PATCH', `/v2/parties/${missing}`, annotated(missing)],
    ['PATCH', `/v2/parties/${on.server.validator}`, annotated(on.server.validator, '99')],
    ['POST', '/v2/parties/external/allocate', { ...(await allocation(on)), userId: 'missing' }],
  ];
  for (const [method, path, body] of refused) await on.call(OPERATOR, method, path, body);
  for (const path of ['authenticated-user', 'parties/participant-id', 'state/connected-synchronizers', 'packages'])
    await on.get('newcomer', `/v2/${path}`);
  await on.get('newcomer', `/v2/parties/${missing}`);
  await on.get('newcomer', '/v2/packages/x/status');
  const preferred = '/v2/interactive-submission/preferred-package';
  for (const user of ['newcomer', OPERATOR])
    for (const name of ['splice-wallet', 'splice-gold']) {
      const packageVettingRequirements = [{ parties: [], packageName: name }];
      await on.get(user, `${preferred}-version?package-name=${name}`);
      await on.post(user, `${preferred}s`, { packageVettingRequirements });
    }
  await on.post('newcomer', '/v2/parties/external/generate-topology', generation);
}

export async function uploadTooMuch(on: WalletServer): Promise<void> {
  for (const path of ['/v2/packages', '/v2/dars']) await on.post(OPERATOR, path, { archive: 'x'.repeat(1_000) });
}

const key = keyOf('statuses');
const generation = {
  synchronizer,
  partyHint: 'statuses',
  publicKey: {
    format: 'CRYPTO_KEY_FORMAT_RAW',
    keyData: Buffer.from(key.publicKey, 'hex').toString('base64'),
    keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519',
  },
};

async function allocation(on: WalletServer): Promise<object> {
  const { body } = await on.post(OPERATOR, '/v2/parties/external/generate-topology', generation);
  const transactions = body.topologyTransactions as unknown as readonly string[];
  const hash = Buffer.from(String(body.multiHash), 'base64').toString('hex');
  return {
    synchronizer,
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [
      {
        format: 'SIGNATURE_FORMAT_CONCAT',
        signature: Buffer.from(key.sign(hash), 'hex').toString('base64'),
        signedBy: body.publicKeyFingerprint,
        signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
      },
    ],
  };
}
