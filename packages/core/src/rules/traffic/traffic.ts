import type { TrafficConfig } from '../../contracts/amulet-rules.js';
import type { TrafficBalance } from '../../contracts/traffic.js';
import { Amount } from '../../kernel/amount.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Rejected } from '../../kernel/rejection.js';
import { err, ok, type Result } from '../../kernel/result.js';
import type { Instant } from '../../kernel/time.js';

const BYTES_PER_MEGABYTE = Amount.ofWhole(1_000_000);
const PARTS = 10_000n;

/** Price of extra traffic. */
export interface TrafficCost {
  readonly usd: Amount;
  readonly coin: Amount;
}

/**
 * Returns the price of extra traffic: `usd = mul(div(bytes, 1_000_000), usdPerMegabyte)`, `coin = div(usd, price)`.
 * @param price USD per coin
 * Source: specification §2.4.
 */
export function trafficCost(trafficBytes: number, usdPerMegabyte: Amount, price: Amount): TrafficCost {
  const usd = Amount.mul(Amount.div(Amount.ofWhole(trafficBytes), BYTES_PER_MEGABYTE), usdPerMegabyte);
  return { usd, coin: Amount.div(usd, price) };
}

/** Returns the member id of a validator's participant, which is named after the validator's party. Source: specification §1. */
export function participantOf(validator: PartyId): string {
  return `PAR::${validator}`;
}

/** A message to one or more members. */
export interface Message {
  readonly bytes: number;
  readonly recipients: number;
}

/**
 * Returns the traffic in bytes charged to a message's sender: the size of the message, plus
 * `readVsWriteScalingFactor` / 10,000 of the size for each recipient. The sum is rounded down.
 * @returns a bigint, because it may exceed the safe integers
 * Source: specification §2.4. Assumption: A-12 (rounding).
 */
export function messageCost({ bytes, recipients }: Message, { readVsWriteScalingFactor }: TrafficConfig): bigint {
  const size = BigInt(bytes);
  return size + (size * BigInt(recipients) * BigInt(readVsWriteScalingFactor)) / PARTS;
}

/** Sizes from which the bytes of a transfer's message are estimated. */
export interface MessageSizeModel {
  /** Bytes of a transaction without its contracts: envelope, choice, signatures. */
  readonly fixedBytes: number;
  /** Bytes per consumed contract: a message carries the content of each, so every spent UTXO costs traffic. */
  readonly inputBytes: number;
  readonly outputBytes: number;
}

/** Default message sizes in bytes: orders of magnitude, not measurements. Assumption: A-14. */
export const MESSAGE_SIZE: MessageSizeModel = { fixedBytes: 6000, inputBytes: 1200, outputBytes: 800 };

/** Returns the estimated size in bytes of the message that carries a transaction. Source: specification §2.4. Assumption: A-14. */
export function messageBytes(
  transaction: { readonly inputs: number; readonly outputs: number },
  model: MessageSizeModel = MESSAGE_SIZE,
): number {
  return model.fixedBytes + transaction.inputs * model.inputBytes + transaction.outputs * model.outputBytes;
}

/** Returns the balance of a member that has neither bought nor sent anything: a full base. Source: specification §2.4. Assumption: A-12. */
export function initialTrafficBalance({ burstBytes }: TrafficConfig, now: Instant): TrafficBalance {
  return { baseBytes: Amount.ofWhole(burstBytes), asOf: now, purchasedBytes: 0, consumedBytes: 0 };
}

/**
 * Returns the free bytes at a time: the last balance, grown by `burstBytes / burstWindow`, at most `burstBytes`.
 * @returns bytes with ten places; fractions add up
 * Source: specification §2.4.
 */
export function baseBytesAt(
  { baseBytes, asOf }: TrafficBalance,
  { burstBytes, burstWindow }: TrafficConfig,
  now: Instant,
): Amount {
  const full = Amount.ofWhole(burstBytes);
  const elapsed = now > asOf ? now - asOf : 0n;
  // Growth beyond `burstBytes` is cut off below.
  const grown = ((BigInt(full) * elapsed) / burstWindow) as Amount;
  return Amount.min(full, Amount.add(baseBytes, grown));
}

/** Source: specification §2.4, §8.3. */
export function extraBytesOf({ purchasedBytes, consumedBytes }: TrafficBalance): number {
  return purchasedBytes - consumedBytes;
}

/** Returns the whole bytes that a member can send at a time, base and extra together. Source: specification §2.4. */
export function availableBytes(balance: TrafficBalance, config: TrafficConfig, now: Instant): number {
  return Number(Amount.floor(baseBytesAt(balance, config, now))) + extraBytesOf(balance);
}

/**
 * Returns the balance after a message: free bytes are used first, then bought bytes; when both together do not
 * suffice, the message is refused and nothing is used.
 * @param cost bytes, as {@link messageCost} counts them
 * Source: specification §2.4.
 */
export function consumeTraffic(
  balance: TrafficBalance,
  cost: bigint,
  config: TrafficConfig,
  now: Instant,
): Result<TrafficBalance, Rejected<'INSUFFICIENT_TRAFFIC'>> {
  const base = baseBytesAt(balance, config, now);
  const wholeBase = Amount.floor(base);
  if (cost <= wholeBase) return ok({ ...balance, baseBytes: Amount.sub(base, Amount.ofWhole(cost)), asOf: now });
  const rest = cost - wholeBase;
  if (rest > BigInt(extraBytesOf(balance))) {
    const available = availableBytes(balance, config, now);
    return err({ code: 'INSUFFICIENT_TRAFFIC', trafficBytes: Number(cost), availableBytes: available });
  }
  return ok({ ...balance, baseBytes: Amount.zero, asOf: now, consumedBytes: balance.consumedBytes + Number(rest) });
}
