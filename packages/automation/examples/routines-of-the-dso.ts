// Routines of the DSO. `dsoRoutines` returns the policies of the DSO by name, in the order in which they run (§8.10).
import { DSO_DEFAULTS, dsoRoutines } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
world.advance('20m');
for (const [name, policy] of Object.entries(dsoRoutines(DSO_DEFAULTS))) {
  const tasks = policy(world.state, world.now);
  if (tasks.length > 0)
    console.log(
      name,
      tasks.map(({ command }) => command.type),
    );
}

// Prints:
// advance rounds [ 'AdvanceOpenRounds' ]
