import {
  Amount,
  balanceOf,
  Duration,
  GENESIS_TIME,
  inputsCovering,
  Instant,
  openLedger,
  PartyId,
  pendingTransfersOf,
  type Command,
} from '@coinlab/core';

const [alice, bob, now] = [PartyId.of('alice'), PartyId.of('bob'), GENESIS_TIME];
let ledger = openLedger();

function submit(actor: PartyId, command: Command): void {
  const decided = ledger.submit(command, { now, actAs: [actor] });
  if (!decided.ok) throw new Error(decided.error.code);
  ledger = decided.value.ledger;
}

submit(alice, { type: 'Tap', receiver: alice, amount: Amount.of('10') });
const [amount, executeBefore] = [Amount.of('2.5'), Instant.plus(now, Duration.hours(1))];
const inputs = inputsCovering(ledger.state, alice, amount);
submit(alice, { type: 'CreateOffer', sender: alice, receiver: bob, amount, inputs, executeBefore });
const [pending] = pendingTransfersOf(ledger.state, bob, now);
if (pending) submit(bob, { type: 'AcceptOffer', instruction: pending.instruction.id });
console.log(`bob has ${Amount.short(balanceOf(ledger.state, bob).total)}`);
