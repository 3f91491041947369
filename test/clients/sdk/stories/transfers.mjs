import assert from 'node:assert/strict';
import { connect, refused, Wallet } from './wallet.mjs';

async function pair(url, name) {
  const sdk = await connect(url);
  const [sender, receiver] = await Promise.all(
    ['sender', 'receiver'].map((role) => Wallet.create(sdk, url, `story-${name}-${role}`)),
  );
  await sender.tap('10000');
  assert.deepEqual(await sender.amounts(), ['10000.0000000000']);
  return { sdk, sender, receiver };
}

async function offered({ sender, receiver }, amount, options) {
  await sender.send(receiver, amount, options);
  const [offer, ...others] = await receiver.pending();
  assert.deepEqual(others, []);
  return offer.contractId;
}

export async function acceptsATransfer(url) {
  const parties = await pair(url, 'accept');
  const offer = await offered(parties, '2000');
  await parties.receiver.execute(await parties.receiver.answer('accept', offer));
  assert.deepEqual(await parties.receiver.amounts(), ['2000.0000000000']);
  assert.deepEqual(await parties.sender.amounts(), ['8000.0000000000']);
  assert.deepEqual(await parties.receiver.pending(), []);
}

export async function rejectsATransfer(url) {
  const parties = await pair(url, 'reject');
  const offer = await offered(parties, '2000');
  await parties.receiver.execute(await parties.receiver.answer('reject', offer));
  assert.deepEqual(await parties.receiver.amounts(), []);
  assert.deepEqual(await parties.sender.amounts(), ['2000.0000000000', '8000.0000000000']);
}

export async function withdrawsATransfer(url) {
  const parties = await pair(url, 'withdraw');
  const offer = await offered(parties, '2000');
  await parties.sender.execute(await parties.sender.answer('withdraw', offer));
  assert.deepEqual(await parties.sender.amounts(), ['2000.0000000000', '8000.0000000000']);
  assert.deepEqual(await parties.receiver.pending(), []);
}

export async function refusesToAcceptAfterTheDeadline(url) {
  const parties = await pair(url, 'expire');
  const deadline = Date.now() + 10_000;
  const offer = await offered(parties, '2000', { expirationDate: new Date(deadline) });
  const accept = await parties.receiver.answer('accept', offer);
  await new Promise((resolve) => setTimeout(resolve, deadline - Date.now() + 50));
  await refused(parties.receiver.execute(accept), { errorCategory: 9 });
  assert.deepEqual(await parties.receiver.amounts(), []);
}

/** The SDK reads 200 coins at a time and merges at most 100 per command. More than 200 coins exceed the node's list limit. */
export async function mergesCoins(url) {
  const sdk = await connect(url);
  const owner = await Wallet.create(sdk, url, 'story-merge');
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 25 }, () => owner.tap('0.5')));
  await refused(owner.coins(), { code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED' });
  for (let round = 0; round < 2; round++) {
    const [commands, disclosed] = await sdk.token.utxos.merge({ partyId: owner.partyId });
    await Promise.all(commands.map((command) => owner.execute([command, disclosed])));
  }
  assert.deepEqual(await owner.amounts(), ['125.0000000000']);
}
