// Rewards, merges and sweeps of a wallet.
import { Amount } from '@coinlab/core';
import { amountToSweep, collect, sweep } from '@coinlab/automation';
import { newestUsableRound } from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
console.log(collect({ party: alice })(world.state, world.now));
world.mint(alice, '5');
for (const { command } of collect({ party: alice })(world.state, world.now)) console.log(command.type);

const config = {
  receiver: bob,
  maxBalanceUSD: Amount.of('40'),
  minBalanceUSD: Amount.of('10'),
  useTransferPreapproval: true,
};
const open = newestUsableRound(world.state, world.now);
const swept = open && amountToSweep(world.state, alice, config, open);
console.log(swept !== null && Amount.short(swept));
for (const { command } of sweep(alice, config, 'public')(world.state, world.now)) console.log(command.type);

// Prints:
// []
// MergeHoldings
// 8005.0
// DirectTransfer
