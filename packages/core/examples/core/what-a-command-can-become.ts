// What a command can become.
import { COMMANDS, EARLY_REFUSALS, nearestTo, undeclaredOutcome, WORKFLOWS } from '@coinlab/core/workflows';
import { createTestLedger } from '@coinlab/testing';

console.log(COMMANDS.Tap.becomes, COMMANDS.Tap.refusals.slice(0, 3), COMMANDS.Tap.source);
console.log(EARLY_REFUSALS);
console.log('direct' in WORKFLOWS, nearestTo('Tapp', Object.keys(COMMANDS)));

const world = createTestLedger();
const result = world.submit({ type: 'Tap', receiver: world.parties.alice, amount: '1' }, world.parties.alice);
console.log(undeclaredOutcome('Tap', result));

// Prints:
// [ 'Tapped' ] [ 'UNKNOWN_PARTY', 'NOT_AUTHORISED', 'DEVNET_ONLY' ] §3.4
// [
//   'INVALID_ARGUMENT',
//   'TIME_IN_PAST',
//   'NOT_BOOTSTRAPPED',
//   'NOT_AUTHORISED'
// ]
// true Tap
// null
