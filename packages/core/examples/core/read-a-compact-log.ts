// Read a compact log.
import { Amount, GENESIS_TIME, openCompactLog, openEngine, PartyId, readCompactLog } from '@coinlab/core';

const alice = PartyId.of('alice');
const log = openCompactLog(7);
const engine = openEngine({ seed: 7, log });
engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('1') }, { now: GENESIS_TIME, actAs: [alice] });
for (const read of readCompactLog(log.whole())) console.log(read.ok ? read.value.kind : read.error);

// Prints:
// LedgerOpened
// RoundsBootstrapped
// Tapped
