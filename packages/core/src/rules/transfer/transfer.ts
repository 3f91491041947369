import { bigOf } from '@coinlab/collections';
import type { Effects } from '../../contracts/effects.js';
import { expiryRoundOf, type Holding, type Lock } from '../../contracts/holding.js';
import type { FeaturedAppRight } from '../../contracts/rewards.js';
import type { IssuingMiningRound } from '../../contracts/rounds.js';
import { firstByKey, worthOf, settingsOf, walletOf, type LedgerState } from '../../contracts/state.js';
import { Amount } from '../../kernel/amount.js';
import { unreachable } from '../../kernel/assert.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import { amount, list, record, type Shape } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import { isCoupon, type Coupon } from '../rewards/coupons.js';
import { expectedDustTime } from './dust.js';
import { accruedFee, outputFee } from './fees.js';
import { invalid, notDecimal } from '../refusals.js';
import { payoutOf } from '../rewards/issuance.js';
import { createRewards, type Beneficiary } from '../rewards/rewards.js';
import type { TransferRound } from '../rounds.js';

/** A coin to be created. Source: specification §5. */
export interface TransferOutput {
  readonly receiver: PartyId;
  readonly amount: Amount;
  /** Share of the output fee that the receiver pays, 0 to 1; it is deducted from the amount. */
  readonly receiverFeeRatio?: Amount;
  readonly lock?: Lock;
}

/** A transfer, split, merge, minting or lock. Source: specification §5. */
export interface TransferRequest {
  readonly sender: PartyId;
  readonly provider: PartyId;
  /** Coins and coupons, consumed in this order; all of them, needed or not. */
  readonly inputs: readonly ContractId[];
  readonly outputs: readonly TransferOutput[];
  readonly round: TransferRound;
  readonly now: Instant;
  readonly featuredAppRight?: FeaturedAppRight | null;
  readonly beneficiaries?: readonly Beneficiary[];
  /** False for burns and steps of other flows (§5.4). Default: true. */
  readonly createsRewards?: boolean;
  /** True: refuse coupons as inputs, as the registry does (§5.1). Default: the transfer mints coupons. */
  readonly coinsOnly?: true | undefined;
}

/** Payouts of the coupons among the inputs. Source: specification §5.2. */
export interface RewardsUsed {
  readonly appRewards: Amount;
  readonly validatorRewards: Amount;
  readonly svRewards: Amount;
  readonly faucetRewards: Amount;
  readonly unclaimedActivity: Amount;
  readonly developmentFund: Amount;
}

/** Burned fees of a transfer, in the profile with fees. Source: specification §5.2. */
export interface FeesPaid {
  readonly holdingFees: Amount;
  readonly outputFees: readonly Amount[];
  readonly changeFee: Amount;
}

/** The result of a transfer. */
export interface Transferred {
  /** Created coins in the order of the outputs. */
  readonly outputs: readonly Holding[];
  /** The sender's change; null if there is none. */
  readonly change: Holding | null;
  /** Payouts by kind; null when no coupon was among the inputs. */
  readonly rewards: RewardsUsed | null;
  /** Burned fees; null when no fee was paid. */
  readonly fees: FeesPaid | null;
}

/** Refusals of the transfer primitive, in order of precedence. Source: specification §5.2. */
export type TransferRejection = Rejected<
  | 'DUPLICATE_INPUT'
  | 'CONTRACT_NOT_FOUND'
  | 'GROUP_MISMATCH'
  | 'LOCK_NOT_EXPIRED'
  | 'DEADLINE_PASSED'
  | 'ROUND_NOT_ISSUING'
  | 'INVALID_ARGUMENT'
  | 'TOO_MANY_LOCK_HOLDERS'
  | 'NON_POSITIVE_AMOUNT'
  | 'MAX_INPUTS_EXCEEDED'
  | 'MAX_OUTPUTS_EXCEEDED'
  | 'INVALID_DECIMAL'
  | 'INSUFFICIENT_FUNDS'
  | 'LOCK_OUTLIVES_AMULET'
>;

export const rewardsUsed: Shape<RewardsUsed> = record<RewardsUsed>({
  appRewards: amount,
  validatorRewards: amount,
  svRewards: amount,
  faucetRewards: amount,
  unclaimedActivity: amount,
  developmentFund: amount,
});

export const feesPaid: Shape<FeesPaid> = record<FeesPaid>({
  holdingFees: amount,
  outputFees: list(amount),
  changeFee: amount,
});

type Sums = { -readonly [Field in keyof RewardsUsed]: bigint } & {
  coin: bigint;
  holdingFees: bigint;
  coupons: number;
  /** Caches the last issuing round, because consecutive coupons are mostly of one round. */
  issuing: IssuingMiningRound | null;
};

/**
 * Executes the transfer primitive: consumes the inputs in order, creates the outputs in order and the change last.
 * After a refusal the effects are incomplete: the caller drops them or rolls back to its mark.
 * Casts: every sum here is part of the sum of the inputs, whose range is checked.
 * Source: specification §5.
 */
export function transfer(
  request: TransferRequest,
  state: LedgerState,
  effects: Effects,
): Result<Transferred, TransferRejection> {
  const { round, inputs, outputs, sender } = request;
  const sums = consume(request, state, effects);
  if (!sums.ok) return sums;
  const charges = chargeOutputs(request);
  if (!charges.ok) return charges;
  let outputFees = 0n;
  let asked = sums.value.holdingFees;
  for (const { fee, net } of charges.value) {
    outputFees += fee;
    asked += net + fee;
  }
  const rewards = sums.value.coupons > 0 ? rewardsOf(sums.value) : null;
  const minted = rewards ? Object.values(rewards).reduce((sum: bigint, reward: Amount) => sum + reward, 0n) : 0n;
  const available = sums.value.coin + minted;
  const leftOver = available - asked;
  const changeFee = leftOver < round.config.createFee ? leftOver : round.config.createFee;

  if (inputs.length > round.config.maxNumInputs) {
    return err({ code: 'MAX_INPUTS_EXCEEDED', inputs: inputs.length, limit: round.config.maxNumInputs });
  }
  if (outputs.length > round.config.maxNumOutputs) {
    return err({ code: 'MAX_OUTPUTS_EXCEEDED', outputs: outputs.length, limit: round.config.maxNumOutputs });
  }
  if (!Amount.inRange(available)) return err(notDecimal('sum of inputs', available));
  if (leftOver < 0n) return err({ code: 'INSUFFICIENT_FUNDS', missing: -leftOver as Amount });

  const burned = sums.value.holdingFees + outputFees + changeFee;
  effects.mint(minted as Amount);
  effects.burn(burned as Amount);
  if (request.createsRewards !== false)
    createRewards(request, outputFees as Amount, settingsOf(state).profile, effects);
  const created = charges.value.map(({ receiver, net, lock }) => createCoin(effects, receiver, net, round, lock));
  for (const coin of created) {
    const outlived = coin.lock && lockVersusDust(coin, coin.lock, round, state);
    if (outlived) return err(outlived);
  }
  const changeAmount = (leftOver - changeFee) as Amount;
  return ok({
    outputs: created,
    change: changeAmount > 0n ? createCoin(effects, sender, changeAmount, round, null) : null,
    rewards,
    fees:
      burned > 0n
        ? {
            holdingFees: sums.value.holdingFees as Amount,
            outputFees: charges.value.map(({ fee }) => fee),
            changeFee: changeFee as Amount,
          }
        : null,
  });
}

export function createCoin(
  effects: Effects,
  owner: PartyId,
  value: Amount,
  round: TransferRound,
  lock: Lock | null,
): Holding {
  const { holdingFee: ratePerRound } = round.config;
  return effects.createHolding({ owner, amount: value, createdAt: round.round, ratePerRound, lock });
}

/** Source: specification §5.2 step 2. */
function consume(request: TransferRequest, state: LedgerState, effects: Effects): Result<Sums, TransferRejection> {
  const sums: Sums = {
    coin: 0n,
    holdingFees: 0n,
    appRewards: 0n,
    validatorRewards: 0n,
    svRewards: 0n,
    faucetRewards: 0n,
    unclaimedActivity: 0n,
    developmentFund: 0n,
    coupons: 0,
    issuing: null,
  };
  const chargesHoldingFee = settingsOf(state).profile.chargesHoldingFee;
  if (!chargesHoldingFee && effects.archivesNothing) {
    // Packed coins are checked and added up together.
    const worth = worthOf(state, walletOf(state, request.sender), request.inputs);
    if (worth >= 0) {
      sums.coin = bigOf(worth);
      effects.archiveFirst(request.inputs);
      return ok(sums);
    }
  }
  for (const id of request.inputs) {
    const input = effects.findAny(id);
    if (!input) {
      return effects.hasArchived(id)
        ? err({ code: 'DUPLICATE_INPUT', contract: id })
        : err({ code: 'CONTRACT_NOT_FOUND', contract: id, wanted: 'an input' });
    }
    const isInput = input.template === 'Holding' || (!request.coinsOnly && isCoupon(input));
    const owner = isInput ? inputOwnerOf(input, request.sender, state) : null;
    if (!isInput || owner !== request.sender) {
      const expected = `an input of ${request.sender}`;
      return err({
        code: 'GROUP_MISMATCH',
        contract: id,
        field: 'owner',
        expected,
        actual: owner ?? `a ${input.template}, which is no input`,
      });
    }
    const refusal = addInput(input, sums, request, state, chargesHoldingFee);
    if (refusal) return err(refusal);
    if (input.template !== 'Holding') sums.coupons += 1;
    effects.archive(input);
  }
  return ok(sums);
}

function inputOwnerOf(input: Holding | Coupon, sender: PartyId, state: LedgerState): PartyId | null {
  switch (input.template) {
    case 'Holding':
      return input.owner;
    case 'AppRewardCoupon':
      return input.beneficiary ?? input.provider;
    case 'ValidatorRewardCoupon':
      return firstByKey(state, 'ValidatorRight', `right:${input.user}:${sender}`) ? sender : null;
    case 'SvRewardCoupon':
    case 'UnclaimedActivityRecord':
    case 'DevelopmentFundCoupon':
      return input.beneficiary;
    case 'ValidatorLivenessActivityRecord':
    case 'ValidatorFaucetCoupon':
      return input.validator;
    default:
      return unreachable(input);
  }
}

function addInput(
  input: Holding | Coupon,
  sums: Sums,
  request: TransferRequest,
  state: LedgerState,
  chargesHoldingFee: boolean,
): TransferRejection | null {
  const { now, round } = request;
  switch (input.template) {
    case 'Holding':
      if (input.lock && now < input.lock.expiresAt) {
        return { code: 'LOCK_NOT_EXPIRED', contract: input.id, expiresAt: input.lock.expiresAt, at: now };
      }
      sums.coin += input.amount;
      if (chargesHoldingFee) sums.holdingFees += accruedFee(input, round.round);
      return null;
    case 'UnclaimedActivityRecord':
    case 'DevelopmentFundCoupon':
      if (now >= input.expiresAt) return { code: 'DEADLINE_PASSED', deadline: input.expiresAt, at: now };
      sums[input.template === 'UnclaimedActivityRecord' ? 'unclaimedActivity' : 'developmentFund'] += input.amount;
      return null;
    case 'AppRewardCoupon':
    case 'ValidatorRewardCoupon':
    case 'SvRewardCoupon':
    case 'ValidatorLivenessActivityRecord':
    case 'ValidatorFaucetCoupon': {
      const issuing =
        sums.issuing?.round === input.round
          ? sums.issuing
          : firstByKey(state, 'IssuingMiningRound', `round:${input.round}`);
      sums.issuing = issuing;
      if (!issuing || now < issuing.opensAt)
        return { code: 'ROUND_NOT_ISSUING', round: input.round, opensAt: issuing?.opensAt ?? null, at: now };
      sums[SUM_OF[input.template]] += payoutOf(input, issuing);
      return null;
    }
    default:
      return unreachable(input);
  }
}

const SUM_OF = {
  AppRewardCoupon: 'appRewards',
  ValidatorRewardCoupon: 'validatorRewards',
  SvRewardCoupon: 'svRewards',
  ValidatorLivenessActivityRecord: 'faucetRewards',
  ValidatorFaucetCoupon: 'faucetRewards',
} as const satisfies Record<string, keyof RewardsUsed>;

interface ChargedOutput {
  readonly receiver: PartyId;
  readonly net: Amount;
  readonly fee: Amount;
  readonly lock: Lock | null;
}

/** Source: specification §5.2 step 3. */
function chargeOutputs(request: TransferRequest): Result<readonly ChargedOutput[], TransferRejection> {
  const { outputs, round, sender, now } = request;
  const charged: ChargedOutput[] = [];
  for (let i = 0; i < outputs.length; i++) {
    const {
      receiver,
      amount: value,
      receiverFeeRatio: ratio = Amount.zero,
      lock: asked,
    } = outputs[i] as TransferOutput; // `i` is below the length
    const lock = asked ? normalised(asked, receiver) : null;
    const holders = lock ? lock.holders.length : 0;
    if (ratio < 0n || ratio > Amount.one)
      return err(invalid(`outputs[${i}].receiverFeeRatio`, Amount.format(ratio), 'a ratio from 0 to 1'));
    if (lock && lock.expiresAt <= now) return err({ code: 'DEADLINE_PASSED', deadline: lock.expiresAt, at: now });
    if (holders > round.config.maxNumLockHolders)
      return err({ code: 'TOO_MANY_LOCK_HOLDERS', holders, limit: round.config.maxNumLockHolders });
    const fee = round.isFree
      ? Amount.zero
      : outputFee(round.config, { amount: value, toSelf: receiver === sender, holders });
    const net = ratio === 0n ? value : Amount.sub(value, Amount.mul(fee, ratio));
    if (net <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: `outputs[${i}].amount`, amount: net });
    charged.push({ receiver, net, fee, lock });
  }
  return ok(charged);
}

/** Source: specification §4.4. */
function lockVersusDust(
  holding: Holding,
  lock: Lock,
  round: TransferRound,
  state: LedgerState,
): Rejected<'LOCK_OUTLIVES_AMULET'> | null {
  const { checksLockVersusDust, dustAtEquality } = settingsOf(state).profile;
  if (!checksLockVersusDust) return null;
  const dustAt = expectedDustTime(expiryRoundOf(holding, dustAtEquality), round.open, round.open.tickDuration);
  return dustAt === null || lock.expiresAt < dustAt
    ? null
    : { code: 'LOCK_OUTLIVES_AMULET', lockExpiresAt: lock.expiresAt, dustAt };
}

/** Source: specification §5.2 step 3. */
function normalised({ holders, expiresAt, context }: Lock, receiver: PartyId): Lock {
  const [first] = holders;
  // Most often the only holder is the DSO.
  if (holders.length === 1 && first !== undefined && first !== receiver)
    return { holders: [first], expiresAt, context };
  return { holders: [...new Set(holders)].filter((holder) => holder !== receiver).sort(), expiresAt, context };
}

/** Casts: each sum is part of the sum of the inputs, whose range is checked. */
function rewardsOf(sums: Sums): RewardsUsed {
  const { appRewards, validatorRewards, svRewards, faucetRewards, unclaimedActivity, developmentFund } = sums;
  return { appRewards, validatorRewards, svRewards, faucetRewards, unclaimedActivity, developmentFund } as RewardsUsed;
}
