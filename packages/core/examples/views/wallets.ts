// Wallets.
import { Amount } from '@coinlab/core';
import { offersBetweenKey, walletUserKey } from '@coinlab/core/contracts';
import { countByKey, externalBalanceOf, firstByKey, tappedFor, walletCoinsOf } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger({ amuletPrice: Amount.of('0.5') });
const { alice, bob, carol } = world.parties;
const coins = walletCoinsOf(world.state, alice, world.now);
console.log(
  coins?.unlocked.map(({ effective }) => Amount.short(effective)),
  coins?.locked.length,
);

const tapped = tappedFor(world.state, Amount.of('10'), world.now);
if (tapped.ok) console.log(Amount.short(tapped.value));

console.log(externalBalanceOf(world.state, bob, carol));
world.execute({ type: 'CreateValidatorRight', user: bob, validator: carol }, bob, carol);
console.log(Amount.short(externalBalanceOf(world.state, bob, carol)?.total ?? Amount.zero));

world.execute({ type: 'OnboardUser', validator: carol, endUserName: 'bob', endUser: bob }, carol, bob);
console.log(firstByKey(world.state, 'WalletAppInstall', walletUserKey(carol, 'bob'))?.endUser === bob);
const terms = { amount: '5', unit: 'coin', trackingId: 'rent', description: 'rent' } as const;
const offer = {
  type: 'CreateWalletOffer',
  sender: alice,
  receiver: bob,
  expiresAt: world.later('1h'),
  ...terms,
} as const;
world.execute(offer, alice);
console.log(countByKey(world.state, 'TransferOffer', offersBetweenKey(alice, bob)));

// Prints:
// [ '10000.0' ] 0
// 20.0
// null
// 10000.0
// true
// 1
