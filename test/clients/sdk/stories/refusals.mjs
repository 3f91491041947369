import assert from 'node:assert/strict';
import { signTransactionHash as sign } from 'wallet-sdk-1';
import { connect, refused, Wallet } from './wallet.mjs';

async function funded(url, name) {
  const sdk = await connect(url);
  const [sender, receiver] = await Promise.all(
    ['sender', 'receiver'].map((role) => Wallet.create(sdk, url, `story-${name}-${role}`)),
  );
  await sender.tap('100');
  return { sdk, sender, receiver };
}

export async function refusesAForeignSignature(url) {
  const { sender, receiver } = await funded(url, 'signature');
  const transfer = await sender.transfer(receiver, '10');
  await refused(sender.execute(transfer, receiver.keys), { code: 'INVALID_ARGUMENT' });
  assert.deepEqual(await sender.amounts(), ['100.0000000000']);
}

export async function executesASignedTransactionOnce(url) {
  const { sdk, sender, receiver } = await funded(url, 'replay');
  const { partyId } = sender;
  const [commands, disclosedContracts] = await sender.transfer(receiver, '10');
  const { response } = await sdk.ledger.prepare({ partyId, commands, disclosedContracts }).toJSON();
  const signature = sign(response.preparedTransactionHash, sender.keys.privateKey);
  const execute = () => sdk.ledger.execute(sdk.ledger.fromSignature(response, signature), { partyId });
  await execute();
  await refused(execute(), {});
  assert.deepEqual(await sender.amounts(), ['90.0000000000']);
}

export async function refusesADoubleSpend(url) {
  const { sender, receiver } = await funded(url, 'double');
  const first = await sender.transfer(receiver, '100');
  const second = await sender.transfer(receiver, '100');
  await sender.execute(first);
  await refused(sender.execute(second), { errorCategory: 11 });
  assert.equal((await receiver.pending()).length, 1);
}

export async function refusesAUserWithoutTheRight(url) {
  const { sdk, sender } = await funded(url, 'right');
  const stranger = await sdk.user.create({ userId: 'story-stranger', primaryParty: sender.partyId, userRights: {} });
  const theirs = await connect(url, stranger.id);
  const ping = theirs.utils.ping.create([{ initiator: sender.partyId, responder: sender.partyId }]);
  await refused(theirs.ledger.internal.submit({ commands: ping, actAs: [sender.partyId] }), { code: 'NA' });
}
