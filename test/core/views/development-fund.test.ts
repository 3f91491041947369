import {
  Duration,
  Instant,
  PROFILE_NAMES,
  type Contract,
  type ContractId,
  type Step,
  type Update,
} from '@coinlab/core';
import { FundHistory } from '@coinlab/core/views';
import { expect, it } from 'vitest';
import { recordedSteps } from '../recorded.ts';

it.each(PROFILE_NAMES)('the fund’s history shows how each coupon of the recorded log of %s ended', (profile) => {
  const history = new FundHistory();
  const steps = recordedSteps(profile);
  const since = new Map<ContractId, readonly [Contract, Instant]>();
  const told: object[] = [];
  for (const { update } of steps) {
    history.add(update);
    const { kind, recordTime, detail } = update;
    for (const contract of update.created)
      if (contract.template === 'DevelopmentFundCoupon') since.set(contract.id, [contract, recordTime]);
    for (const id of update.archived) {
      const [coupon, createdAt] = since.get(id) ?? [];
      if (!coupon) continue;
      const end = /^DevelopmentFundCoupon(Withdrawn|Rejected|Expired)$/.exec(kind)?.[1]?.toLowerCase() ?? 'claimed';
      const reason = 'withdrawnFor' in detail ? (detail.withdrawnFor ?? null) : null;
      told.push({ coupon, createdAt, endedAt: recordTime, end, reason });
    }
  }
  expect(history.ended).toEqual(told);
  expect(told.length > 0).toBe(profile !== 'legacy-fees');
});

it('a development fund coupon that another choice archived counts as claimed at that time', () => {
  const steps = recordedSteps('feeless');
  const history = new FundHistory();
  const granted = steps.findIndex(({ update }) => update.kind === 'DevelopmentFundCouponGranted');
  for (const { update } of steps.slice(0, granted + 1)) history.add(update);
  const { update } = steps[granted] as Step;
  const coupon = update.created.find(({ template }) => template === 'DevelopmentFundCoupon');
  const recordTime = Instant.plus(update.recordTime, Duration.hours(1));
  const minted = { ...update, kind: 'HoldingsMerged', recordTime, archived: [coupon?.id], created: [] };
  history.add(minted as unknown as Update);
  const createdAt = update.recordTime;
  expect(history.ended).toEqual([{ coupon, createdAt, endedAt: recordTime, end: 'claimed', reason: null }]);
});

it.each([
  ['DevelopmentFundCouponWithdrawn', 'withdrawn', 'no longer needed'],
  ['DevelopmentFundCouponRejected', 'rejected', null],
  ['DevelopmentFundCouponExpired', 'expired', null],
])('a coupon with the outcome %s has a reason only if it was withdrawn', (kind, end, reason) => {
  const steps = recordedSteps('feeless');
  const history = new FundHistory();
  const granted = steps.findIndex(({ update }) => update.kind === 'DevelopmentFundCouponGranted');
  for (const { update } of steps.slice(0, granted + 1)) history.add(update);
  const { update } = steps[granted] as Step;
  const coupon = update.created.find(({ template }) => template === 'DevelopmentFundCoupon');
  const detail = { ...update.detail, withdrawnFor: 'no longer needed' };
  history.add({ ...update, kind, archived: [coupon?.id], created: [], detail } as unknown as Update);
  expect(history.ended).toMatchObject([{ coupon, end, reason }]);
});
