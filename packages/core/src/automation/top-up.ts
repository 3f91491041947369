import { contractsByKey, rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import { memberKey, type ValidatorTopUpState } from '../contracts/traffic.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { Duration, Instant } from '../kernel/time.js';
import { quoteTraffic, requireMember, trafficBalanceRecord, type NamedMember } from '../rules/traffic-purchase.js';
import { extraBytesOf } from '../rules/traffic.js';
import { tasksOf, type Policy } from './task.js';
import { inputsToBurn, treasuryOf } from './treasury.js';

/** How a validator keeps its traffic up. Source: specification §8.3. */
export interface TopUpConfig {
  /** Bytes per second that the validator means to send; 0 switches the loop off. */
  readonly targetThroughput: number;
  /** Least time between two purchases; not shorter than the polling interval. */
  readonly minTopupInterval: Duration;
  /** How often the loop looks. */
  readonly pollingInterval: Duration;
  /** DevNet alone: whether the cost is tapped first, always or only when the wallet lacks it. */
  readonly tap: 'always' | 'when-lacking' | 'never';
}

/** How much a top-up loop buys, and how often at most. */
export interface TopUpParameters {
  readonly interval: Duration;
  readonly trafficBytes: number;
}

const SECOND = 1_000_000n;
const MILLISECOND = 1000n;

/**
 * What a loop buys at a time: its throughput over the interval, rounded up to whole polls; where that is less than the network
 * sells at a time, over as many polls as it takes to use that up.
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

/**
 * Buys traffic for a validator when it has less left than it buys at a time, the last purchase is long enough ago, and the
 * wallet can pay. On a DevNet the cost may be tapped.
 * Source: specification §8.3. Assumption: A-70 (the tap).
 */
export function topUp(validator: PartyId, named: NamedMember, config: TopUpConfig): Policy {
  return (state, now) => {
    const traffic = rulesOf(state)?.config.traffic;
    const member = requireMember(named, state);
    if (!traffic || !member.ok || config.targetThroughput <= 0) return [];
    const loop = loopOf(state, validator, memberKey(member.value));
    if (!loop) return tasksOf(validator, [{ type: 'CreateTopUpState', validator, ...member.value }]);

    const { interval, trafficBytes } = topUpParameters(config, traffic.minTopupBytes);
    if (Instant.plus(loop.lastPurchasedAt, interval) > now) return [];
    const balance = trafficBalanceRecord(state, member.value);
    if (balance && extraBytesOf(balance) >= trafficBytes) return [];
    const quote = quoteTraffic({ ...member.value, trafficBytes }, state, now);
    if (!quote.ok) return [];
    const { cost, round } = quote.value;
    // With fees the create fee of the burned coin is a part of the cost.
    const burned = Amount.sub(cost.coin, round.config.createFee);
    if (burned <= 0n) return [];
    const payment = paymentOf(validator, burned, config, state, now);
    if (!payment) return [];
    return tasksOf(validator, [
      { type: 'TopUpTraffic', topUpState: loop.id, trafficBytes, minTopupInterval: interval, ...payment },
    ]);
  };
}

function loopOf(state: LedgerState, validator: PartyId, key: string): ValidatorTopUpState | null {
  for (const loop of contractsByKey(state, 'ValidatorTopUpState', key)) {
    if (loop.validator === validator) return loop;
  }
  return null;
}

/** The inputs that pay, or a tap; null when the wallet lacks the cost and may not tap it. */
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
