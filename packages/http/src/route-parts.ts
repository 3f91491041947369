import type { Context, MiddlewareHandler } from 'hono';
import { z } from '@hono/zod-openapi';

/** Clients parse every response as JSON, also a success without content. Source: specification of the API §0.5. */
export const emptyBody: z.ZodObject<Record<never, never>> = z.object({}).openapi('Empty');

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function answer<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): { description: string; content: { 'application/json': { schema: Schema } } } {
  return { description, content: { 'application/json': { schema } } };
}

export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
): { body: { required: true; content: { 'application/json': { schema: Schema } } } } {
  return { body: { required: true, content: { 'application/json': { schema } } } };
}

/** A `user` is known to the participant, an `admin` has the right `ParticipantAdmin`. */
export type Security = { bearer: ('user' | 'wallet' | 'admin' | 'operator')[] }[];

export const TOKEN: Security = [{ bearer: [] }];
export const USER: Security = [{ bearer: ['user'] }];
export const WALLET: Security = [{ bearer: ['wallet'] }];
export const ADMIN: Security = [{ bearer: ['admin'] }];
export const OPERATOR: Security = [{ bearer: ['operator'] }];

export const LEDGER_TAG = 'ledger';

/** Source: specification of the API §3.3. */
export const DEPRECATED: { readonly deprecated: true; readonly middleware: MiddlewareHandler } = {
  deprecated: true,
  middleware: async (c, next) => {
    await next();
    // The header has no date, since the dates of the releases are unknown.
    c.header('Deprecation', 'true');
  },
};

/** The compiler cannot check it: serialise a value with the type of the declared schema. */
export function printedJson(c: Context, json: string | Uint8Array<ArrayBuffer>): never {
  // Cast: Hono expects a response typed with the declared body.
  return c.body(json, 200, { 'Content-Type': 'application/json' }) as never;
}
