import assert from 'node:assert/strict';
import { connect, Wallet } from './wallet.mjs';

export async function createsAPing(url) {
  const sdk = await connect(url);
  const { partyId, ...wallet } = await Wallet.create(sdk, url, 'story-ping');
  const commands = sdk.utils.ping.create([{ initiator: partyId, responder: partyId }]);
  const prepared = { partyId, commands };
  const { updateId } = await sdk.ledger.prepare(prepared).sign(wallet.keys.privateKey).execute({ partyId });
  assert.ok(updateId);
}

export async function buysTraffic(url) {
  const sdk = await connect(url);
  const buyer = await Wallet.create(sdk, url, 'story-traffic');
  await buyer.tap('2000000');
  const before = await sdk.amulet.traffic.status();
  await buyer.execute(await sdk.amulet.traffic.buy({ buyer: buyer.partyId, ccAmount: 200_000, inputUtxos: [] }));
  const after = await sdk.amulet.traffic.status();
  const bought = ({ traffic_status }) => traffic_status.target.total_purchased;
  assert.ok(bought(after) >= bought(before) + 200_000, `${bought(before)} → ${bought(after)}`);
}

export async function grantsAFeaturedAppRight(url) {
  const sdk = await connect(url);
  const right = await sdk.amulet.featuredApp.grant();
  assert.match(right.template_id, /:Splice\.Amulet:FeaturedAppRight$/);
}

export async function uploadsADar(url) {
  const sdk = await connect(url);
  await sdk.ledger.dar.upload(Buffer.from('a package that is only remembered'), 'a'.repeat(64));
}
