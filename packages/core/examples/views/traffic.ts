// Traffic.
import { messageBytesOf, trafficStatusOf } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
console.log(messageBytesOf(world.as(alice).pay(bob, '1')));

const member = { memberId: 'PAR::validator::1220', synchronizerId: 'global', migrationId: 0 };
console.log(trafficStatusOf(world.state, member, world.now));

// Prints:
// 8800
// {
//   baseBytes: 400000,
//   extraBytes: 0,
//   purchasedBytes: 0,
//   consumedBytes: 0
// }
