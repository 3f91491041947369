import { Duration, Instant, Round } from '@coinlab/core';
import { expirableCoupons } from '@coinlab/core/rules';
import { dso } from '../cast.js';
import type { RecipesOf } from '../recipe.js';

export const rewards: RecipesOf<
  | 'StartIssuing'
  | 'CloseRound'
  | 'ArchiveClosedRound'
  | 'ClaimExpiredRewards'
  | 'MergeUnclaimedRewards'
  | 'AllocateActivityRecord'
  | 'ExpireActivityRecord'
  | 'GrantDevelopmentFundCoupon'
  | 'WithdrawDevelopmentFundCoupon'
  | 'RejectDevelopmentFundCoupon'
  | 'ExpireDevelopmentFundCoupon'
  | 'MergeDevelopmentFund'
  | 'ReceiveSvRewardCoupon'
  | 'VoteAmuletPrice'
> = {
  StartIssuing: {
    weight: 3,
    needs: ['SummarizingMiningRound'],
    draw: (d) => ({
      command: {
        type: 'StartIssuing',
        round: d.contract('SummarizingMiningRound')?.round ?? Round.of(d.dice.roll(5)),
      },
      actAs: [dso],
    }),
  },

  CloseRound: {
    weight: 1.5,
    needs: ['IssuingMiningRound'],
    draw: (d) => {
      const issuing = d.contract('IssuingMiningRound');
      return {
        command: { type: 'CloseRound', round: issuing?.round ?? Round.of(d.dice.roll(5)) },
        actAs: [dso],
        at: d.after(issuing?.targetClosesAt),
      };
    },
  },

  ArchiveClosedRound: {
    weight: 0.5,
    needs: ['ClosedMiningRound'],
    draw: (d) => ({
      command: {
        type: 'ArchiveClosedRound',
        round: d.contract('ClosedMiningRound')?.round ?? Round.of(d.dice.roll(5)),
      },
      actAs: [dso],
    }),
  },

  ClaimExpiredRewards: {
    weight: 2,
    needs: ['ClosedMiningRound'],
    draw: (d) => {
      const closed = d.contract('ClosedMiningRound', ({ round }) => expirableCoupons(d.state, round).length > 0);
      const round = closed?.round ?? Round.of(d.dice.roll(5));
      const coupons = expirableCoupons(d.state, round, 1 + d.dice.roll(20)).map(({ id }) => id);
      return {
        command: {
          type: 'ClaimExpiredRewards',
          round,
          coupons: d.dice.chance(15)
            ? [...coupons, d.dice.chance(30) ? d.anyId() : d.ref(d.contract('SvRewardCoupon'))]
            : coupons,
        },
        actAs: [dso],
      };
    },
  },

  MergeUnclaimedRewards: {
    weight: 0.7,
    needs: ['UnclaimedReward'],
    draw: (d) => ({
      command: { type: 'MergeUnclaimedRewards', rewards: d.some('UnclaimedReward') },
      actAs: [dso],
    }),
  },

  AllocateActivityRecord: {
    weight: 0.7,
    needs: ['UnclaimedReward'],
    draw: (d) => ({
      command: {
        type: 'AllocateActivityRecord',
        beneficiary: d.party(),
        amount: d.amount(d.pool('UnclaimedReward')),
        reason: d.text(),
        expiresAt: d.ahead(),
      },
      actAs: [dso],
    }),
  },

  ExpireActivityRecord: {
    weight: 0.4,
    needs: ['UnclaimedActivityRecord'],
    draw: (d) => {
      const record = d.contract('UnclaimedActivityRecord');
      return {
        command: { type: 'ExpireActivityRecord', record: d.ref(record) },
        actAs: [dso],
        at: d.after(record?.expiresAt),
      };
    },
  },

  GrantDevelopmentFundCoupon: {
    weight: 1,
    needs: ['UnclaimedDevelopmentFundCoupon'],
    draw: (d) => {
      const fundManager = d.contract('AmuletRules')?.config.developmentFundManager ?? d.party();
      return {
        command: {
          type: 'GrantDevelopmentFundCoupon',
          fundManager,
          beneficiary: d.party(),
          amount: d.amount(d.pool('UnclaimedDevelopmentFundCoupon')),
          reason: d.text(),
          expiresAt: d.ahead(),
        },
        actAs: [fundManager],
      };
    },
  },

  WithdrawDevelopmentFundCoupon: {
    weight: 0.4,
    needs: ['DevelopmentFundCoupon'],
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'WithdrawDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [coupon?.fundManager ?? d.party()],
      };
    },
  },

  RejectDevelopmentFundCoupon: {
    weight: 0.4,
    needs: ['DevelopmentFundCoupon'],
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'RejectDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [coupon?.beneficiary ?? d.party()],
      };
    },
  },

  ExpireDevelopmentFundCoupon: {
    weight: 0.4,
    needs: ['DevelopmentFundCoupon'],
    draw: (d) => {
      const coupon = d.contract('DevelopmentFundCoupon');
      return {
        command: { type: 'ExpireDevelopmentFundCoupon', coupon: d.ref(coupon) },
        actAs: [dso],
        at: d.after(coupon?.expiresAt),
      };
    },
  },

  MergeDevelopmentFund: {
    weight: 0.5,
    needs: ['UnclaimedDevelopmentFundCoupon'],
    draw: (d) => ({
      command: { type: 'MergeDevelopmentFund', coupons: d.some('UnclaimedDevelopmentFundCoupon') },
      actAs: [dso],
    }),
  },

  ReceiveSvRewardCoupon: {
    weight: 1.5,
    needs: ['DsoRules'],
    draw: (d) => {
      const sv = d.sv();
      const weight = d.contract('DsoRules')?.svs.find(({ party }) => party === sv)?.rewardWeight ?? 1;
      const [all, parts] = [
        [{ beneficiary: sv, weight }],
        [
          { beneficiary: sv, weight: weight - 1 },
          { beneficiary: d.party(), weight: 1 },
        ],
      ];
      return {
        command: {
          type: 'ReceiveSvRewardCoupon',
          sv,
          beneficiaries: d.dice.pick([all, parts, all, [...all, ...all], [], parts.slice(0, 1)]),
          ...(d.dice.chance(20) ? { round: d.round() } : {}),
        },
        actAs: [sv],
      };
    },
  },

  VoteAmuletPrice: {
    weight: 0.7,
    needs: ['DsoRules'],
    draw: (d) => {
      const sv = d.sv();
      return {
        command: { type: 'VoteAmuletPrice', sv, amuletPrice: d.dice.chance(20) ? null : d.price() },
        actAs: [sv],
        at: Instant.plus(d.now, Duration.seconds(d.dice.roll(3) * 30)),
      };
    },
  },
};
