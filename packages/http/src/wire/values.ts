import { z } from '@hono/zod-openapi';
import { Amount, ContractId, Instant, PartyId, type Malformed, type Result } from '@coinlab/core';
import { Problem } from '../problem.js';

function parsed<Value>(read: (text: string) => Result<Value, Malformed>) {
  return (text: string, context: z.RefinementCtx<string>): Value => {
    const result = read(text);
    if (result.ok) return result.value;
    context.addIssue({ code: 'custom', message: `expected ${result.error.expected}` });
    return z.NEVER;
  };
}

export const partyId = z
  .string()
  .transform(parsed((text) => PartyId.parse(text)))
  .openapi({ type: 'string', example: PartyId.of('alice') });

/** Malformed ids are accepted; the lookup finds nothing. */
export const partyName = z
  .string()
  // Cast: no party has a malformed id.
  .transform((text) => text as PartyId)
  .openapi({ type: 'string' });

/** Malformed ids are 400; use {@link contractIdOrNull} where the specification says 404. */
export const contractId = z
  .string()
  .transform(parsed((text) => ContractId.parse(text)))
  .openapi({ type: 'string', example: ContractId.format(ContractId.of(1)) });

/** At most 28 digits before and 10 after the point. Source: specification of the API §0.4. */
export const decimal = z
  .string()
  .transform(parsed((text) => Amount.parse(text)))
  .openapi({ type: 'string', example: '12.5' });

/** In microseconds since 1970. Source: specification of the API §0.4. */
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

export const dateTime = z
  .string()
  .transform(parsed((text) => Instant.parse(text)))
  .openapi({ type: 'string', format: 'date-time', example: '2026-01-01T00:00:00Z' });

/** The simulated network has one migration. */
export const MIGRATION = 0;

export const partyText = z.string().openapi({ example: PartyId.of('alice') });
export const cidText = z.string().openapi({ example: ContractId.format(ContractId.of(1)) });
export const decimalText = z.string().openapi({ example: '778.9353119400' });
export const timeText = z.string().openapi({ format: 'date-time', example: '2026-04-28T14:12:22.491706Z' });

export function contractIdOrNull(text: string): ContractId | null {
  const id = ContractId.parse(text);
  return id.ok ? id.value : null;
}

export function foundOr404<Value>(value: Value | null | undefined, what: string, text: string): Value {
  if (value === null || value === undefined) throw new Problem(404, `no ${what} ${text}`);
  return value;
}

export function tenPlaces(amount: Amount): string {
  return Amount.format(amount);
}

export function rfc3339(instant: Instant): string {
  return Instant.format(instant);
}
