// Rounds.
import { Amount } from '@coinlab/core';
import { closableRounds, closedRounds, hasCurrentRound, nextAmuletPrice, summarizingRounds } from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
console.log(hasCurrentRound(world.state, world.now), hasCurrentRound(world.state, world.later('24h')));
console.log(Amount.short(nextAmuletPrice(world.state) ?? Amount.zero));

world.advanceToRound(3);
for (const { round } of summarizingRounds(world.state)) world.execute({ type: 'StartIssuing', round }, world.dso);
world.advance('1h');
for (const { round } of closableRounds(world.state, world.now)) world.execute({ type: 'CloseRound', round }, world.dso);
console.log(closedRounds(world.state).map(({ round }) => round));

// Prints:
// true false
// 0.005
// [ 0 ]
