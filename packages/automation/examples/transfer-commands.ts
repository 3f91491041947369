// Transfer commands.
import { Duration } from '@coinlab/core';
import {
  DSO_DEFAULTS,
  dsoRoutines,
  expireTransferCommands,
  sendTransferCommands,
  type Policy,
} from '@coinlab/automation';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob, carol } = world.parties;
function run(policy: Policy): void {
  for (const { command, actAs } of policy(world.state, world.now)) console.log(world.execute(command, ...actAs).kind);
}

const terms = { sender: alice, receiver: bob, delegate: carol, amount: '5', expiresAt: world.later('1h') } as const;
world.execute({ type: 'CreateTransferCommand', ...terms, nonce: 0 }, alice);
for (const routine of Object.values(dsoRoutines(DSO_DEFAULTS))) run(routine);
run(sendTransferCommands(carol));
world.execute({ type: 'CreateTransferCommand', ...terms, nonce: 2 }, alice);
world.advance('2h');
run(expireTransferCommands(carol, Duration.seconds(5)));

// Prints:
// TransferCommandCounterCreated
// TransferCommandSent
// TransferCommandExpired
