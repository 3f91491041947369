// Offers and traffic requests of a wallet.
import { Duration } from '@coinlab/core';
import { autoAccept, completeOffers, completeTrafficRequests, expireOffers, type Policy } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}

const expiresAt = world.later('1h');
const terms = { amount: '5', unit: 'coin', trackingId: 'rent', description: 'rent' } as const;
world.execute({ type: 'CreateWalletOffer', sender: alice, receiver: bob, expiresAt, ...terms }, alice);
run(autoAccept(bob, { fromParties: [alice], instructions: 'none' }));
run(completeOffers({ party: alice, validator: alice }));

const traffic = { endUser: alice, memberId: 'PAR::alice::1220', trafficBytes: 1_000_000 };
world.execute({ type: 'CreateTrafficRequest', ...traffic, trackingId: 'one', expiresAt }, alice);
run(completeTrafficRequests({ party: alice, validator: alice }));

world.execute({ type: 'CreateTrafficRequest', ...traffic, trackingId: 'two', expiresAt }, alice);
world.advance('2h');
run(expireOffers({ party: alice }, Duration.seconds(5)));

// Prints:
// WalletOfferAccepted
// WalletOfferCompleted
// TrafficRequestCompleted
// TrafficRequestExpired
