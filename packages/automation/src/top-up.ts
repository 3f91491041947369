import {
  Amount,
  Duration,
  Instant,
  rulesOf,
  settingsOf,
  type ContractId,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { memberKey, type TrafficMember, type ValidatorTopUpState } from '@coinlab/core/contracts';
import { availableBytes, quoteTraffic, requireMember, type NamedMember } from '@coinlab/core/rules';
import { contractsByKey, firstByKey, trafficStatusOf } from '@coinlab/core/views';
import { tasksOf, type Policy } from './task.js';
import { inputsToBurn, treasuryOf } from './treasury.js';

/** How a validator keeps its traffic above a minimum. Source: specification §8.3. */
export interface TopUpConfig {
  /** Bytes per second that the validator intends to send; 0 disables the top-up loop. */
  readonly targetThroughput: number;
  /** Least time between two purchases; not shorter than the polling interval. */
  readonly minTopupInterval: Duration;
  readonly pollingInterval: Duration;
  /**
   * DevNet only: when the validator taps the cost before a purchase: always, only when the wallet lacks coin, or
   * never.
   */
  readonly tap: 'always' | 'when-lacking' | 'never';
}

/** Bytes per purchase, and the least time between purchases. */
export interface TopUpParameters {
  readonly interval: Duration;
  readonly trafficBytes: number;
}

const SECOND = 1_000_000n;
const MILLISECOND = 1000n;

/**
 * Returns the bytes per purchase and the least time between purchases. The size is throughput × interval, rounded up
 * to whole polls. If that is below the network's minimum purchase, the interval is the number of polls in which the
 * minimum is used up.
 * @param targetThroughput bytes per second, above zero
 * Source: specification §8.3.
 */
export function topUpParameters(
  { targetThroughput, minTopupInterval, pollingInterval }: Omit<TopUpConfig, 'tap'>,
  minTopupBytes: number,
): TopUpParameters {
  const over = (interval: bigint): TopUpParameters => {
    const polled = ceilDiv(interval, pollingInterval) * pollingInterval;
    return {
      interval: Duration.ofMicros(polled),
      trafficBytes: Number(ceilDiv(BigInt(targetThroughput) * polled, SECOND)),
    };
  };
  const asked = over(minTopupInterval);
  if (asked.trafficBytes >= minTopupBytes) return asked;
  return over(ceilDiv(BigInt(minTopupBytes) * MILLISECOND, BigInt(targetThroughput)) * MILLISECOND);
}

/** A validator with the participant and the settings of its top-up loop. */
export interface TopUpLoop {
  readonly validator: PartyId;
  readonly member: NamedMember;
  readonly config: TopUpConfig;
}

/**
 * Returns a policy that buys traffic for a validator when three conditions hold: less traffic than one purchase is
 * left, the least time since the last purchase has passed, and the wallet can pay. On a DevNet it may tap the cost.
 * Source: specification §8.3. Assumption: A-70 (the tap).
 */
export function topUp({ validator, member: named, config }: TopUpLoop): Policy {
  return (state, now) => {
    const member = requireMember(named, state);
    if (!member.ok || config.targetThroughput <= 0) return [];
    if (!loopOf(state, validator, memberKey(member.value)))
      return tasksOf(validator, [{ type: 'CreateTopUpState', validator, ...member.value }]);
    const due = dueTopUp({ validator, member: member.value, config }, state, now);
    const payment = due && paymentOf(validator, due.burned, config, state, now);
    if (!due || !payment) return [];
    const { topUpState, trafficBytes, minTopupInterval } = due;
    return tasksOf(validator, [{ type: 'TopUpTraffic', topUpState, trafficBytes, minTopupInterval, ...payment }]);
  };
}

/** Bytes reserved for top-ups: with less, a validator that tops up submits nothing else. Source: specification §2.6. */
export const RESERVED_TRAFFIC_BYTES = 200_000;

/**
 * Returns a policy that returns the tasks of `policy`, but none while the validator has less traffic than the reserve
 * for top-ups. A policy that brings coin runs even then if the validator lacks the coin for a due top-up.
 * Source: specification §8.3.
 */
export function sparingTraffic(loop: TopUpLoop, policy: Policy, bringsCoin: boolean): Policy {
  return (state, now) => {
    // Most polls have no tasks, and looking up the traffic costs more than most policies.
    const tasks = policy(state, now);
    if (tasks.length === 0 || !isTrafficLow(loop, state, now)) return tasks;
    return bringsCoin && missingForTopUp(loop, state, now) !== null ? tasks : [];
  };
}

function isTrafficLow({ member: named, config }: TopUpLoop, state: LedgerState, now: Instant): boolean {
  const traffic = rulesOf(state)?.config.traffic;
  const member = requireMember(named, state);
  if (!traffic || !member.ok || config.targetThroughput <= 0) return false;
  const balance = firstByKey(state, 'MemberTrafficBalance', memberKey(member.value));
  return balance !== null && availableBytes(balance, traffic, now) < RESERVED_TRAFFIC_BYTES;
}

/**
 * Returns the price of a purchase that is due and that the validator cannot pay; null if none is due or it can pay.
 * Source: specification §8.3.
 */
export function missingForTopUp(
  { validator, member: named, config }: TopUpLoop,
  state: LedgerState,
  now: Instant,
): Amount | null {
  const member = requireMember(named, state);
  const due = member.ok ? dueTopUp({ validator, member: member.value, config }, state, now) : null;
  return due && paymentOf(validator, due.burned, config, state, now) === null ? due.burned : null;
}

function dueTopUp(
  { validator, member, config }: TopUpLoop & { readonly member: TrafficMember },
  state: LedgerState,
  now: Instant,
): {
  readonly topUpState: ContractId;
  readonly trafficBytes: number;
  readonly minTopupInterval: Duration;
  readonly burned: Amount;
} | null {
  const traffic = rulesOf(state)?.config.traffic;
  const loop = loopOf(state, validator, memberKey(member));
  if (!traffic || !loop || config.targetThroughput <= 0) return null;
  const { interval, trafficBytes } = topUpParameters(config, traffic.minTopupBytes);
  if (Instant.plus(loop.lastPurchasedAt, interval) > now) return null;
  if (trafficStatusOf(state, member, now).extraBytes >= trafficBytes) return null;
  const quote = quoteTraffic({ ...member, trafficBytes }, state, now);
  if (!quote.ok) return null;
  const { cost, round } = quote.value;
  // In the profile with fees the create fee of the burned coin is part of the cost.
  const burned = Amount.sub(cost.coin, round.config.createFee);
  return burned > 0n ? { topUpState: loop.id, trafficBytes, minTopupInterval: interval, burned } : null;
}

function loopOf(state: LedgerState, validator: PartyId, key: string): ValidatorTopUpState | null {
  for (const loop of contractsByKey(state, 'ValidatorTopUpState', key)) {
    if (loop.validator === validator) return loop;
  }
  return null;
}

function paymentOf(
  validator: PartyId,
  burned: Amount,
  { tap }: TopUpConfig,
  state: LedgerState,
  now: Instant,
): { readonly inputs: readonly ContractId[]; readonly tap?: true } | null {
  const taps = settingsOf(state).isDevNet && tap !== 'never';
  const withTap = (): { readonly inputs: readonly ContractId[]; readonly tap: true } => ({
    inputs: treasuryOf(state, validator, now, 1).inputs,
    tap: true,
  });
  if (taps && tap === 'always') return withTap();
  const inputs = inputsToBurn(state, validator, burned, now);
  if (inputs) return { inputs };
  return taps ? withTap() : null;
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
