// Rounds and licenses.
import { Round } from '@coinlab/core';
import { faucetStatisticsOf, roundStandingOf, roundStandingsOf, scanFaucetStatistics } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice } = world.parties;
world.execute({ type: 'GrantValidatorLicense', validator: alice, sponsor: world.dso }, world.dso);
world.execute({ type: 'RecordValidatorLivenessActivity', validator: alice }, alice);
world.advanceToRound(3);
world.execute({ type: 'RecordValidatorLivenessActivity', validator: alice }, alice);

for (const { phase, usable, contract } of roundStandingsOf(world.state, world.now))
  console.log(contract.round, phase, usable);
console.log(roundStandingOf(world.state, Round.of(9), world.now));
const statistics = faucetStatisticsOf(world.state, alice);
console.log(statistics?.numRoundsCollected, statistics?.numRoundsMissed, scanFaucetStatistics(world.state).length);

// Prints:
// 3 open true
// 2 open true
// 1 open true
// 0 summarizing false
// null
// 2 1 1
