// One transfer.
import { Amount } from '@coinlab/core';
import { preapprovalOf, registryRound, sendPreapproved, transfer, walletRound } from '@coinlab/core/rules';
import { Effects } from '@coinlab/core/workflows';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob, carol } = world.parties;
const round = walletRound(world.state, world.now);
if (!round.ok) throw new Error('a test ledger has open rounds');
console.log(round.value.round, Amount.short(round.value.price), round.value.isFree);
console.log(registryRound(world.state, world.now).ok);

const outputs = [
  { receiver: bob, amount: Amount.of('2.5') },
  { receiver: carol, amount: Amount.of('1') },
];
const request = { sender: alice, provider: alice, inputs: world.inputsFor(alice, '3.5'), outputs };
const done = transfer({ ...request, round: round.value, now: world.now }, world.state, new Effects(world.state));
if (done.ok) {
  console.log(done.value.outputs.map(({ amount }) => Amount.short(amount)));
  console.log(done.value.change && Amount.short(done.value.change.amount));
}

const preapproval = preapprovalOf(world.state, bob, world.now);
if (!preapproval) throw new Error('the parties of a test ledger have preapprovals');
const send = { sender: alice, amount: Amount.of('2.5'), inputs: world.inputsFor(alice, '2.5'), preapproval };
const sent = sendPreapproved({ ...send, round: round.value, now: world.now }, world.state, new Effects(world.state));
console.log(sent.ok && sent.value.outputs.map(({ owner }) => owner === bob));

// Prints:
// 1 0.005 true
// true
// [ '2.5', '1.0' ]
// 9996.5
// [ true ]
