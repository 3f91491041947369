import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { fingerprintOf, generateTopology } from '../../packages/core/src/exports/rules.js';
import type { Examples, Network } from './network.ts';

/** Key of the example's external party. It is fixed, so that the pages do not change; it protects no coin. */
const key = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${'09'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
const signed = (bytes: Buffer): Buffer => sign(null, bytes, key);

async function tap(network: Network, receiver: string): Promise<Record<string, unknown>> {
  const { amulet_rules } = await network.call('alice', 'GET', '/v0/scan-proxy/amulet-rules');
  const { open_mining_rounds } = await network.call('alice', 'GET', '/v0/scan-proxy/open-and-issuing-mining-rounds');
  const round = open_mining_rounds.find(({ contract }: Opened) => contract.payload.opensAt <= network.start) as Opened;
  const { contract_id, template_id } = amulet_rules.contract;
  const disclosed = [amulet_rules.contract, round.contract];
  return {
    commandId: 'tap-1',
    actAs: [receiver],
    commands: [
      {
        ExerciseCommand: {
          templateId: template_id,
          contractId: contract_id,
          choice: 'AmuletRules_DevNet_Tap',
          choiceArgument: { receiver, amount: '5.0', openRound: round.contract.contract_id },
        },
      },
    ],
    disclosedContracts: disclosed.map((contract) => ({
      templateId: contract.template_id,
      contractId: contract.contract_id,
      createdEventBlob: contract.created_event_blob,
      synchronizerId: network.synchronizer,
    })),
  };
}

interface Opened {
  readonly contract: { readonly contract_id: string; readonly payload: { readonly opensAt: string } };
}

/** Registers a party with a key and a user for it, and returns its id. */
async function signer(network: Network): Promise<string> {
  const topology = generateTopology({ hint: 'treasury', publicKey, participant: network.participantId });
  if (!topology.ok) throw new Error(topology.error.expected);
  const { party, transactions } = topology.value;
  const onboard = { type: 'OnboardUser', validator: network.validator, endUserName: 'treasury', endUser: party };
  await network.command(onboard, network.validator, party);
  await network.command({
    type: 'SubmitTopology',
    publicKey,
    participant: network.participantId,
    transactions: transactions.map(({ transaction, hash }) => ({
      transaction,
      signature: signed(Buffer.from(hash, 'hex')).toString('hex'),
    })),
  });
  return party;
}

async function signedTap(network: Network): Promise<object> {
  const party = await signer(network);
  const prepared = await network.call(
    'treasury',
    'POST',
    '/v2/interactive-submission/prepare',
    await tap(network, party),
  );
  const fingerprint = fingerprintOf(publicKey);
  const signature = {
    format: 'SIGNATURE_FORMAT_CONCAT',
    signature: signed(Buffer.from(prepared.preparedTransactionHash, 'base64')).toString('base64'),
    signedBy: fingerprint.ok ? fingerprint.value : '',
    signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519',
  };
  return {
    preparedTransaction: prepared.preparedTransaction,
    partySignatures: { signatures: [{ party, signatures: [signature] }] },
    submissionId: 'submission-1',
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  };
}

export const ledgerExamples: Examples = {
  'POST /v2/commands/submit-and-wait': async (network) => ({ as: 'alice', body: await tap(network, network.alice) }),
  'POST /v2/commands/submit-and-wait-for-transaction': async (network) => ({
    as: 'alice',
    body: { commands: await tap(network, network.alice) },
  }),
  'GET /v2/interactive-submission/preferred-package-version': async () => ({
    as: 'alice',
    query: { 'package-name': 'splice-wallet' },
  }),
  'POST /v2/interactive-submission/preferred-packages': async (network) => ({
    as: 'alice',
    body: {
      packageVettingRequirements: [
        { parties: [network.alice], packageName: 'splice-amulet' },
        { parties: [network.alice], packageName: 'splice-wallet' },
      ],
    },
  }),
  'POST /v2/commands/async/submit': async (network) => ({ as: 'alice', body: await tap(network, network.alice) }),
  'POST /v2/commands/completions': async (network) => {
    await network.call('alice', 'POST', '/v2/commands/submit-and-wait', await tap(network, network.alice));
    return { as: 'alice', body: { parties: [network.alice], beginExclusive: 0 } };
  },
  'POST /v2/interactive-submission/execute': async (network) => ({ as: 'treasury', body: await signedTap(network) }),
  'POST /v2/interactive-submission/prepare': async (network) => ({
    as: 'treasury',
    body: await tap(network, await signer(network)),
  }),
  'POST /v2/interactive-submission/executeAndWait': async (network) => ({
    as: 'treasury',
    body: await signedTap(network),
  }),
  'POST /v2/interactive-submission/executeAndWaitForTransaction': async (network) => ({
    as: 'treasury',
    body: await signedTap(network),
  }),
};
