import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Examples, Network } from './network.ts';

/** Key of the example's external party. It is fixed, so that the pages do not change; it protects no coin. */
const PKCS8_HEAD = '302e020100300506032b657004220420';
const key = createPrivateKey({
  key: Buffer.from(`${PKCS8_HEAD}${'07'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
const signed = (hash: string): string => sign(null, Buffer.from(hash, 'hex'), key).toString('hex');

const ADMIN = '/v0/admin/external-party';
const generation = { party_hint: 'treasury', public_key: publicKey };

interface Prepared {
  readonly transaction: string;
  readonly tx_hash: string;
}

const submission = (party: string, { transaction, tx_hash }: Prepared): object => ({
  submission: { party_id: party, transaction, signed_tx_hash: signed(tx_hash), public_key: publicKey },
});

async function topology(network: Network): Promise<object> {
  const { topology_txs } = await network.call('operator', 'POST', `${ADMIN}/topology/generate`, generation);
  return {
    public_key: publicKey,
    signed_topology_txs: (topology_txs as { topology_tx: string; hash: string }[]).map(({ topology_tx, hash }) => ({
      topology_tx,
      signed_hash: signed(hash),
    })),
  };
}

/** Creates an external party that the participant hosts, and returns its id. */
async function hosted(network: Network): Promise<string> {
  return (await network.call('operator', 'POST', `${ADMIN}/topology/submit`, await topology(network))).party_id;
}

/** The fields that the party needs to accept the validator's proposal. */
async function proposed(network: Network): Promise<{ user_party_id: string; contract_id: string }> {
  const user_party_id = await hosted(network);
  const { contract_id } = await network.call('operator', 'POST', `${ADMIN}/setup-proposal`, { user_party_id });
  return { user_party_id, contract_id };
}

async function acceptance(network: Network): Promise<{ party: string; hash: string; body: object }> {
  const proposal = await proposed(network);
  const prepared = await network.call('operator', 'POST', `${ADMIN}/setup-proposal/prepare-accept`, proposal);
  const body = submission(proposal.user_party_id, prepared);
  return { party: proposal.user_party_id, hash: prepared.tx_hash, body };
}

/** Returns the hash of an executed submission of an external party. */
export async function signedHash(network: Network): Promise<string> {
  const { hash, body } = await acceptance(network);
  await network.call('operator', 'POST', `${ADMIN}/setup-proposal/submit-accept`, body);
  return hash;
}

/** Creates an external party with coins, which is about to pay bob, who has a preapproval. */
async function payment(network: Network): Promise<{ party: string; terms: object }> {
  const { party, body } = await acceptance(network);
  await network.call('operator', 'POST', `${ADMIN}/setup-proposal/submit-accept`, body);
  await network.preapproval();
  const transfer = { ...network.transferTerms(), receiver_party_id: party, amount: '100.0' };
  await network.call('alice', 'POST', '/v0/wallet/token-standard/transfers', transfer);
  const terms = {
    sender_party_id: party,
    receiver_party_id: network.bob,
    amount: 2.5,
    expires_at: '2026-01-02T00:00:00Z',
    nonce: 0,
  };
  return { party, terms };
}

export const externalPartyExamples: Examples = {
  [`POST ${ADMIN}/topology/generate`]: () => ({ body: generation }),
  [`POST ${ADMIN}/topology/submit`]: async (network) => ({ body: await topology(network) }),
  [`GET ${ADMIN}/balance`]: async (network) => ({ query: { party_id: (await payment(network)).party } }),
  [`POST ${ADMIN}/setup-proposal`]: async (network) => ({ body: { user_party_id: await hosted(network) } }),
  [`GET ${ADMIN}/setup-proposal`]: async (network) => (await proposed(network), {}),
  [`POST ${ADMIN}/setup-proposal/prepare-accept`]: async (network) => ({ body: await proposed(network) }),
  [`POST ${ADMIN}/setup-proposal/submit-accept`]: async (network) => ({ body: (await acceptance(network)).body }),
  [`POST ${ADMIN}/transfer-preapproval/prepare-send`]: async (network) => ({ body: (await payment(network)).terms }),
  [`POST ${ADMIN}/transfer-preapproval/submit-send`]: async (network) => {
    const { party, terms } = await payment(network);
    const prepared = await network.call('operator', 'POST', `${ADMIN}/transfer-preapproval/prepare-send`, terms);
    return { body: submission(party, prepared) };
  },
};
