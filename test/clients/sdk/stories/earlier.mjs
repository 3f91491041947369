import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SDK } from 'wallet-sdk-1';
import { TopologyController } from 'wallet-sdk-0';
import { COIN, wallet } from './earlier-wallet.mjs';

/* Stories of the wallet SDK 0.20.0. */

export async function earlierAllocatesAnExternalParty(url) {
  const { sdk, partyId } = await wallet(url, 'earlier-party');
  assert.ok((await sdk.userLedger.listWallets()).includes(partyId));
}

export async function earlierReproducesTheHash(url) {
  const { sdk, partyId } = await wallet(url, 'earlier-hash');
  const [tap, disclosed] = await sdk.tokenStandard.createTap(partyId, '5', COIN);
  const prepared = await sdk.userLedger.prepareSubmission([tap], randomUUID(), disclosed);
  const { preparedTransaction: text, preparedTransactionHash: hash } = prepared;
  assert.equal(await TopologyController.createTransactionHash(text), hash);
  assert.equal((await SDK.createOffline().utils.hash.preparedTransacation(text)).toBase64(), hash);
}

export async function earlierPaysByOffer(url) {
  const [alice, bob] = [await wallet(url, 'earlier-alice'), await wallet(url, 'earlier-bob')];
  await alice.execute(await alice.sdk.tokenStandard.createTap(alice.partyId, '100', COIN));
  const completion = await alice.execute(
    await alice.sdk.tokenStandard.createTransfer(alice.partyId, bob.partyId, '30', COIN),
  );
  const events = await alice.sdk.userLedger.getEventsByUpdateId(completion.updateId);
  assert.ok(events.length > 0);
  const [offer] = await bob.sdk.tokenStandard.fetchPendingTransferInstructionView();
  await bob.execute(await bob.sdk.tokenStandard.exerciseTransferInstructionChoice(offer.contractId, 'Accept'));
  assert.deepEqual(await alice.amounts(), ['70.0000000000']);
  assert.deepEqual(await bob.amounts(), ['30.0000000000']);
}

export async function earlierProposesAPreapproval(url) {
  const { sdk, partyId } = await wallet(url, 'earlier-preapproval');
  const provider = await sdk.validator.getValidatorUser();
  const dso = await sdk.tokenStandard.getInstrumentAdmin();
  const { CreateCommand } = await sdk.userLedger.createTransferPreapprovalCommand(provider, partyId, dso);
  // The version of splice-wallet decides whether the proposal names the DSO.
  assert.deepEqual(CreateCommand.createArguments, { provider, receiver: partyId, expectedDso: dso });
}
