import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { PartyId } from '@coinlab/core';
import type { Context } from 'hono';

/** Where routes are declared. */
export type Api = OpenAPIHono;

/** Declares the routes of an API, or some of them, which need no more of the server than `Needs`. */
export type Register<Needs> = (api: Api, server: Needs) => void;

/** Who a valid token speaks for. */
export interface Caller {
  /** Name of the user: the subject. */
  readonly user: string;
  /** The wallet party of the user, or null when none is installed. */
  readonly party: PartyId | null;
  readonly isOperator: boolean;
}

/** What is known of a request while it is answered: a note of ours in the place where Hono hands on what its platform gave. */
export interface Seen {
  /** On a socket: the request and the answer of Node. */
  readonly incoming?: IncomingMessage | undefined;
  readonly outgoing?: ServerResponse | undefined;
  /** The declared path of the route; null before it is found. */
  route: string | null;
  /** The caller, once the token was checked. */
  caller: Caller | null;
}

/** What is known of a request. */
export function seenOf(c: Context): Seen {
  // `observed` gives every request of an app such an environment, and the types of Hono leave its environment open.
  return c.env as Seen;
}

/** A value, or a promise of it: what is at hand is used without waiting for a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Continues at once with a value that is at hand, and later with one that is not. */
export function soon<Value, Next>(value: Soon<Value>, go: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(go) : go(value);
}
