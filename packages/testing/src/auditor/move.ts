import { type Contract, type Holding, type ContractId, type PartyId, Instant } from '@coinlab/core';
import { unreachable } from '@coinlab/core/workflows';
import type { LedgerView } from './books.js';
import { isCoupon, type Coupon } from './coupons.js';
import type { Inquiry } from './inquiry.js';
import { fits, times, whole } from './numbers.js';
import { dustRound, feeOf, type Terms } from './terms.js';

export interface Move {
  readonly sender: PartyId;
  readonly provider: PartyId;
  readonly inputs: readonly ContractId[];
  readonly outputs: readonly { readonly receiver: PartyId; readonly amount: bigint; readonly lockedUntil?: Instant }[];
  readonly lockContext?: string;
  readonly terms: Terms | null;
  readonly isFeatured?: boolean;
  readonly earnsNothing?: boolean;
  readonly coinsOnly?: boolean;
}

export interface Moved {
  readonly outputs: readonly ContractId[];
  readonly change: ContractId | null;
  readonly fees: bigint;
}

/** Returns null if a violation prevents the payment. Source: specification §5. */
export function move(inquiry: Inquiry, { terms, ...payment }: Move): Moved | null {
  const { overlay, reasons } = inquiry;
  if (!inquiry.require(terms !== null, 'ROUND_NOT_OPEN') || !terms) return null;
  const worth = takeInputs(inquiry, payment, terms);
  const { outputs, sender } = payment;
  let asked = worth.holdingFees;
  let fees = 0n;
  for (const { receiver, amount, lockedUntil } of outputs) {
    if (lockedUntil !== undefined) inquiry.require(lockedUntil > inquiry.now, 'DEADLINE_PASSED');
    inquiry.require(amount > 0n, 'NON_POSITIVE_AMOUNT');
    const holders = lockedUntil === undefined ? 0 : holdersOf(overlay, receiver).length;
    inquiry.require(holders <= terms.usd.maxNumLockHolders, 'TOO_MANY_LOCK_HOLDERS');
    fees += feeOf(terms, { amount, toSelf: receiver === sender, holders });
    asked += amount;
  }
  const available = worth.coin + worth.minted;
  const left = available - asked - fees;
  const most = terms.usd.maxNumInputs;
  // A payment with too many inputs is refused whatever the inputs are worth.
  const few = inquiry.require(payment.inputs.length <= most, 'MAX_INPUTS_EXCEEDED');
  inquiry.require(outputs.length <= terms.usd.maxNumOutputs, 'MAX_OUTPUTS_EXCEEDED');
  const sums = inquiry.require(fits(available), 'INVALID_DECIMAL');
  if (few && sums && worth.isWhole) inquiry.require(left >= 0n, 'INSUFFICIENT_FUNDS');
  const changeFee = left < terms.createFee ? left : terms.createFee;
  const made = outputs.map((output) => coin(inquiry, terms, { ...output, context: payment.lockContext ?? null }));
  if (reasons.size > 0) return null;

  overlay.minted += worth.minted;
  overlay.burned += worth.holdingFees + fees + changeFee;
  if (!payment.earnsNothing) reward(inquiry, payment, terms, fees);
  const amount = left - changeFee;
  const change = amount > 0n ? coin(inquiry, terms, { receiver: sender, amount, context: null }) : null;
  return { outputs: made, change, fees };
}

export function coin(
  inquiry: Inquiry,
  { stamp, holdingRate, open }: Terms,
  output: {
    readonly receiver: PartyId;
    readonly amount: bigint;
    readonly lockedUntil?: Instant;
    readonly context: string | null;
  },
): ContractId {
  const { overlay } = inquiry;
  const { profile } = overlay.settings;
  const { lockedUntil, amount, receiver } = output;
  const made = { owner: receiver, amount, createdAt: stamp, ratePerRound: holdingRate };
  if (lockedUntil === undefined) return overlay.create('Holding', { ...made, lock: null });
  if (profile.checksLockVersusDust) {
    const dust = dustRound(made, profile.dustAtEquality);
    const gone = dust === null ? null : open.opensAt + BigInt(dust + 2 - open.round - 1) * open.tickDuration;
    const never = gone === null || gone > Instant.latest;
    const soon = dust !== null && dust + 2 <= open.round;
    inquiry.require(!soon && (never || lockedUntil < gone), 'LOCK_OUTLIVES_AMULET');
  }
  const lock = { holders: holdersOf(overlay, receiver), expiresAt: lockedUntil, context: output.context };
  return overlay.create('Holding', { ...made, lock });
}

/** Source: specification §5.2 (3), §7.1. */
function holdersOf({ settings }: LedgerView, owner: PartyId): readonly PartyId[] {
  return settings.dso === owner ? [] : [settings.dso];
}

/** Source: specification §5.6. */
export function burn(
  inquiry: Inquiry,
  {
    payer,
    amount,
    inputs,
    terms,
  }: {
    readonly payer: PartyId;
    readonly amount: bigint;
    readonly inputs: readonly ContractId[];
    readonly terms: Terms | null;
  },
): ContractId | null {
  if (amount === 0n) return null;
  const outputs = [{ receiver: payer, amount }];
  const moved = move(inquiry, { sender: payer, provider: payer, inputs, outputs, terms, earnsNothing: true });
  if (!moved || !terms) return null;
  for (const id of moved.outputs) inquiry.overlay.archive(id);
  inquiry.overlay.burned += amount;
  const coupon = { user: payer, amount: amount + moved.fees, round: terms.open.round };
  inquiry.overlay.create('ValidatorRewardCoupon', coupon);
  return moved.change;
}

interface Worth {
  coin: bigint;
  minted: bigint;
  holdingFees: bigint;
  isWhole: boolean;
}

function takeInputs(inquiry: Inquiry, { inputs, sender, coinsOnly }: Omit<Move, 'terms'>, terms: Terms): Worth {
  const { overlay, now } = inquiry;
  const worth: Worth = { coin: 0n, minted: 0n, holdingFees: 0n, isWhole: true };
  for (const id of inputs) {
    const input = overlay.find(id);
    worth.isWhole &&=
      inquiry.require(!overlay.gone.has(id), 'DUPLICATE_INPUT') &&
      inquiry.require(input !== undefined, 'CONTRACT_NOT_FOUND') &&
      inquiry.require(input !== undefined && mayName(input, sender, overlay, coinsOnly), 'GROUP_MISMATCH');
    if (!input || !worth.isWhole) continue;
    if (input.template === 'Holding') {
      worth.isWhole &&= inquiry.require(!input.lock || now >= input.lock.expiresAt, 'LOCK_NOT_EXPIRED');
      worth.coin += input.amount;
      if (overlay.settings.profile.chargesHoldingFee) worth.holdingFees += accrued(input, terms.stamp);
    } else {
      const value = isCoupon(input) ? payout(inquiry, input) : null;
      if (value === null) worth.isWhole = false;
      else worth.minted += value;
    }
    overlay.archive(id);
  }
  return worth;
}

/** Source: specification §4.1. */
function accrued({ amount, createdAt, ratePerRound }: Holding, round: number): bigint {
  const fee = round > createdAt ? ratePerRound * BigInt(round - createdAt) : 0n;
  return fee < amount ? fee : amount;
}

/** Source: specification §3.6. */
function mayName(input: Contract, sender: PartyId, ledger: LedgerView, coinsOnly: boolean = false): boolean {
  if (input.template === 'Holding') return input.owner === sender;
  if (coinsOnly || !isCoupon(input)) return false;
  switch (input.template) {
    case 'AppRewardCoupon':
      return sender === (input.beneficiary ?? input.provider);
    case 'ValidatorRewardCoupon':
      return ledger.all('ValidatorRight').some(({ user, validator }) => user === input.user && validator === sender);
    case 'SvRewardCoupon':
    case 'UnclaimedActivityRecord':
    case 'DevelopmentFundCoupon':
      return sender === input.beneficiary;
    case 'ValidatorLivenessActivityRecord':
    case 'ValidatorFaucetCoupon':
      return sender === input.validator;
    default:
      return unreachable(input);
  }
}

/** Returns null if the coupon has no value. Source: specification §3.6, §6.5. */
function payout(inquiry: Inquiry, coupon: Coupon): bigint | null {
  const { overlay, now } = inquiry;
  if (coupon.template === 'UnclaimedActivityRecord' || coupon.template === 'DevelopmentFundCoupon')
    return inquiry.require(now < coupon.expiresAt, 'DEADLINE_PASSED') ? coupon.amount : null;
  const figures = overlay
    .all('IssuingMiningRound')
    .find(({ round, opensAt }) => round === coupon.round && opensAt <= now);
  if (!inquiry.require(figures !== undefined, 'ROUND_NOT_ISSUING') || !figures) return null;
  switch (coupon.template) {
    case 'AppRewardCoupon':
      return times(
        coupon.amount,
        coupon.featured ? figures.perFeaturedAppRewardCoupon : figures.perUnfeaturedAppRewardCoupon,
      );
    case 'ValidatorRewardCoupon':
      return times(coupon.amount, figures.perValidatorRewardCoupon);
    case 'SvRewardCoupon':
      return times(whole(coupon.weight), figures.perSvRewardCoupon);
    case 'ValidatorLivenessActivityRecord':
    case 'ValidatorFaucetCoupon':
      return figures.perValidatorFaucetCoupon;
    default:
      return unreachable(coupon);
  }
}

/** Source: specification §5.4. */
function reward(
  { overlay }: Inquiry,
  { sender, provider, isFeatured = false }: Omit<Move, 'terms'>,
  { open, featuredExtra }: Terms,
  fees: bigint,
): void {
  const { featuredReward, rewardsUnfeatured } = overlay.settings.profile;
  const { round } = open;
  if (fees > 0n) overlay.create('ValidatorRewardCoupon', { user: sender, amount: fees, round });
  if (featuredReward === 'marker') {
    if (isFeatured) overlay.create('FeaturedAppActivityMarker', { provider, beneficiary: provider, weight: whole(1) });
    return;
  }
  const amount = isFeatured ? fees + featuredExtra : rewardsUnfeatured ? fees : 0n;
  if (amount > 0n)
    overlay.create('AppRewardCoupon', { provider, featured: isFeatured, amount, round, beneficiary: null });
}
