// Prepare a command for a signature. A party with a key of its own acts by signature. `prepare` refuses what the
// ledger would refuse, and returns the text to sign.
import { Amount, explain, GENESIS_TIME, openLedger, PartyId, prepare } from '@coinlab/core';

const alice = PartyId.of('alice');
const command = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
const prepared = prepare({ party: alice, command, now: GENESIS_TIME }, openLedger().state);
console.log(prepared.ok ? prepared.value.hash : explain(prepared.error));

// Prints:
// Not found: the key of alice.
