// Names. `renewNames` pays for the next interval of a wallet's names in their renewal window (§3.19). The DSO's
// routines collect the payments.
import { DSO_DEFAULTS, dsoRoutines, renewNames, type Policy } from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice } = world.parties;
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}

const founder = { party: alice, name: 'SV', rewardWeight: 10, participantId: 'PAR::sv' };
world.execute({ type: 'BootstrapDso', svs: [founder] }, world.dso);
const name = { name: 'alice.unverified.ans', url: '', description: '' };
const { detail } = world.execute({ type: 'RequestAnsEntry', user: alice, ...name }, alice);
const inputs = world.inputsFor(alice, '10');
world.execute({ type: 'PayAnsSubscription', subscription: detail.reference, inputs }, alice);
for (const routine of Object.values(dsoRoutines(DSO_DEFAULTS))) run(routine);
world.advance('61d');
run(renewNames({ party: alice }));

// Prints:
// AnsPaymentCollected
// AnsPaymentMade
