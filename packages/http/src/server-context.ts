import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Command, ContractId, Instant, LedgerState, PartyId, Update } from '@coinlab/core';
import type { Authenticate, Caller } from './gates/auth.js';
import type { AutomationDriver } from './network/automation-driver.js';
import type { ServerConfig } from './config.js';
import type { Faults } from './gates/faults.js';
import type { History } from './history/history.js';
import type { Host } from './host/host.js';
import type { Logger } from './observe/logger.js';
import type { Metrics } from './observe/metrics.js';
import { Problem } from './gates/problem.js';
import { problemOf } from './gates/status.js';
import type { WalletIndex } from './history/wallet-index.js';

/** What every API has at hand. */
export interface ServerContext {
  readonly host: Host;
  readonly config: ServerConfig;
  readonly authenticate: Authenticate;
  /** Party of the validator that this server is. */
  readonly validator: PartyId;
  /** Id of the validator's participant: `PAR::participant::1220…`. */
  readonly participantId: string;
  readonly created: CreationIndex;
  readonly history: History;
  /** What wallets ask of the past. */
  readonly wallets: WalletIndex;
  readonly automation: AutomationDriver;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly faults: Faults;
  /** Aborted when the server begins to end: what waits or streams ends with it. */
  readonly ending: AbortSignal;
  /** Another text every time: tells prepared transactions apart. */
  readonly salt: () => string;
  /** Told of faults of ours, which are no business of a caller. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** When and by which update a contract came to be. */
export interface CreationIndex {
  timeOf(contract: ContractId): Instant;
  updateOf(contract: ContractId): { readonly offset: number; readonly updateId: string };
}

/** Where routes are declared. */
export type Api = OpenAPIHono;

/** What is known of a request while it is answered: a note of ours where Hono hands on what its platform gave. */
export interface Seen {
  /** Of a socket: the request and the answer of Node. */
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** The route it is for, as it is declared. */
  route: string | null;
  /** Whom its token was found to speak for; null while nobody asked. */
  caller: Caller | null;
}

/** What is known of a request. */
export function seenOf(c: Context): Seen {
  return c.env as Seen;
}

/** A value that is often at hand: whoever has no time for a promise that is kept already looks whether it is one. */
export type Soon<Value> = Value | Promise<Value>;

/** Who may call: any valid token, a user with a wallet, or the operator. A token is checked once per request, whoever asks first. */
export function callerOf(c: Context, { authenticate, host }: ServerContext): Soon<Caller> {
  const seen = seenOf(c);
  if (seen.caller) return seen.caller;
  const authorization = seen.incoming ? seen.incoming.headers.authorization : c.req.header('authorization');
  return soon(authenticate(authorization, host.state), (caller) => (seen.caller = caller));
}

/** A user with a wallet. */
export type WalletUser = Caller & { readonly party: PartyId };

/** The wallet of the caller; 404 when there is none. */
export function walletOf(c: Context, server: ServerContext): Soon<WalletUser> {
  return soon(callerOf(c, server), (caller) => {
    if (caller.party === null) throw new Problem(404, `no wallet is installed for user ${caller.user}`);
    return caller as WalletUser;
  });
}

/** The wallet of the caller, of a route behind a gate that has asked for it. */
export function knownWalletOf(c: Context): WalletUser {
  const { caller } = seenOf(c);
  if (!caller || caller.party === null) throw new Error('a gate has asked for the wallet');
  return caller as WalletUser;
}

/** The operator; 403 for everybody else. */
export function operatorOf(c: Context, server: ServerContext): Soon<Caller> {
  return soon(callerOf(c, server), (caller) => {
    if (!caller.isOperator) throw new Problem(403, `user ${caller.user} is not the operator of this validator`);
    return caller;
  });
}

/** Goes on at once with what is at hand, and later with what is not. */
export function soon<Value, Next>(value: Soon<Value>, go: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(go) : go(value);
}

/** Submits a command and gives the update, or refuses with the status of its rejection. */
export async function submit(server: ServerContext, command: Command, ...actAs: readonly PartyId[]): Promise<Update> {
  const answer = await server.host.submit(command, actAs);
  if (answer.ok) return answer.value;
  throw problemOf(answer.error);
}

/** As {@link submit}, of a command that is made from the very state it is decided upon. */
export async function submitFrom(
  server: ServerContext,
  make: (state: LedgerState, now: Instant) => Command,
  ...actAs: readonly PartyId[]
): Promise<Update> {
  const answer = await server.host.submitFrom(make, actAs);
  if (answer.ok) return answer.value;
  throw problemOf(answer.error);
}

/** The state that a request reads. */
export function stateOf({ host }: ServerContext): LedgerState {
  return host.state;
}
