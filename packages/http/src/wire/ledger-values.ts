import type { Json, LedgerState } from '@coinlab/core';
import { payloadOf } from './payloads.js';
import { LEDGER_DIALECT, type Payload } from './payloads/fields.js';
import type { NetworkContract } from './templates.js';

/** Formats the arguments of a contract for the JSON Ledger API. Source: specification of the API §9.2. */
export function createArgumentOf(contract: NetworkContract, state: LedgerState): Payload {
  return withoutTrailing(payloadOf(contract, state, LEDGER_DIALECT));
}

export function withoutTrailing(payload: Payload): Payload {
  const names = Object.keys(payload);
  let count = names.length;
  while (count > 0 && payload[names[count - 1] as string] === null) count -= 1;
  const kept: Record<string, Json> = {};
  for (let i = 0; i < count; i++) {
    const name = names[i] as string;
    const value = payload[name] as Json;
    // Most values are texts; a call for each costs more than the copy.
    kept[name] = typeof value === 'object' && value !== null ? trimmed(value) : value;
  }
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
