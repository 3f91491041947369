import type { Context, MiddlewareHandler } from 'hono';
import { z } from '@hono/zod-openapi';

/** A success without content: clients parse every answer as JSON. Source: specification of the API §0.5. */
export const emptyBody: z.ZodObject<Record<never, never>> = z.object({}).openapi('Empty');

/** A word with an upper-case first letter, to begin a summary. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The declaration of a JSON response. */
export function answer<Schema extends z.ZodType>(
  description: string,
  schema: Schema,
): { description: string; content: { 'application/json': { schema: Schema } } } {
  return { description, content: { 'application/json': { schema } } };
}

/** The declaration of a JSON request body. */
export function jsonBody<Schema extends z.ZodType>(
  schema: Schema,
): { body: { required: true; content: { 'application/json': { schema: Schema } } } } {
  return { body: { required: true, content: { 'application/json': { schema } } } };
}

/** The declaration of who may call a route: any valid token, or that of a role. Gates and document follow it. */
export type Security = { bearer: ('wallet' | 'operator')[] }[];

/** The `security` of a route that needs a valid token. */
export const TOKEN: Security = [{ bearer: [] }];
/** The `security` of a route that needs the token of a user with a wallet. */
export const WALLET: Security = [{ bearer: ['wallet'] }];
/** The `security` of a route that needs the token of the operator. */
export const OPERATOR: Security = [{ bearer: ['operator'] }];

/** The declaration of a route that is to be left alone by new clients: every answer says so. Source: specification of the API §3.3. */
export const DEPRECATED: { readonly deprecated: true; readonly middleware: MiddlewareHandler } = {
  deprecated: true,
  middleware: async (c, next) => {
    await next();
    // No date: nobody knows when each release was made.
    c.header('Deprecation', 'true');
  },
};

/**
 * Answers with a text that is JSON already. Which body it is of the compiler cannot see: make it of a value that has the type of the
 * declared schema.
 */
export function printedJson(c: Context, text: string): never {
  // Handlers are to give what is typed as their body.
  return c.body(text, 200, { 'Content-Type': 'application/json' }) as never;
}
