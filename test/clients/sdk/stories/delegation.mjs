import assert from 'node:assert/strict';
import { connect, Wallet } from './wallet.mjs';

export async function mergesCoinsByDelegation(url) {
  const sdk = await connect(url);
  const owner = await Wallet.create(sdk, url, 'story-delegation');
  for (let coin = 0; coin < 15; coin++) await owner.tap('20');
  const { delegatedMerge } = sdk.token.utxos;
  await delegatedMerge.setup();
  // A second utility of the operator is no error.
  await delegatedMerge.setup();
  await owner.execute([delegatedMerge.command.propose({ owner: owner.partyId })]);
  await delegatedMerge.approve({ owner: owner.partyId });
  await delegatedMerge.execute({ party: owner.partyId });
  assert.deepEqual(await owner.amounts(), ['300.0000000000']);
}
