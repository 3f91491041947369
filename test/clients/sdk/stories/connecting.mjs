import assert from 'node:assert/strict';
import { connect, OPERATOR, Wallet } from './wallet.mjs';

export async function connects(url) {
  const sdk = await connect(url);
  assert.ok((await sdk.ledger.ledgerEnd()) > 0);
}

export async function allocatesAnInternalParty(url) {
  const sdk = await connect(url);
  const party = await sdk.party.internal.allocate({ partyHint: 'story-internal' });
  assert.match(party, /^story-internal::1220[0-9a-f]{64}$/);
  assert.ok((await sdk.party.list()).includes(party));
}

export async function allocatesAnExternalParty(url) {
  const sdk = await connect(url);
  const { partyId, keys } = await Wallet.create(sdk, url, 'story-external');
  assert.equal(partyId.split('::')[1], await sdk.keys.fingerprint(keys.publicKey));
  assert.ok((await sdk.party.list()).includes(partyId));
}

export async function keepsUsersApart(url) {
  const operator = await connect(url);
  const [one, two] = await Promise.all(
    ['story-one', 'story-two'].map(async (userId) => {
      const primaryParty = await operator.party.internal.allocate({ partyHint: `${userId}-primary` });
      const user = await operator.user.create({ userId, primaryParty, userRights: { participantAdmin: true } });
      assert.equal(user.id, userId);
      const sdk = await connect(url, userId);
      return { sdk, ...(await Wallet.create(sdk, url, userId)) };
    }),
  );
  assert.ok((await one.sdk.party.list()).includes(one.partyId));
  assert.ok(!(await one.sdk.party.list()).includes(two.partyId));

  await one.sdk.user.rights.grant({ userRights: { readAs: [two.partyId] } });
  assert.ok((await one.sdk.party.list()).includes(two.partyId));
  await one.sdk.user.rights.revoke({ userRights: { readAs: [two.partyId] } });
  assert.ok(!(await one.sdk.party.list()).includes(two.partyId));

  await operator.user.rights.grant({ userId: 'story-one', userRights: { canReadAsAnyParty: true } });
  assert.ok((await one.sdk.party.list()).includes(two.partyId));
  const { users } = await operator.user.list();
  for (const id of [OPERATOR, 'story-one', 'story-two'])
    assert.ok(
      users.some((user) => user.id === id),
      id,
    );
}
