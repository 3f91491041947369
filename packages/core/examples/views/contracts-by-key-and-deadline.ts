// Contracts by key and deadline.
import { Instant, PartyId, stateHash } from '@coinlab/core';
import { contractCount, contractsAbout, countByKey, dueBy, dueOf, forkState, scanContracts } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
world.as(alice).offer(bob, '1', { expiresIn: '1h' });
const { state } = world;

console.log(countByKey(state, 'TransferPreapproval', `receiver:${bob}`));
console.log([...contractsAbout(state, 'TransferPreapproval', bob)].length);
console.log([...dueBy(state, world.later('1h'))].map(({ template }) => template));
for (const { receiver, expiresAt } of dueOf(state, 'TransferPreapproval', world.later('365d'))) {
  console.log(PartyId.hint(receiver), Instant.format(expiresAt));
  break;
}
console.log([...scanContracts(state)].length === contractCount(state));
const fork = forkState(state);
console.log(fork === state, stateHash(fork) === stateHash(state));

// Prints:
// 1
// 1
// [
//   'OpenMiningRound',
//   'OpenMiningRound',
//   'OpenMiningRound',
//   'TransferInstruction'
// ]
// alice 2027-01-01T00:00:00.000000Z
// true
// false true
