import type { Context } from 'hono';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Command, ContractId, Instant, LedgerState, PartyId, Update } from '@coinlab/core';
import type { Authenticate, Caller } from './auth.js';
import type { AutomationDriver } from './automation-driver.js';
import type { ServerConfig } from './config.js';
import type { Faults } from './faults.js';
import type { History } from './history.js';
import type { Host } from './host.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import { Problem } from './problem.js';
import { problemOf } from './status.js';
import type { WalletIndex } from './wallet-index.js';

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

/** Who may call: any valid token, a user with a wallet, or the operator. */
export async function callerOf(c: Context, { authenticate, host }: ServerContext): Promise<Caller> {
  // A token is checked once per request, whoever asks first.
  const known = c.get('caller') as Caller | undefined;
  if (known) return known;
  const caller = await authenticate(c.req.header('authorization'), host.state);
  c.set('caller', caller);
  return caller;
}

/** The user whose token a request was found to have; null when nobody asked for one, or it was none. */
export function userOf(c: Context): string | null {
  return (c.get('caller') as Caller | undefined)?.user ?? null;
}

/** The wallet of the caller; 404 when there is none. */
export async function walletOf(c: Context, server: ServerContext): Promise<Caller & { readonly party: PartyId }> {
  const caller = await callerOf(c, server);
  if (caller.party === null) throw new Problem(404, `no wallet is installed for user ${caller.user}`);
  return { ...caller, party: caller.party };
}

/** The operator; 403 for everybody else. */
export async function operatorOf(c: Context, server: ServerContext): Promise<Caller> {
  const caller = await callerOf(c, server);
  if (!caller.isOperator) throw new Problem(403, `user ${caller.user} is not the operator of this validator`);
  return caller;
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
