import { faultIn, type Fault } from '../fault.ts';

const DUST = 'workflows/dust.ts';

export const roundFaults: readonly Fault[] = [
  faultIn(DUST, {
    name: 'dust-one-round-early',
    what: 'A coin expires as dust one round too early.',
    find: 'if (!isDust(coin, judgedAt, profile.dustAtEquality))',
    replace: 'if (!isDust(coin, (judgedAt + 1) as Round, profile.dustAtEquality))',
  }),
  faultIn('contracts/holding.ts', {
    name: 'dust-at-equality',
    what: 'A coin expires as dust when its amount equals its accrued fee instead of being below it.',
    find: 'initial / ratePerRound + 1n;',
    replace: '(initial + ratePerRound - 1n) / ratePerRound;',
  }),
  faultIn(DUST, {
    name: 'dust-while-locked',
    what: 'A coin expires as dust while it is locked.',
    find: 'if (coin.lock && context.now < coin.lock.expiresAt && !profile.expiresLockedDust) {',
    replace: 'if (coin.lock && context.now < state.time && !profile.expiresLockedDust) {',
  }),
  faultIn('rules/transfer/transfer.ts', {
    name: 'coupon-minted-twice',
    what: 'A reward coupon stays active after it was minted.',
    find: 'effects.archive(input);\n  }',
    replace: "if (input.template !== 'AppRewardCoupon') effects.archive(input);\n  }",
  }),
  faultIn('rules/rewards/rewards.ts', {
    name: 'coupon-for-unfeatured',
    what: 'A provider without the featured right earns the reward of a featured one.',
    find: 'const featured = featuredAppRight !== null;',
    replace: 'const featured = true;',
  }),
  faultIn('rules/transfer/transfer.ts', {
    name: 'grant-at-expiry',
    what: 'A grant can be minted exactly at its expiry.',
    find: "if (now >= input.expiresAt) return { code: 'DEADLINE_PASSED'",
    replace: "if (now > input.expiresAt) return { code: 'DEADLINE_PASSED'",
  }),
  faultIn('workflows/issuing.ts', {
    name: 'round-closed-early',
    what: 'An issuing round is closed before its target close, so its coupons are lost.',
    find: 'if (now < open.targetClosesAt) return',
    replace: 'if (now < open.opensAt) return',
  }),
  faultIn('workflows/rounds.ts', {
    name: 'rounds-advanced-early',
    what: 'The open rounds advance before the oldest reaches its target close.',
    find: 'refuseUntil(earliest, now)',
    replace: 'refuseUntil(oldest.opensAt, now)',
  }),
];
