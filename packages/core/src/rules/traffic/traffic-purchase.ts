import type { Effects } from '../../contracts/effects.js';
import { firstByKey, rulesOf, type LedgerState } from '../../contracts/state.js';
import {
  memberKey,
  trafficMember,
  type MemberTrafficBalance,
  type TrafficBalance,
  type TrafficMember,
} from '../../contracts/traffic.js';
import { Amount } from '../../kernel/amount.js';
import type { ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import { amount, contractId, integer, nullable, optional, party, text, type Fields } from '../../kernel/shape.js';
import type { Instant } from '../../kernel/time.js';
import { burn } from '../transfer/burn.js';
import { valueDetail } from '../workflow.js';
import { invalid, notDecimal } from '../refusals.js';
import { walletRound, type TransferRound } from '../rounds.js';
import { initialTrafficBalance, trafficCost, type TrafficCost } from './traffic.js';
import {
  feesPaid,
  rewardsUsed,
  type FeesPaid,
  type RewardsUsed,
  type TransferRejection,
} from '../transfer/transfer.js';

/** A member for which traffic is bought; absent fields have defaults. */
export interface NamedMember {
  /** A node: `PAR::<name>::<fingerprint>`. */
  readonly memberId: string;
  /** Synchronizer on which the traffic is used; default: the active one. */
  readonly synchronizerId?: string;
  /** Migration of the synchronizer; default: 0. */
  readonly migrationId?: number;
}

export const namedMember: Fields<NamedMember> = {
  memberId: text,
  synchronizerId: optional(text),
  migrationId: optional(integer),
};

export interface TrafficOrder extends TrafficMember {
  readonly trafficBytes: number;
}

/** The detail of every purchase of traffic. Source: specification §5.6. */
export interface TrafficPurchaseDetail extends ValueDetail, TrafficOrder {
  readonly payer: PartyId;
  readonly cost: Amount;
  readonly costUsd: Amount;
  readonly memberTraffic: ContractId;
  readonly inputs: number;
  readonly change: ContractId | null;
  readonly rewards: RewardsUsed | null;
  readonly fees: FeesPaid | null;
}

export const trafficPurchaseDetail: Fields<TrafficPurchaseDetail> = {
  ...valueDetail,
  payer: party,
  ...trafficMember,
  trafficBytes: integer,
  cost: amount,
  costUsd: amount,
  memberTraffic: contractId,
  inputs: integer,
  change: nullable(contractId),
  rewards: nullable(rewardsUsed),
  fees: nullable(feesPaid),
};

/** Refusals in order of precedence. Source: specification §5.6. */
export type TrafficPurchaseRejection =
  | Rejected<
      'NOT_BOOTSTRAPPED' | 'UNKNOWN_SYNCHRONIZER' | 'INSUFFICIENT_TOPUP_AMOUNT' | 'INVALID_ARGUMENT' | 'ROUND_NOT_OPEN'
    >
  | TransferRejection;

export interface TrafficQuote {
  readonly order: TrafficOrder;
  readonly cost: TrafficCost;
  readonly round: TransferRound;
  readonly balance: MemberTrafficBalance | null;
  readonly initial: TrafficBalance;
}

/** Completes a member with the active synchronizer and migration 0. */
export function requireMember(
  { memberId, synchronizerId, migrationId = 0 }: NamedMember,
  state: LedgerState,
): Result<TrafficMember, Rejected<'INVALID_ARGUMENT' | 'NOT_BOOTSTRAPPED'>> {
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  const member = { memberId, synchronizerId: synchronizerId ?? rules.config.traffic.activeSynchronizer, migrationId };
  for (const field of ['memberId', 'synchronizerId'] as const) {
    if (member[field] === '') return err(invalid(field, '', 'a text'));
  }
  if (migrationId < 0) {
    const value = String(migrationId);
    return err(invalid('migrationId', value, 'a whole number from 0'));
  }
  return ok(member);
}

export function trafficBalanceRecord(state: LedgerState, member: TrafficMember): MemberTrafficBalance | null {
  return firstByKey(state, 'MemberTrafficBalance', memberKey(member));
}

/** Returns the cost of a purchase of traffic and the round that prices it, or why it would be refused. Source: specification §5.6, §2.4. */
export function quoteTraffic(
  order: TrafficOrder,
  state: LedgerState,
  now: Instant,
): Result<TrafficQuote, TrafficPurchaseRejection> {
  const traffic = rulesOf(state)?.config.traffic;
  if (!traffic) return err({ code: 'NOT_BOOTSTRAPPED' });
  const { synchronizerId, trafficBytes } = order;
  if (!traffic.requiredSynchronizers.includes(synchronizerId)) {
    return err({ code: 'UNKNOWN_SYNCHRONIZER', synchronizerId });
  }
  if (trafficBytes < traffic.minTopupBytes) {
    return err({ code: 'INSUFFICIENT_TOPUP_AMOUNT', requested: trafficBytes, minimum: traffic.minTopupBytes });
  }
  const balance = trafficBalanceRecord(state, order);
  const most = Number.MAX_SAFE_INTEGER - (balance?.purchasedBytes ?? 0);
  if (trafficBytes > most) {
    const value = String(trafficBytes);
    return err(invalid('trafficBytes', value, `at most ${most}`));
  }
  const round = walletRound(state, now);
  if (!round.ok) return round;
  const cost = trafficCost(trafficBytes, traffic.extraTrafficPriceUsd, round.value.price);
  for (const units of [cost.usd, cost.coin]) if (!Amount.inRange(units)) return err(notDecimal('cost', units));
  return ok({ order, cost, round: round.value, balance, initial: initialTrafficBalance(traffic, now) });
}

/**
 * In the profile with fees the create fee of the burned coin is part of the cost, so that the payer pays exactly the
 * cost (and the fees of its inputs and its change). Source: specification §5.6.
 */
export function payTraffic(
  { order, cost, round, balance, initial }: TrafficQuote,
  payment: { readonly payer: PartyId; readonly inputs: readonly ContractId[]; readonly now: Instant },
  state: LedgerState,
  effects: Effects,
): Result<Omit<TrafficPurchaseDetail, keyof ValueDetail>, TransferRejection> {
  const { payer, inputs, now } = payment;
  const burned = Amount.sub(cost.coin, round.config.createFee);
  // `burn` skips an amount of zero; a transfer of zero is refused.
  if (burned <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'cost', amount: burned });
  const paid = burn({ payer, amount: burned, inputs, round, now }, state, effects);
  if (!paid.ok) return paid;
  const { memberId, synchronizerId, migrationId, trafficBytes } = order;
  const member = { memberId, synchronizerId, migrationId };
  const bought = effects.create('MemberTraffic', {
    ...member,
    totalPurchasedBytes: trafficBytes,
    numPurchases: 1,
    amuletSpent: cost.coin,
    usdSpent: cost.usd,
  });
  replaceTrafficBalance(member, balance, withPurchase(balance ?? initial, trafficBytes), effects);
  const { change, rewards, fees } = paid.value;
  return ok({
    payer,
    ...member,
    trafficBytes,
    cost: cost.coin,
    costUsd: cost.usd,
    memberTraffic: bought.id,
    inputs: inputs.length,
    change: change?.id ?? null,
    rewards,
    fees,
  });
}

export function replaceTrafficBalance(
  { memberId, synchronizerId, migrationId }: TrafficMember,
  old: MemberTrafficBalance | null,
  { baseBytes, asOf, purchasedBytes, consumedBytes }: TrafficBalance,
  effects: Effects,
): void {
  if (old) effects.archive(old);
  effects.create('MemberTrafficBalance', {
    memberId,
    synchronizerId,
    migrationId,
    baseBytes,
    asOf,
    purchasedBytes,
    consumedBytes,
  });
}

function withPurchase(balance: TrafficBalance, trafficBytes: number): TrafficBalance {
  return { ...balance, purchasedBytes: balance.purchasedBytes + trafficBytes };
}
