import type { Json, LedgerState } from '@coinlab/core';
import { payloadOf } from '../payloads.js';
import { LEDGER_DIALECT, type Payload } from '../payloads/fields.js';
import type { NetworkContract } from '../templates.js';

/** Source: specification of the API §9.2. */
export function createArgumentOf(contract: NetworkContract, state: LedgerState): Payload {
  return withoutTrailing(payloadOf(contract, state, LEDGER_DIALECT));
}

export function withoutTrailing(payload: Payload): Payload {
  const names = Object.keys(payload);
  const count = names.findLastIndex((name) => payload[name] !== null) + 1;
  const kept: Record<string, Json> = {};
  for (const name of names.slice(0, count)) kept[name] = trimmed(payload[name] ?? null);
  return kept;
}

function trimmed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(trimmed);
  return withoutTrailing(value);
}

function isList(value: Extract<Json, object>): value is Extract<Json, readonly unknown[]> {
  return Array.isArray(value);
}
