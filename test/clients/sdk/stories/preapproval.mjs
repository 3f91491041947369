import assert from 'node:assert/strict';
import { connect, Wallet } from './wallet.mjs';

export async function paysInOneStepUnderAPreapproval(url) {
  const sdk = await connect(url);
  await sdk.amulet.tapInternal('1000');
  const [sender, receiver] = await Promise.all(
    ['sender', 'receiver'].map((role) => Wallet.create(sdk, url, `story-preapproval-${role}`)),
  );
  await sender.tap('10000');
  const parties = { receiver: receiver.partyId };
  assert.equal((await sdk.amulet.preapproval.fetchQuick(receiver.partyId)) ?? null, null);
  await receiver.execute([await sdk.amulet.preapproval.command.create({ parties })]);

  const polling = { intervalMs: 250, timeoutMs: 60_000 };
  const created = await sdk.amulet.preapproval.fetchStatus(receiver.partyId, polling);
  await sender.send(receiver, '2000');
  assert.deepEqual(await receiver.amounts(), ['2000.0000000000']);
  assert.deepEqual(await sender.amounts(), ['8000.0000000000']);

  const expiresAt = new Date(created.expiresAt);
  expiresAt.setDate(expiresAt.getDate() + 2);
  await sdk.amulet.preapproval.renew({ parties, expiresAt });
  const renewed = await sdk.amulet.preapproval.fetchStatus(receiver.partyId, {
    oldCid: created.contractId,
    ...polling,
  });
  assert.ok(renewed.expiresAt > created.expiresAt);

  await receiver.execute(await sdk.amulet.preapproval.command.cancel({ parties }));
  const cancelled = await sdk.amulet.preapproval.fetchStatus(receiver.partyId, { cancelled: true, ...polling });
  assert.equal(cancelled, null);
  const contracts = await sdk.ledger.acsReader.readJsContracts({ parties: [receiver.partyId], filterByParty: true });
  assert.ok(!contracts.some(({ contractId }) => contractId === renewed.contractId));
}
