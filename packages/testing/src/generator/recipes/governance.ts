import { Amount, Duration, genesisConfig, type AmuletConfig } from '@coinlab/core';
import { ANS_CONFIG, DSO_CONFIG } from '@coinlab/core/rules';
import type { GovernanceAction } from '@coinlab/core/contracts';
import { dso, founders, people, provider } from '../cast.js';
import type { Draw } from '../draw.js';
import type { RecipesOf } from '../recipe.js';

export const governance: RecipesOf<'BootstrapDso' | 'ExecuteAction' | 'RequestVote' | 'CastVote' | 'CloseVote'> = {
  BootstrapDso: {
    weight: 0.2,
    draw: (d) => ({
      command: {
        type: 'BootstrapDso',
        svs: founders.slice(0, 4 - d.dice.roll(5)).map((party, i) => ({
          party,
          name: d.dice.chance(3) ? '' : `SV ${i + 1}`,
          rewardWeight: 100 * (i + 1),
          participantId: `PAR::sv${i + 1}::1220`,
        })),
        ...(d.dice.chance(20) ? { config: { ...DSO_CONFIG, voteCooldown: Duration.seconds(d.dice.roll(3)) } } : {}),
      },
      actAs: [dso],
    }),
  },

  ExecuteAction: {
    weight: 2,
    draw: (d) => ({ command: { type: 'ExecuteAction', action: governanceAction(d) }, actAs: [dso] }),
  },

  RequestVote: {
    weight: 1,
    needs: ['DsoRules'],
    draw: (d) => {
      const requester = d.sv();
      const voteBefore = d.ahead();
      return {
        command: {
          type: 'RequestVote',
          requester,
          action: governanceAction(d),
          reason: { url: '', body: d.text() },
          ...(d.dice.chance(50) ? { voteBefore } : {}),
          ...(d.dice.chance(25) ? { targetEffectiveAt: d.dice.pick([d.ahead(), voteBefore]) } : {}),
        },
        actAs: [requester],
      };
    },
  },

  CastVote: {
    weight: 3,
    needs: ['VoteRequest'],
    draw: (d) => {
      const request = d.contract('VoteRequest');
      const sv = d.sv();
      return {
        command: {
          type: 'CastVote',
          request: d.ref(request),
          sv,
          accept: !d.dice.chance(35),
          reason: { url: '', body: d.text() },
        },
        actAs: [sv],
        at: d.dice.chance(10) ? d.before(request?.targetEffectiveAt ?? request?.voteBefore) : d.now,
      };
    },
  },

  CloseVote: {
    weight: 1.5,
    needs: ['VoteRequest'],
    draw: (d) => {
      const request = d.contract('VoteRequest', ({ votes }) => votes.length > 1);
      return {
        command: { type: 'CloseVote', request: d.ref(request) },
        actAs: [d.dice.chance(30) ? dso : d.sv()],
        at: d.dice.chance(30) ? d.after(request?.targetEffectiveAt ?? request?.voteBefore) : d.now,
      };
    },
  },
};

function governanceAction(d: Draw): GovernanceAction {
  const { dice } = d;
  const sv = d.sv();
  const actions: (() => GovernanceAction)[] = [
    () => ({ type: 'GrantFeaturedAppRight', provider: d.other(provider) }),
    () => ({ type: 'RevokeFeaturedAppRight', right: d.ref(d.contract('FeaturedAppRight')) }),
    () => ({
      type: 'AllocateUnclaimedActivityRecord',
      beneficiary: d.party(),
      amount: d.amount(d.pool('UnclaimedReward')),
      reason: d.text(),
      expiresAt: d.ahead(),
    }),
    () => ({
      type: 'AddSv',
      party: dice.pick([...founders, ...people, provider]),
      name: dice.pick(['SV 5', 'SV 6', 'SV 1', '']),
      rewardWeight: dice.roll(1000) - 1,
      participantId: 'PAR::new::1220',
    }),
    () => ({ type: 'OffboardSv', party: sv }),
    () => ({ type: 'SetSvRewardWeight', party: sv, rewardWeight: dice.roll(1000) - 1 }),
    () => {
      const baseConfig = d.contract('AmuletRules')?.config ?? genesisConfig('feeless');
      return { type: 'SetAmuletConfig', baseConfig, newConfig: changedConfig(d, baseConfig) };
    },
    () => ({
      type: 'SetDsoConfig',
      baseConfig: DSO_CONFIG,
      newConfig: { ...DSO_CONFIG, mergeUnclaimedRewardsAbove: dice.roll(4), voteCooldown: Duration.seconds(1) },
    }),
    () => ({
      type: 'SetAnsConfig',
      baseConfig: ANS_CONFIG,
      newConfig: { ...ANS_CONFIG, entryFeeUsd: Amount.ofWhole(dice.roll(3)) },
    }),
  ];
  // Cast: `pick` returns undefined only for an empty list.
  return (dice.pick(actions) as () => GovernanceAction)();
}

function changedConfig(d: Draw, base: AmuletConfig): AmuletConfig {
  const { transferConfigUsd } = base;
  const withTransfer = (changed: Partial<AmuletConfig['transferConfigUsd']>): AmuletConfig => ({
    ...base,
    transferConfigUsd: { ...transferConfigUsd, ...changed },
  });
  return d.dice.pick([
    withTransfer({ maxNumInputs: 100 - d.dice.roll(98) }),
    withTransfer({ maxNumOutputs: 1 + d.dice.roll(3), maxNumLockHolders: d.dice.roll(2) }),
    withTransfer({ holdingFee: Amount.of(d.dice.pick(['0.0000190259', '0.00002', '1', '0'])) }),
    withTransfer({ createFee: Amount.of(d.dice.pick(['0', '0.03', '0.01'])) }),
    { ...base, tickDuration: Duration.seconds(600 - d.dice.roll(3) * 300) },
    { ...base, transferPreapprovalFeeUsd: Amount.of(d.dice.pick(['0.00274', '0', '1', '-1'])) },
    { ...base, featuredAppActivityMarkerAmountUsd: d.dice.chance(50) ? null : Amount.of('2') },
    { ...base, developmentFundManager: d.dice.chance(20) ? null : d.dice.pick(people) },
    { ...base, traffic: { ...base.traffic, minTopupBytes: 200_000 - d.dice.roll(200_001) } },
  ]);
}
