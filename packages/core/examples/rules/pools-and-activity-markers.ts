// Pools and activity markers.
import { Amount } from '@coinlab/core';
import { convertibleMarkers, featuredRightOf, poolToMerge, poolTotalOf } from '@coinlab/core/rules';
import { createTestLedger } from '@coinlab/testing';

const world = createTestLedger();
const { alice: provider, bob } = world.parties;
for (const amount of ['3', '1', '2']) world.put({ template: 'UnclaimedReward', amount: Amount.of(amount) });
console.log(Amount.short(poolTotalOf(world.state, 'UnclaimedReward')));
console.log(
  poolToMerge(world.state, 'UnclaimedReward', 2).length,
  poolToMerge(world.state, 'UnclaimedReward', 3).length,
);

world.execute({ type: 'GrantFeaturedAppRight', provider }, world.dso);
console.log(featuredRightOf(world.state, provider)?.provider === provider, featuredRightOf(world.state, bob));

const beneficiaries = [{ beneficiary: bob, weight: '1' }];
world.execute({ type: 'CreateActivityMarker', provider, beneficiaries }, provider);
console.log(convertibleMarkers(world.state).map(({ weight }) => Amount.short(weight)));

// Prints:
// 6.0
// 3 0
// true null
// [ '1.0' ]
