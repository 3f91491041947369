import { Amount, ContractId, Duration, Instant, type Json, type Round } from '@coinlab/core';

/**
 * A payload for scan, wallet and registry: decimals in the shortest form with a fraction digit, integers as texts, null for absent
 * optionals.
 * Source: specification of the API §9.1, §9.2.
 */
export type Payload = Readonly<Record<string, Json>>;

export function decimal(amount: Amount): string {
  return Amount.short(amount);
}

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
