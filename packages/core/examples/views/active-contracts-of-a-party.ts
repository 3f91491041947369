// Active contracts of a party.
import { Amount } from '@coinlab/core';
import { acsOf, eachInAcs, holdingsSummaryOf, scanAcs } from '@coinlab/core/views';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice, bob } = world.parties;
world.as(alice).offer(bob, '10', { expiresIn: '1h' });
const { state } = world;

console.log(acsOf(state, bob).map(({ template }) => template));
console.log(scanAcs(state, { templates: ['Holding'] }).length);
const [rules] = eachInAcs(state, null, { templates: ['AmuletRules', 'OpenMiningRound'] });
console.log(rules?.template);
const summary = holdingsSummaryOf(state, alice);
if (summary) console.log(Amount.short(summary.locked), Amount.short(summary.available), summary.asOfRound);

// Prints:
// [ 'TransferPreapproval', 'Holding', 'TransferInstruction' ]
// 11
// AmuletRules
// 10.0 9990.0 0
