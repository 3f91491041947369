import { z } from '@hono/zod-openapi';
import { Amount, ContractId, Instant, PartyId, type Malformed, type Result } from '@coinlab/core';
import { Problem } from '../problem.js';

/** Turns a text into a value of the core, or says what was expected. */
function parsed<Value>(read: (text: string) => Result<Value, Malformed>) {
  return (text: string, context: z.RefinementCtx<string>): Value => {
    const result = read(text);
    if (result.ok) return result.value;
    context.addIssue({ code: 'custom', message: `expected ${result.error.expected}` });
    return z.NEVER;
  };
}

/** A party id in a request: `hint::1220…`; anything else is 400. */
export const partyId = z
  .string()
  .transform(parsed((text) => PartyId.parse(text)))
  .openapi({ type: 'string', example: PartyId.of('alice') });

/** A party that a request looks up: any text will do, and one that is no party id names nobody. */
export const partyName = z
  .string()
  // A lookup accepts any text and finds nothing for one that is no party id.
  .transform((text) => text as PartyId)
  .openapi({ type: 'string' });

/** A contract id in a request body; a malformed one is 400. Where the specification says 404, use {@link contractIdOrNull}. */
export const contractId = z
  .string()
  .transform(parsed((text) => ContractId.parse(text)))
  .openapi({ type: 'string', example: ContractId.format(ContractId.of(1)) });

/** A positive or other decimal of a wallet request: at most 28 digits before the point and ten after. Source: specification of the API §0.4. */
export const decimal = z
  .string()
  .transform(parsed((text) => Amount.parse(text)))
  .openapi({ type: 'string', example: '12.5' });

/** A time of a wallet request: whole microseconds since 1970, UTC. Source: specification of the API §0.4. */
export const microseconds = z
  .number()
  .int()
  .transform((micros, context): Instant => {
    const time = BigInt(micros);
    if (time >= Instant.earliest && time <= Instant.latest) return Instant.ofMicros(time);
    context.addIssue({ code: 'custom', message: 'expected microseconds since 1970, year 1 to 9999' });
    return z.NEVER;
  })
  .openapi({ type: 'integer', format: 'int64', example: 1_767_225_600_000_000 });

/** A time in a query: RFC 3339 in UTC. */
export const dateTime = z
  .string()
  .transform(parsed((text) => Instant.parse(text)))
  .openapi({ type: 'string', format: 'date-time', example: '2026-01-01T00:00:00Z' });

/** The only migration there is. */
export const MIGRATION = 0;

/** Texts in answers, each with what it is. */
export const partyText = z.string().openapi({ example: PartyId.of('alice') });
/** A contract id in an answer. */
export const cidText = z.string().openapi({ example: ContractId.format(ContractId.of(1)) });
/** A decimal in an answer. */
export const decimalText = z.string().openapi({ example: '778.9353119400' });
/** A time in an answer: RFC 3339 in UTC. */
export const timeText = z.string().openapi({ format: 'date-time', example: '2026-04-28T14:12:22.491706Z' });

/** The contract that a text names, or null: a malformed id names nothing, and is "not found". */
export function contractIdOrNull(text: string): ContractId | null {
  const id = ContractId.parse(text);
  return id.ok ? id.value : null;
}

/** Takes what was found, or answers 404 that there is no such thing. */
export function foundOr404<Value>(value: Value | null | undefined, what: string, text: string): Value {
  if (value === null || value === undefined) throw new Problem(404, `no ${what} ${text}`);
  return value;
}

/** A balance, a total: exactly ten places. Source: specification of the API §0.4. */
export function tenPlaces(amount: Amount): string {
  return Amount.format(amount);
}

/** RFC 3339 in UTC with microseconds. */
export function rfc3339(instant: Instant): string {
  return Instant.format(instant);
}
