import type { Effects } from '../../contracts/effects.js';
import type { FeaturedAppRight } from '../../contracts/rewards.js';
import { contractsAbout, find, firstByKey, rulesOf, type LedgerState } from '../../contracts/state.js';
import type { TransferPreapproval } from '../../contracts/transfer-preapproval.js';
import { Amount } from '../../kernel/amount.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import { amount, contractId, integer, nullable, type Fields } from '../../kernel/shape.js';
import type { Duration, Instant } from '../../kernel/time.js';
import { burn } from './burn.js';
import { preapprovalFee } from './fees.js';
import { refuseMismatch } from '../refusals.js';
import { walletRound } from '../rounds.js';
import { feesPaid, rewardsUsed, type FeesPaid, type RewardsUsed, type TransferRejection } from './transfer.js';

/**
 * Returns the preapproval by which a receiver can be paid in one step. If the receiver has several, this is the one that
 * expires last. Null when none is in force. Source: specification §7.0. Assumption: A-08.
 */
export function preapprovalOf(state: LedgerState, receiver: PartyId, now: Instant): TransferPreapproval | null {
  let latest: TransferPreapproval | null = null;
  for (const preapproval of contractsAbout(state, 'TransferPreapproval', receiver)) {
    if (now < preapproval.expiresAt && (!latest || preapproval.expiresAt > latest.expiresAt)) latest = preapproval;
  }
  return latest;
}

/** Returns the named preapproval or, without a name, the receiver's preapproval that expires last. Source: specification §3.11, §7.2. */
export function requirePreapproval(
  state: LedgerState,
  receiver: PartyId,
  named: ContractId | undefined,
  now: Instant,
): Result<TransferPreapproval, Rejected<'CONTRACT_NOT_FOUND' | 'GROUP_MISMATCH' | 'PREAPPROVAL_EXPIRED'>> {
  const preapproval =
    named === undefined ? preapprovalOf(state, receiver, now) : find(state, 'TransferPreapproval', named);
  if (!preapproval)
    return err({ code: 'CONTRACT_NOT_FOUND', contract: named ?? null, wanted: `a TransferPreapproval of ${receiver}` });
  const stranger = refuseMismatch(preapproval.id, 'receiver', receiver, preapproval.receiver);
  if (stranger) return err(stranger);
  if (now >= preapproval.expiresAt)
    return err({ code: 'PREAPPROVAL_EXPIRED', deadline: preapproval.expiresAt, at: now });
  return ok(preapproval);
}

/** Returns the FeaturedAppRight of a provider, or null. Source: specification §3.7. */
export function featuredRightOf(state: LedgerState, provider: PartyId): FeaturedAppRight | null {
  return firstByKey(state, 'FeaturedAppRight', provider);
}

/** Cost of a preapproval's time; all zero when no time was bought. */
export interface PreapprovalPayment {
  readonly fee: Amount;
  readonly inputs: number;
  readonly change: ContractId | null;
  /** Payouts of the coupons among the inputs; null without coupons. */
  readonly rewards: RewardsUsed | null;
  /** Fees of the split of the inputs; null when no fee was paid. */
  readonly fees: FeesPaid | null;
}

export const NOTHING_PAID: PreapprovalPayment = {
  fee: Amount.zero,
  inputs: 0,
  change: null,
  rewards: null,
  fees: null,
};

export const preapprovalPayment: Fields<PreapprovalPayment> = {
  fee: amount,
  inputs: integer,
  change: nullable(contractId),
  rewards: nullable(rewardsUsed),
  fees: nullable(feesPaid),
};

export type PreapprovalPaymentRejection =
  Rejected<'NOT_BOOTSTRAPPED' | 'ROUND_NOT_OPEN' | 'NO_INPUTS'> | TransferRejection;

/** The fee is never refunded. Source: specification §3.15, §3.16, §5.6. */
export function payForPreapproval(
  {
    span,
    payer,
    inputs,
    now,
  }: {
    readonly span: Duration;
    readonly payer: PartyId;
    readonly inputs: readonly ContractId[];
    readonly now: Instant;
  },
  state: LedgerState,
  effects: Effects,
): Result<PreapprovalPayment, PreapprovalPaymentRejection> {
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const round = walletRound(state, now);
  if (!round.ok) return round;
  const fee = preapprovalFee(span, rules.config.transferPreapprovalFeeUsd, round.value.price);
  if (fee > 0n && inputs.length === 0) return err({ code: 'NO_INPUTS' });
  const burned = burn({ payer, amount: fee, inputs, round: round.value, now }, state, effects);
  if (!burned.ok) return burned;
  if (fee === 0n) return ok(NOTHING_PAID);
  const { change, rewards, fees } = burned.value;
  return ok({ fee, inputs: inputs.length, change: change?.id ?? null, rewards, fees });
}
