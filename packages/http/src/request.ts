import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { PartyId } from '@coinlab/core';
import type { LedgerUser } from '@coinlab/core/contracts';
import type { Context } from 'hono';

export type Api = OpenAPIHono;

export type Register<Needs> = (api: Api, server: Needs) => void;

/** Methods of requests that only read. Source: RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface Caller {
  readonly user: string;
  readonly party: PartyId | null;
  readonly isOperator: boolean;
  readonly ledgerUser: LedgerUser | null;
}

export interface Seen {
  readonly incoming?: IncomingMessage | undefined;
  readonly outgoing?: ServerResponse | undefined;
  route: string | null;
  caller: Caller | null;
}

export function seenOf(c: Context): Seen {
  // Cast: `observed` gives every request this environment; Hono leaves its type open.
  return c.env as Seen;
}

/** A value that is available avoids the delay of a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Like `then`, but synchronous for a value that is not a promise. */
export function soon<Value, Next>(value: Soon<Value>, go: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(go) : go(value);
}
