import type { DevelopmentFundCoupon } from '../contracts/rewards.js';
import type { ContractId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { Update } from '../log/update.js';

/** How a coupon of the development fund ended. */
export type FundCouponEnd = 'withdrawn' | 'rejected' | 'claimed' | 'expired';

/** An ended coupon of the development fund. Source: specification §3.6. */
export interface EndedFundCoupon {
  readonly coupon: DevelopmentFundCoupon;
  readonly createdAt: Instant;
  readonly endedAt: Instant;
  readonly end: FundCouponEnd;
  /** Reason of a withdrawal; null for none. */
  readonly reason: string | null;
}

const ENDS: { readonly [Kind in Update['kind']]?: FundCouponEnd } = {
  DevelopmentFundCouponWithdrawn: 'withdrawn',
  DevelopmentFundCouponRejected: 'rejected',
  DevelopmentFundCouponExpired: 'expired',
};

/** The coupons of the development fund that have ended, collected from all updates of a log. Source: specification §3.6. */
export class FundHistory {
  readonly #open: Map<ContractId, { readonly coupon: DevelopmentFundCoupon; readonly createdAt: Instant }> = new Map();
  readonly #ended: EndedFundCoupon[] = [];

  /** Ended coupons, in the order in which they ended. */
  get ended(): readonly EndedFundCoupon[] {
    return this.#ended;
  }

  add(update: Update): void {
    const { archived, created, recordTime } = update;
    if (this.#open.size > 0)
      for (const id of archived) {
        const open = this.#open.get(id);
        if (!open) continue;
        this.#open.delete(id);
        // All other kinds that archive a coupon mint it.
        const end = ENDS[update.kind] ?? 'claimed';
        const reason = update.kind === 'DevelopmentFundCouponWithdrawn' ? (update.detail.withdrawnFor ?? null) : null;
        this.#ended.push({ ...open, endedAt: recordTime, end, reason });
      }
    for (const coupon of created)
      if (coupon.template === 'DevelopmentFundCoupon') this.#open.set(coupon.id, { coupon, createdAt: recordTime });
  }
}
