import { allOf } from '@coinlab/core/views';
import { Amount } from '@coinlab/core';
import { dso } from '../../generator/cast.js';
import { diagramOf } from '../diagram.js';
import type { SmallWorld } from '../small-world.js';
import { after, alice, bob, preapprove, prepared, type Lifecycle } from './lifecycle.js';

const ROUND_TIMES = [after(20), after(60)];
const ONE_AT_A_TIME = { SummarizingMiningRound: 1, IssuingMiningRound: 1, ClosedMiningRound: 1 } as const;

export const ROUND_LIFECYCLES: readonly Lifecycle[] = [
  {
    name: 'mining-round',
    world: () => ({
      parties: [alice],
      amounts: [Amount.of('0.15')],
      commands: ['AdvanceOpenRounds', 'StartIssuing', 'CloseRound', 'ArchiveClosedRound'],
      deadlines: ROUND_TIMES,
      most: ONE_AT_A_TIME,
      depth: 5,
    }),
    observe: () =>
      diagramOf(
        'Mining round',
        ['OpenMiningRound', 'SummarizingMiningRound', 'IssuingMiningRound', 'ClosedMiningRound'],
        ({ template }) => template.replace('MiningRound', ''),
        { isSame: (contract, other) => contract.round === other.round },
      ),
  },
  {
    name: 'app-reward-coupon',
    world: couponWorld,
    observe: () => diagramOf('App reward coupon', ['AppRewardCoupon'], () => 'Active'),
  },
];

function couponWorld(): SmallWorld {
  const start = prepared((test) => {
    test.execute({ type: 'GrantFeaturedAppRight', provider: alice }, dso);
    preapprove(test, bob);
    const inputs = test.inputsFor(alice, '0.5');
    test.execute({ type: 'DirectTransfer', sender: alice, receiver: bob, amount: Amount.of('0.5'), inputs }, alice);
    test.advanceTo(after(20)).execute({ type: 'AdvanceOpenRounds', amuletPrice: Amount.ofWhole(100) }, dso);
  });
  const coupons = [...allOf(start.state, 'AppRewardCoupon')].map(({ id }) => id);
  return {
    parties: [alice],
    amounts: [Amount.ofWhole(100)],
    commands: ['AdvanceOpenRounds', 'StartIssuing', 'MergeHoldings', 'CloseRound', 'ClaimExpiredRewards'],
    choices: { inputs: [coupons], coupons: [coupons] },
    deadlines: [after(30), after(70)],
    most: { ...ONE_AT_A_TIME, SummarizingMiningRound: 2 },
    start,
    depth: 5,
  };
}
