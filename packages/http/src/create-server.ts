import { installOf, type ValidatorIdentity } from './host/hosted-parties.js';
import { setMaxListeners } from 'node:events';
import { randomUUID } from 'node:crypto';
import {
  Amount,
  Duration,
  PartyId,
  type Command,
  type Instant,
  type LedgerState,
  type Rejection,
  type Result,
  type Submitted,
  type Update,
} from '@coinlab/core';
import { SignJWT } from 'jose';
import { createApp } from './app.js';
import { authenticator, tokenTime } from './gates/auth.js';
import { DevControl } from './network/dev-control.js';
import { driveAutomation } from './network/automation-driver.js';
import { catchUpRounds } from './network/catch-up.js';
import { clockOf, type Clock } from './host/clock.js';
import { BadSettings, parseServerConfig, type ServerConfig, type ServerConfigInput } from './config.js';
import { found } from './network/founding.js';
import { creationIndex, type CreationIndex } from './history/creation-index.js';
import { history, type History } from './history/history.js';
import { faults } from './gates/faults.js';
import { Host, isDamage, type HostWatch, type LogPort, type Refusal } from './host/host.js';
import { keepSnapshots } from './host/keep-snapshots.js';
import { LogHeads } from './history/log-heads.js';
import { recoveredFrom, type Recovered } from './history/recovered.js';
import { factsOf, SILENT, type Logger } from './observe/logger.js';
import { serverMetrics, type Metrics } from './observe/metrics.js';
import type { Api } from './request.js';
import { describeRefusal, problemOf } from './gates/status.js';
import { usersOfParties, type HostedUser } from './network/simulated-users.js';
import { walletIndex, type WalletIndexBuilder } from './history/wallet-index.js';

/** A server that answers requests in process; {@link listen} gives it a socket. */
export interface CoinlabServer extends ValidatorIdentity {
  readonly config: ServerConfig;
  /** The ledger now: what every view of the core takes. */
  readonly state: LedgerState;
  /** Ledger time of the next command. */
  readonly now: Instant;
  /** Answers a request without a socket, like the global `fetch`. A path needs no address before it: `fetch('/v0/wallet/balance')`. */
  readonly fetch: (request: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The wallet party of a user. With `dev`, `party('bob')` is `PartyId.of('bob')`. Throws for a user without a wallet. */
  party(user: string): PartyId;
  /** A token for a user, valid for a year: servers with a shared secret only. */
  token(user: string): Promise<string>;
  /** Moves the clock on by a span such as `1h`; automation runs meanwhile. `0s` runs it once. */
  advance(by: Duration | string): Promise<void>;
  /** Submits any command as any party. A refusal of the ledger is a value. Only with `dev`. */
  submit<C extends Command>(command: C, ...actAs: readonly PartyId[]): Promise<Submitted<C>>;
  /** Remembers the ledger and returns the id for {@link revert}. Only with `dev`. */
  snapshot(): Promise<number>;
  /** Restores a snapshot, as often as needed, and drops the later ones. The clock is not reverted. Only with `dev`, and with a log in memory. */
  revert(snapshot: number): Promise<void>;
  /** Restores the ledger as it was at the start. The clock is not reverted. Only with `dev`, and with a log in memory. */
  reset(): Promise<void>;
  /** Begins to end: streams and delays end, and {@link ending} is aborted. Requests are still answered. */
  end(): void;
  /** Answers what was accepted, closes the log. */
  close(): Promise<void>;
  /** The Hono app behind {@link fetch}, to mount in a server of your own. */
  readonly app: Api;
  /** The one writer of the ledger, for programs that submit without `dev` or listen to updates. */
  readonly host: Host;
  /** The updates and states of the past. */
  readonly history: History;
  /** Aborted when the server begins to end. */
  readonly ending: AbortSignal;
  /** The users of the parties of a log that came from elsewhere; none of a server's own. */
  readonly hosted: readonly HostedUser[];
}

/** What a server is made of beside its settings. */
export interface ServerPorts {
  /** Where the log is kept; left out: in memory. */
  readonly log?: LogPort;
  /** What the log held when it was opened. */
  readonly recovered?: Recovered;
  /** Told of every request, of what automation was refused, of a log that takes nothing, of every fault. Left out: nobody is. */
  readonly logger?: Logger;
  /** Told of every fault of ours: of a request, or of a habit. Left out: nobody is. */
  readonly onFault?: (what: string, error: unknown) => void;
}

/** Settings, and the log that the server continues. */
export type ServerOptions = ServerConfigInput & {
  /**
   * A log as text, one update a line: `world.save()` of a test ledger, or the body of `GET /log`. Each of its parties gets a user, and the
   * clock is manual unless it is set. The log of this server is in memory.
   */
  readonly from?: string;
};

/** A server over a new ledger, or over the one that a log leads to. Throws {@link BadSettings} for settings or a log it cannot use. */
export async function createServer(options: ServerOptions = {}, ports: ServerPorts = {}): Promise<CoinlabServer> {
  const { from, ...settings } = options;
  if (from !== undefined)
    return createServer({ clock: 'manual', ...settings }, { ...ports, recovered: recoveredFrom(from) });
  const parsed = parseServerConfig(settings);
  if (!parsed.ok) throw new BadSettings(parsed.faults);
  const config = parsed.value;
  const clock = clockOf(config, ports.recovered ?? null);
  const { logger = SILENT } = ports;
  const onFault = (what: string, error: unknown): void => {
    logger.error({ where: what, ...factsOf(error) }, 'a fault of the server');
    ports.onFault?.(what, error);
  };
  const ending = new AbortController();
  // Whatever waits listens to it, and a thousand requests may be delayed at once.
  setMaxListeners(0, ending.signal);
  const metrics = serverMetrics(() => host.state);
  const host: Host = new Host({
    clock,
    log: ports.log ?? null,
    watch: watchOf(logger, metrics),
    ...(ports.recovered ? { state: ports.recovered.state } : {}),
  });
  const past = followHistory(host, ports);
  host.onUpdate(({ kind }) => metrics.updated(kind));
  const keeper = ports.log?.snapshot
    ? keepSnapshots(host, ports.log, ports.recovered?.snapshot ?? 0, ({ code, reason }) =>
        logger.warn({ code, reason }, 'the state could not be kept beside the log'),
      )
    : null;
  const identity = { validator: PartyId.of('validator'), participantId: `PAR::${PartyId.of('participant')}` };
  const { profile, isDevNet, seed } = config;
  const amuletPrice = Amount.of(config.amuletPrice);
  const opened = await host.open({ profile, isDevNet, seed, amuletPrice, requireKnownParties: true });
  if (!opened.ok) throw new BadSettings([describeRefusal(opened.error)]);
  const { recovered } = ports;
  const onRefused = (habit: string, command: string, { code }: Rejection): void =>
    logger.warn({ habit, command, code }, 'automation was refused');
  const automation = driveAutomation({ host, config, ...identity, onFault, onRefused });
  if (recovered && config.automation.dso) await catchUpRounds(host, automation, recovered.isForeign ?? false);
  const hosted = recovered?.isForeign
    ? usersOfParties(recovered.state, identity.validator, config.validatorWalletUser)
    : [];
  const refused = await found(host, { config, ...identity, hosted: recovered?.isForeign ? hosted : null });
  if (refused) throw new BadSettings([describeRefusal(refused)]);
  if (!recovered?.isForeign) await automation.run(['frequent']);
  const control = new DevControl(host, automation);

  const app = createApp({
    ...identity,
    ...past,
    get state() {
      return host.state;
    },
    now: () => clock.now(),
    host,
    config,
    authenticate: authenticator(config, identity.validator, host, logger),
    automation,
    logger,
    metrics,
    faults: faults(ending.signal),
    ending: ending.signal,
    salt: salts(config),
    control,
    onFault,
  });
  // Start serving first, and index the history of wallets in the background.
  setTimeout(() => readBehind(past.wallets, ending.signal), READS_BEHIND_AFTER_MILLIS).unref();
  const forTests = (method: string): DevControl => {
    if (config.dev) return control;
    throw new Error(`server.${method} needs a development server: createServer({ dev: true })`);
  };
  return {
    ...identity,
    config,
    get state() {
      return host.state;
    },
    get now() {
      return host.now();
    },
    fetch: async (request, init) => app.request(request, init),
    party: (user) => partyOf(user, host.state, identity.validator),
    token: (user) => tokenFor(user, config, clock),
    advance: async (by) => automation.advance(Duration.of(by)),
    submit: async (command, ...actAs) => submittedOf(command, await forTests('submit').submit(command, actAs)),
    snapshot: async () => forTests('snapshot').snapshot(),
    revert: async (snapshot) => forTests('revert').revert(snapshot),
    reset: async () => forTests('reset').reset(),
    end: () => ending.abort(),
    async close() {
      ending.abort();
      automation.stop();
      await keeper?.end();
      await host.close();
    },
    app,
    host,
    history: past.history,
    ending: ending.signal,
    hosted,
  };
}

function partyOf(user: string, state: LedgerState, validator: PartyId): PartyId {
  const install = installOf(state, validator, user);
  if (!install) throw new Error(`user ${user} has no wallet on this server: POST /v0/admin/users creates one`);
  return install.endUser;
}

/** A refusal of the ledger as a value; a log that cannot be written, or a server that has ended, as an error. */
function submittedOf<C extends Command>(command: C, answer: Result<Update, Refusal>): Submitted<C>;
function submittedOf(_: Command, answer: Result<Update, Refusal>): Submitted {
  if (answer.ok) return { ok: true, value: { update: answer.value, entry: answer.value } };
  if (answer.error.by === 'ledger') return { ok: false, error: answer.error.rejection };
  throw problemOf(answer.error);
}

/** What is known of the past: what the log held, then every update of the host. */
function followHistory(
  host: Host,
  { log, recovered }: ServerPorts,
): { readonly history: History; readonly created: CreationIndex; readonly wallets: WalletIndexBuilder } {
  const heads = recovered?.heads ?? new LogHeads();
  const past = history(heads, log?.lineAt ? (offset) => host.lineAt(offset) : null);
  const wallets = walletIndex(past);
  for (const line of recovered?.lines ?? []) past.addLine(line);
  if (recovered) past.keep(recovered.state);
  host.onUpdate((update, after) => {
    past.add(update, after);
    wallets.add(update);
  });
  host.onReplaced(({ offset }) => {
    past.takeBack(offset + 1);
    wallets.reset();
  });
  return { history: past, created: creationIndex(heads, past), wallets };
}

const READS_BEHIND_AFTER_MILLIS = 1_000;
/** Updates that are read in one go: a few milliseconds. */
const READ_AT_ONCE = 100;

/** Reads what wallets ask of the past before anybody asks, while there is nothing else to do. */
function readBehind(wallets: WalletIndexBuilder, ending: AbortSignal): void {
  try {
    if (!ending.aborted && wallets.catchUp(READ_AT_ONCE)) setImmediate(() => readBehind(wallets, ending)).unref();
  } catch (error) {
    // The host has reported the record; requests that need it are answered with 500.
    if (!isDamage(error)) throw error;
  }
}

function watchOf(logger: Logger, metrics: Metrics): HostWatch {
  return {
    refused: ({ code }) => metrics.refused(code),
    appended: (updates, seconds) => metrics.appended(updates, seconds),
    notAppended(updates, { code, reason }) {
      metrics.notAppended(updates);
      logger.error({ updates, code, reason }, 'the log took nothing');
    },
    damaged: (reason) => logger.error({ reason }, 'a record of the log is damaged'),
  };
}

/** Texts that tell prepared transactions apart: with a manual clock the same ones in every run. */
function salts({ clock, seed }: ServerConfig): () => string {
  if (clock !== 'manual') return randomUUID;
  let count = 0;
  return () => `${seed}-${++count}`;
}

/** A year: tests move the clock on by weeks. */
const TOKEN_SECONDS = 366 * 86_400;

async function tokenFor(user: string, { auth }: ServerConfig, clock: Clock): Promise<string> {
  if (auth.algorithm !== 'hs-256-unsafe') throw new BadSettings(['auth: tokens are made by the issuer of the keys']);
  const now = Number(tokenTime(auth, clock) / 1_000_000n);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setAudience(auth.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(auth.secret));
}
