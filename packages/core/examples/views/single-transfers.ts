// Single transfers.
import { UPDATE_KINDS } from '@coinlab/core';
import { isOfTransferCommand, trackingOf, transferCommandStatuses, updateCreating } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob, carol } = world.parties;
const offer = world.as(alice).offer(bob, '1', { trackingId: 'rent' });
const tracked = trackingOf(world.state, bob, 'transfer', 'rent');
if (!tracked) throw new Error('the offer has a tracking id');
const log = world.updates();
const found = updateCreating(tracked.id, world.state.offset, (offset) => log[offset - 1] ?? offer);
console.log(tracked.status, found?.kind, found?.offset === offer.offset);

const terms = { sender: alice, receiver: bob, delegate: carol, amount: '5', nonce: 0 } as const;
world.execute({ type: 'CreateTransferCommand', ...terms, expiresAt: world.later('1h') }, alice);
console.log(transferCommandStatuses(world.updates(), alice, 0).map(({ status }) => status));
console.log(UPDATE_KINDS.filter(isOfTransferCommand).length);

// Prints:
// created TransferOffered true
// [ 'created' ]
// 5
