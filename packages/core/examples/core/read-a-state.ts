// Read a state.
import {
  Amount,
  contractsOf,
  find,
  holdingsOf,
  inputsToMerge,
  isKnownParty,
  PartyId,
  pendingTransfersOf,
  rulesOf,
  supplyOf,
  utxoCountOf,
} from '@coinlab/core';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
world.as(alice).pay(bob, '2.5');
const offer = world.as(alice).offer(bob, '1', { expiresIn: '1h' });
const { state, now } = world;

console.log(utxoCountOf(state, bob), inputsToMerge(state, bob).length);
console.log([...holdingsOf(state, bob, 'largest')].map(({ amount }) => Amount.short(amount)));
console.log(pendingTransfersOf(state, bob, now).map(({ status }) => status));
console.log(find(state, 'TransferInstruction', offer.detail.instruction)?.transfer.sender === alice);
console.log([...contractsOf(state, 'TransferPreapproval', bob)].length, isKnownParty(state, PartyId.of('zoe')));
console.log(rulesOf(state)?.config.transferConfigUsd.maxNumInputs, Amount.short(supplyOf(state).supply));

// Prints:
// 2 2
// [ '10000.0', '2.5' ]
// [ 'pending' ]
// true
// 1 false
// 100 100000.0
