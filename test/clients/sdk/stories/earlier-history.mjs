import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { signTransactionHash, TopologyController } from 'wallet-sdk-0';
import { COIN, wallet } from './earlier-wallet.mjs';
import { labelsOf, sumOf, unitsOf } from './labels.mjs';

const typesOf = (history) => labelsOf(history).map(({ type }) => type);

export async function earlierLabelsItsHistory(url) {
  const [alice, bob] = [await wallet(url, 'earlier-history-a'), await wallet(url, 'earlier-history-b')];
  await alice.execute(await alice.sdk.tokenStandard.createTap(alice.partyId, '100', COIN));
  await alice.execute(await alice.sdk.tokenStandard.createTransfer(alice.partyId, bob.partyId, '30', COIN));
  const [offer] = await bob.sdk.tokenStandard.fetchPendingTransferInstructionView();
  const { updateId } = await bob.execute(
    await bob.sdk.tokenStandard.exerciseTransferInstructionChoice(offer.contractId, 'Accept'),
  );
  const [ofAlice, ofBob] = [
    await alice.sdk.tokenStandard.listHoldingTransactions(),
    await bob.sdk.tokenStandard.listHoldingTransactions(),
  ];
  assert.deepEqual(typesOf(ofAlice), ['Mint', 'MergeSplit', 'TransferOut']);
  assert.deepEqual(typesOf(ofBob), ['TransferIn']);
  assert.deepEqual([sumOf(ofAlice), sumOf(ofBob)], [unitsOf('70'), unitsOf('30')]);
  const { events } = await bob.sdk.tokenStandard.getTransactionById(updateId);
  assert.deepEqual(
    events.map(({ label }) => label.type),
    ['TransferIn'],
  );
}

export async function earlierMergesByDelegation(url) {
  const owner = await wallet(url, 'earlier-delegation');
  const { sdk } = owner;
  for (let coin = 0; coin < 12; coin++)
    await owner.execute(await sdk.tokenStandard.createTap(owner.partyId, '2', COIN));
  const operator = await sdk.validator.getValidatorUser();
  await sdk.setPartyId(operator);
  await sdk.userLedger.submitCommand(await sdk.tokenStandard.createBatchMergeUtility());
  await sdk.setPartyId(owner.partyId);
  await owner.execute([await sdk.tokenStandard.createMergeDelegationProposal(operator)]);
  await sdk.setPartyId(operator);
  const [approve, disclosed] = await sdk.tokenStandard.approveMergeDelegationProposal(owner.partyId);
  await sdk.userLedger.submitCommand(approve, undefined, disclosed);
  const [merge, contracts] = await sdk.tokenStandard.useMergeDelegations(owner.partyId);
  await sdk.userLedger.submitCommand(merge, undefined, contracts);
  await sdk.setPartyId(owner.partyId);
  assert.deepEqual(await owner.amounts(), ['24.0000000000']);
}

export async function earlierBuysTraffic(url) {
  const { sdk, partyId, execute } = await wallet(url, 'earlier-traffic');
  await execute(await sdk.tokenStandard.createTap(partyId, '2000000', COIN));
  const participant = await sdk.userLedger.getParticipantId();
  const bought = async () =>
    (await sdk.tokenStandard.getMemberTrafficStatus(participant)).traffic_status.target.total_purchased;
  const before = await bought();
  await execute(await sdk.tokenStandard.buyMemberTraffic(partyId, 200_000, participant, []));
  assert.ok((await bought()) >= before + 200_000);
}

export async function earlierGrantsAFeaturedAppRight(url) {
  const { sdk } = await wallet(url, 'earlier-featured');
  await sdk.setPartyId(await sdk.validator.getValidatorUser());
  const right = await sdk.tokenStandard.grantFeatureAppRightsForInternalParty();
  assert.match(right.template_id, /:FeaturedAppRight$/);
}

export async function earlierFollowsUpdates(url) {
  const { sdk, partyId, execute } = await wallet(url, 'earlier-updates');
  const { offset } = await sdk.userLedger.ledgerEnd();
  const updates = sdk.userLedger.subscribeToUpdates({ beginOffset: offset, interfaceIds: [HOLDING] });
  const first = updates.next();
  const { updateId } = await execute(await sdk.tokenStandard.createTap(partyId, '3', COIN));
  const { value } = await first;
  await updates.return();
  assert.equal(value.update.Transaction.value.updateId, updateId);
}

const HOLDING = '#splice-api-token-holding-v1:Splice.Api.Token.HoldingV1:Holding';

/** The key is on another machine: hash and signature pass between the two. */
export async function earlierSignsOffline(url) {
  const { sdk, partyId, keys, amounts } = await wallet(url, 'earlier-offline');
  const [tap, disclosed] = await sdk.tokenStandard.createTap(partyId, '8', COIN);
  const prepared = await sdk.userLedger.prepareSubmission([tap], randomUUID(), disclosed);
  const hash = await TopologyController.createTransactionHash(prepared.preparedTransaction);
  assert.equal(hash, prepared.preparedTransactionHash);
  const signature = signTransactionHash(hash, keys.privateKey);
  await sdk.userLedger.executeSubmissionAndWaitFor(prepared, signature, keys.publicKey, randomUUID());
  assert.deepEqual(await amounts(), ['8.0000000000']);
}
