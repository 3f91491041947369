// Replay a compact log with an engine.
import { Amount, Engine, GENESIS_TIME, openCompactLog, openEngine, PartyId } from '@coinlab/core';

const alice = PartyId.of('alice');
const log = openCompactLog(7);
const engine = openEngine({ seed: 7, log });
for (let i = 0; i < 1000; i++) {
  const tapped = engine.submit(
    { type: 'Tap', receiver: alice, amount: Amount.of('10') },
    { now: GENESIS_TIME, actAs: [alice] },
  );
  if (!tapped.ok) throw new Error(tapped.error.code);
}

const again = new Engine();
const bad = again.replay(log.whole());
console.log(bad, again.state.offset, again.hash() === engine.hash());

// Prints:
// null 1002 true
