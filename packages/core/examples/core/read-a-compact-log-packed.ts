// Read a compact log without unpacking its transfers, and follow it.
import {
  Amount,
  Engine,
  entryFor,
  GENESIS_TIME,
  openCompactLog,
  openEngine,
  PartyId,
  readCompactEntries,
} from '@coinlab/core';

const alice = PartyId.of('alice');
const log = openCompactLog(7);
const engine = openEngine({ seed: 7, log });
engine.submit({ type: 'Tap', receiver: alice, amount: Amount.of('1') }, { now: GENESIS_TIME, actAs: [alice] });
const follower = new Engine();
for (const read of readCompactEntries(log.whole(), follower.state))
  if (read.ok) follower.apply(entryFor(follower.state, read.value));
console.log(follower.state.offset, follower.hash() === engine.hash());

// Prints:
// 3 true
