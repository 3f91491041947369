import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Examples, Network } from './network.ts';

/** Key of the example's external party. It is fixed, so that the pages do not change; it protects no coin. */
const PKCS8_HEAD = '302e020100300506032b657004220420';
const key = createPrivateKey({
  key: Buffer.from(`${PKCS8_HEAD}${'09'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const keyData = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');

const GENERATE = '/v2/parties/external/generate-topology';

const right = (party: string): object => ({ kind: { CanActAs: { value: { party } } } });
const zoe = { path: { 'user-id': 'zoe' } };

async function withZoe(network: Network): Promise<void> {
  const body = { user: { id: 'zoe' }, rights: [right(network.bob)] };
  await network.call('operator', 'POST', '/v2/users', body);
}

function generation({ synchronizer }: Network): Record<string, unknown> {
  const publicKey = { format: 'CRYPTO_KEY_FORMAT_RAW', keyData, keySpec: 'SIGNING_KEY_SPEC_EC_CURVE25519' };
  return { synchronizer, partyHint: 'treasury', publicKey };
}

async function allocation(network: Network): Promise<object> {
  const topology = await network.call('operator', 'POST', GENERATE, generation(network));
  const transactions = topology.topologyTransactions as string[];
  return {
    synchronizer: network.synchronizer,
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [
      {
        format: 'SIGNATURE_FORMAT_CONCAT',
        signature: sign(null, Buffer.from(String(topology.multiHash), 'base64'), key).toString('base64'),
        signedBy: topology.publicKeyFingerprint,
        signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
      },
    ],
    userId: 'alice',
  };
}

export const participantExamples: Examples = {
  'GET /v2/users': () => ({ query: { pageSize: '2' } }),
  'POST /v2/users': ({ bob }) => ({ body: { user: { id: 'zoe', primaryParty: bob }, rights: [right(bob)] } }),
  'GET /v2/users/{user-id}': async (network) => (await withZoe(network), { ...zoe, as: 'operator' }),
  'PATCH /v2/users/{user-id}': async (network) => {
    await withZoe(network);
    const user = { id: 'zoe', metadata: { annotations: { team: 'treasury' } } };
    return { ...zoe, body: { user, updateMask: { paths: ['metadata.annotations'] } } };
  },
  'DELETE /v2/users/{user-id}': async (network) => (await withZoe(network), zoe),
  'GET /v2/users/{user-id}/rights': async (network) => (await withZoe(network), { ...zoe, as: 'operator' }),
  'POST /v2/users/{user-id}/rights': async (network) => {
    await withZoe(network);
    return { ...zoe, body: { userId: 'zoe', rights: [right(network.bob), right(network.alice)] } };
  },
  'PATCH /v2/users/{user-id}/rights': async (network) => {
    await withZoe(network);
    return { ...zoe, body: { userId: 'zoe', rights: [right(network.bob)] } };
  },
  'GET /v2/parties': () => ({ as: 'operator', query: { 'filter-party': 'b', pageSize: '2' } }),
  'POST /v2/parties': () => ({ as: 'operator', body: { partyIdHint: 'zoe', userId: 'alice' } }),
  'PATCH /v2/parties/{party}': ({ alice }) => ({
    body: {
      partyDetails: { party: alice, localMetadata: { annotations: { team: 'treasury' } } },
      updateMask: { paths: ['local_metadata.annotations'] },
    },
  }),
  'POST /v2/parties/external/generate-topology': (network) => ({ body: generation(network) }),
  'POST /v2/parties/external/allocate': async (network) => ({ body: await allocation(network) }),
  'GET /v2/packages/{package-id}/status': async (network) => {
    const { packageIds } = await network.call('alice', 'GET', '/v2/packages');
    return { path: { 'package-id': (packageIds as string[])[0] ?? '' } };
  },
  'POST /v2/packages': () => ({ body: 'the bytes of an archive' }),
  'POST /v2/dars': () => ({ body: 'the bytes of an archive' }),
};
