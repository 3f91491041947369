import { Amount, ContractId, Duration, Instant, type Json, type PartyId, type Round } from '@coinlab/core';

/**
 * A payload: integers as texts, times with six fraction digits, null for absent optionals, decimals in the format of a dialect.
 * Source: specification of the API §9.1, §9.2.
 */
export type Payload = Readonly<Record<string, Json>>;

/** Scalars differ between the APIs. Source: specification of the API §9.2. */
export interface Dialect {
  readonly decimal: (amount: Amount) => string;
}

export interface Terms extends Dialect {
  readonly dso: PartyId;
}

export const SCAN_DIALECT: Dialect = { decimal: (amount) => Amount.short(amount) };

export const LEDGER_DIALECT: Dialect = { decimal: (amount) => Amount.format(amount) };

export function cid(contract: ContractId): string {
  return ContractId.format(contract);
}

export function time(instant: Instant): string {
  return Instant.format(instant);
}

export function relTime(span: Duration): Payload {
  return { microseconds: Duration.format(span) };
}

export function int(value: number): string {
  return String(value);
}

export function roundOf(round: Round): Payload {
  return { number: String(round) };
}

export function optional<Value>(value: Value | null, write: (value: Value) => Json): Json {
  return value === null ? null : write(value);
}

export function pair(first: Json, second: Json): Payload {
  return { _1: first, _2: second };
}

export function variant(tag: string, value: Json): Payload {
  return { tag, value };
}
