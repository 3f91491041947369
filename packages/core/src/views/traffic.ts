import { rulesOf, type LedgerState } from '../contracts/state.js';
import type { TrafficMember } from '../contracts/traffic.js';
import { Amount } from '../kernel/amount.js';
import { invariant } from '../kernel/assert.js';
import type { Instant } from '../kernel/time.js';
import type { Update } from '../log/update.js';
import { trafficBalanceRecord } from '../rules/traffic/traffic-purchase.js';
import {
  baseBytesAt,
  extraBytesOf,
  initialTrafficBalance,
  MESSAGE_SIZE,
  messageBytes,
  type MessageSizeModel,
} from '../rules/traffic/traffic.js';

/** Available, bought and used traffic of a member. Source: specification §2.4. */
export interface TrafficStatus {
  /** Bytes that are free of charge and still available, rounded down. */
  readonly baseBytes: number;
  readonly extraBytes: number;
  readonly purchasedBytes: number;
  readonly consumedBytes: number;
}

/** Returns the traffic of a member at a time; a full base for a member that has neither bought nor sent anything. Source: specification §2.4. */
export function trafficStatusOf(state: LedgerState, member: TrafficMember, now: Instant): TrafficStatus {
  const config = rulesOf(state)?.config.traffic;
  invariant(config !== undefined, 'a ledger has rules from its first update on');
  const balance = trafficBalanceRecord(state, member) ?? initialTrafficBalance(config, now);
  const { purchasedBytes, consumedBytes } = balance;
  const baseBytes = Number(Amount.floor(baseBytesAt(balance, config, now)));
  return { baseBytes, extraBytes: extraBytesOf(balance), purchasedBytes, consumedBytes };
}

/** Returns the estimated size in bytes of the message that carried an update. Assumption: A-14. */
export function messageBytesOf({ archived, created }: Update, model: MessageSizeModel = MESSAGE_SIZE): number {
  return messageBytes({ inputs: archived.length, outputs: created.length }, model);
}
