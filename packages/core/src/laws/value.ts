import type { Contract } from '../contracts/contract.js';
import { archivedIn, archivedOf } from '../rules/consent.js';
import { isCoupon, type Coupon } from '../rules/rewards/coupons.js';
import type { Holding } from '../contracts/holding.js';
import { find, firstByKey, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { UpdateKind } from '../log/update.js';
import { isRoundCoupon } from '../rules/rewards/coupons.js';
import { accruedFee } from '../rules/transfer/fees.js';
import { payoutOf } from '../rules/rewards/issuance.js';
import { newestUsableRound } from '../rules/rounds.js';
import type { TrafficPurchaseDetail } from '../rules/traffic/traffic-purchase.js';
import type { Law, Step } from './law.js';
import { createdOf, feesOf, isFeeless, isKind, totalOf, transferOf, type StepOf } from './touched.js';

const EXPIRES_COUPONS: readonly UpdateKind[] = [
  'ExpiredRewardsClaimed',
  'ActivityRecordExpired',
  'DevelopmentFundCouponWithdrawn',
  'DevelopmentFundCouponRejected',
  'DevelopmentFundCouponExpired',
];

type AmountByKind = { readonly [Kind in UpdateKind]?: (step: StepOf<Kind>) => Amount };

const MADE: AmountByKind = {
  Minted: ({ update }) => update.detail.amount,
  Tapped: ({ update }) => update.detail.amount,
  TrafficToppedUp: ({ update }) => update.detail.tapped,
};

const DESTROYED: AmountByKind = {
  PreapprovalCreated: ({ update }) => update.detail.fee,
  PreapprovalRenewed: ({ update }) => update.detail.fee,
  ExternalPartySetupProposed: ({ update }) => update.detail.fee,
  TrafficPurchased: ({ update }) => trafficCostOf(update.detail),
  TrafficToppedUp: ({ update }) => trafficCostOf(update.detail),
  TrafficRequestCompleted: ({ update }) => trafficCostOf(update.detail),
  DustExpired: ({ update }) => Amount.sum(update.detail.expired.map(({ amount }) => amount)),
  AnsPaymentCollected: ({ update }) => update.detail.amount,
};

const FEES_UNLISTED: readonly UpdateKind[] = [
  'PreapprovalCreated',
  'PreapprovalRenewed',
  'ExternalPartySetupProposed',
  'DelegatedHoldingsMerged',
];

export const valueLaws: readonly Law[] = [
  {
    name: 'created minus archived coin equals minted minus burned coin',
    invariant: 1,
    holds: (step) =>
      sumOf(createdOf(step, 'Holding')) - sumOf(archivedOf(step, 'Holding')) ===
        step.update.detail.minted - step.update.detail.burned &&
      step.update.detail.minted >= 0n &&
      step.update.detail.burned >= 0n,
  },
  {
    name: 'coin is minted by taps and coupons only',
    invariant: 1,
    holds: (step) => step.update.detail.minted === Amount.add(madeBy(step), mintedFromCoupons(step)),
  },
  { name: 'coin is burned for fees, purchases and dust only', invariant: 1, holds: burnsWhatItSays },
  {
    name: 'the ledger counts minted and burned coin',
    invariant: 2,
    holds: ({ before, update, after }) =>
      after.minted === before.minted + update.detail.minted && after.burned === before.burned + update.detail.burned,
  },
  {
    name: 'without fees a transfer of coins keeps every unit',
    invariant: 3,
    holds: (step) => {
      const transfer = transferOf(step.update);
      return (
        !transfer ||
        transfer.rewards !== null ||
        !isFeeless(step.before) ||
        sumOf(createdOf(step, 'Holding')) === sumOf(archivedOf(step, 'Holding'))
      );
    },
  },
  { name: 'without fees the receiver gets exactly the amount', invariant: 4, holds: getsWhatWasAsked },
  {
    name: 'a transfer burns exactly the fees in its detail',
    invariant: 5,
    holds: ({ update }) => {
      const transfer = transferOf(update);
      return !transfer || transfer.burned === feesOf(transfer);
    },
  },
  {
    name: 'a transfer charges the holding fees that its inputs have accrued, where fees are charged',
    invariant: 5,
    holds: chargesWhatAccrued,
  },
  {
    name: 'the creation and the end of an offer keep the total of its sender',
    invariant: 6,
    holds: (step) => {
      if (!isKind(step, 'TransferOffered', 'TransferRejected', 'TransferWithdrawn', 'TransferExpired')) return true;
      if (step.update.kind === 'TransferOffered' && !isFeeless(step.before)) return true;
      const { sender, minted, burned } = step.update.detail;
      return minted === 0n && burned === 0n && totalOf(step.before, sender) === totalOf(step.after, sender);
    },
  },
  {
    name: 'acceptance moves exactly the amount from sender to receiver',
    invariant: 7,
    holds: (step) => {
      if (!isKind(step, 'TransferAccepted') || !isFeeless(step.before)) return true;
      const { sender, receiver, amount } = step.update.detail;
      return gains(step, receiver) === amount && gains(step, sender) === -amount;
    },
  },
  {
    name: 'unlocking changes neither amount, round, rate nor owner',
    invariant: 8,
    holds: (step) =>
      !isKind(
        step,
        'HoldingUnlocked',
        'LockExpired',
        'TransferRejected',
        'TransferWithdrawn',
        'TransferExpired',
        'AnsPaymentRejected',
        'AnsPaymentReclaimed',
      ) || freesUnchanged(archivedOf(step, 'Holding'), createdOf(step, 'Holding')),
  },
  {
    name: 'every coin has a positive amount of at most 38 digits',
    invariant: 9,
    holds: (step) =>
      createdOf(step, 'Holding').every(
        ({ amount, ratePerRound, createdAt }) =>
          amount > 0n && Amount.inRange(amount) && ratePerRound >= 0n && createdAt >= 0,
      ),
  },
];

/** Returns the cost without the output fee, which is also listed with the fees. Source: specification §5.6. */
function trafficCostOf({ cost, fees }: TrafficPurchaseDetail): Amount {
  return Amount.sub(cost, Amount.sum(fees?.outputFees ?? []));
}

export function couponsMinted(step: Step): readonly Coupon[] {
  return EXPIRES_COUPONS.includes(step.update.kind) ? [] : archivedIn(step).filter(isCoupon);
}

export function couponsExpired(step: Step): readonly Coupon[] {
  return EXPIRES_COUPONS.includes(step.update.kind) ? archivedIn(step).filter(isCoupon) : [];
}

/** Source: specification §3.6. */
function worthOf(coupon: Coupon, state: LedgerState): Amount | null {
  if (!isRoundCoupon(coupon)) return coupon.amount;
  const issuing = firstByKey(state, 'IssuingMiningRound', `round:${coupon.round}`);
  return issuing && payoutOf(coupon, issuing);
}

function mintedFromCoupons(step: Step): Amount {
  return Amount.sum(couponsMinted(step).map((coupon) => worthOf(coupon, step.before) ?? Amount.zero));
}

/** Casts: the kind selects the function for its steps. */
function amountOf(table: AmountByKind, step: Step): Amount {
  return (table[step.update.kind] as ((step: Step) => Amount) | undefined)?.(step) ?? Amount.zero;
}

function madeBy(step: Step): Amount {
  return amountOf(MADE, step);
}

function burnsWhatItSays(step: Step): boolean {
  const { detail, kind } = step.update;
  const destroyed = amountOf(DESTROYED, step);
  const expected = Amount.add(destroyed, 'fees' in detail ? feesOf(detail) : Amount.zero);
  if (detail.burned === expected) return true;
  return FEES_UNLISTED.includes(kind) && !isFeeless(step.before) && detail.burned > expected;
}

function chargesWhatAccrued(step: Step): boolean {
  const transfer = transferOf(step.update);
  const charged = transfer?.fees?.holdingFees ?? Amount.zero;
  if (!transfer || !settingsOf(step.before).profile.chargesHoldingFee) return charged === 0n;
  const round = newestUsableRound(step.before, step.update.recordTime)?.round;
  if (round === undefined) return false;
  return charged === Amount.sum(archivedOf(step, 'Holding').map((coin) => accruedFee(coin, round)));
}

function getsWhatWasAsked(step: Step): boolean {
  const transfer = transferOf(step.update);
  if (!transfer || !isFeeless(step.before)) return true;
  if (transfer.fees !== null) return false;
  if (transfer.holdings.length === 0) return true;
  const coins = transfer.holdings.map((id) => find(step.after, 'Holding', id));
  return (
    coins.every((coin) => coin?.owner === transfer.receiver && coin.lock === null) &&
    sumOf(coins.flatMap((coin) => coin ?? [])) === transfer.amount
  );
}

function freesUnchanged(archived: readonly Holding[], created: readonly Holding[]): boolean {
  if (archived.length !== created.length) return false;
  return archived.every((locked, i) => {
    const free = created[i];
    return (
      locked.lock !== null &&
      free?.lock === null &&
      free.owner === locked.owner &&
      free.amount === locked.amount &&
      free.createdAt === locked.createdAt &&
      free.ratePerRound === locked.ratePerRound
    );
  });
}

function gains(step: Step, party: Holding['owner']): bigint {
  return totalOf(step.after, party) - totalOf(step.before, party);
}

function sumOf(contracts: readonly Contract[]): Amount {
  return Amount.sum(contracts.flatMap((contract) => (contract.template === 'Holding' ? contract.amount : [])));
}
