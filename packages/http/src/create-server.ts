import { installOf, type Peer } from './host/hosted-parties.js';
import { setMaxListeners } from 'node:events';
import { hash, randomUUID } from 'node:crypto';
import {
  Amount,
  Duration,
  type PartyId,
  type CommandArgument,
  type CommandOf,
  type CommandType,
  type Instant,
  type LedgerState,
  type Rejection,
  type Submitted,
} from '@coinlab/core';
import type { Apps } from './app.js';
import { tokenFor } from './gates/own-tokens.js';
import { countedTraffic } from './network/counted-traffic.js';
import type { DevControl } from './network/dev-control.js';
import { driveAutomation } from './network/automation-driver.js';
import { catchUpRounds } from './network/catch-up.js';
import { clockOf } from './host/clock.js';
import { BadSettings, configOf, parseServerConfig, type ServerConfig, type ServerConfigInput } from './config.js';
import { found } from './network/founding.js';
import { followHistory } from './network/follow-history.js';
import type { History } from './history/history.js';
import { Host, HostUnavailable, isDamage } from './host/host.js';
import type { HostWatch, LogPort } from './host/log-port.js';
import { readPreparedMessage } from './wire/ledger/prepared-message.js';
import { keepSnapshots } from './host/keep-snapshots.js';
import { LogHeads } from './history/log-heads.js';
import { recoveredFrom, type Recovered } from './history/recovered.js';
import { factsOf, SILENT, type Logger } from './observe/logger.js';
import { serverMetrics, type Metrics } from './observe/metrics.js';
import type { Api } from './request.js';
import { appsOfWorlds } from './world-apps.js';
import { Forks } from './worlds/forks.js';
import { openFork } from './worlds/open-fork.js';
import { liveWorld } from './worlds/live-world.js';
import { ValidatorApps, type ValidatorServer } from './validator-apps.js';
import { validatorsOf, type Validator } from './host/validators.js';
import type { OpenSocket } from './apis/ledger/open-socket.js';
import type { Address } from './host/addresses.js';
import { applyStart } from './network/start-apply.js';
import { parseStartOrThrow, withValidatorsOf } from './network/start-read.js';
import type { StartInput } from './network/start-schema.js';
import { describeRejection } from './gates/status.js';
import { usersOfParties, type HostedUser } from './network/simulated-users.js';

/** A server that answers requests in process. {@link listen} gives it a socket. */
export interface CoinlabServer extends Peer {
  readonly config: ServerConfig;
  readonly state: LedgerState;
  readonly now: Instant;
  /** Answers a request without a socket, like the global `fetch`. A path needs no address before it: `fetch('/v0/wallet/balance')`. */
  readonly fetch: (request: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The validators in the order of the setting `validators`, at least one. The other methods use the first. */
  readonly validators: readonly [ValidatorServer, ...ValidatorServer[]];
  readonly answerAt: (address: Address) => Api['fetch'];
  /** Returns the function that opens the websockets of a port, for listeners. */
  readonly openSocketAt: (address: Address) => OpenSocket;
  /**
   * Returns the wallet party of a user. With `dev`, `party('bob')` is `PartyId.of('bob')`. Throws for a user without a
   * wallet.
   */
  party(user: string): PartyId;
  /** Returns a token for a user, valid for a year. Only for servers with a shared secret. */
  token(user: string): Promise<string>;
  /** Advances the clock by a span such as `1h` and runs automation at every poll in between. `0s` runs automation once. */
  advance(by: Duration | string): Promise<void>;
  /** Submits any command as any party. A refusal of the ledger is a value. Only with `dev`. */
  submit<Type extends CommandType>(
    command: CommandArgument<Type>,
    ...actAs: readonly PartyId[]
  ): Promise<Submitted<CommandOf<Type>>>;
  /** Takes a snapshot. Returns the id for {@link revert}. Only with `dev`. */
  snapshot(): Promise<number>;
  /** Restores a snapshot, any number of times, and drops later ones. The clock is not reverted. Only with `dev`. */
  revert(snapshot: number): Promise<void>;
  /** Restores the initial ledger. The clock is not reverted. Only with `dev`. */
  reset(): Promise<void>;
  /**
   * Begins the shutdown: ends streams, cuts simulated delays short, and aborts {@link ending}. Requests are still
   * answered.
   */
  end(): void;
  /** Answers accepted requests and closes the log. */
  close(): Promise<void>;
  /** The Hono app behind {@link fetch}, to mount in a server of your own. */
  readonly app: Api;
  /** The app of the JSON Ledger API alone, for a port of its own. */
  readonly ledgerApp: Api;
  /** The writer of the ledger, for programs that submit without `dev` or listen to updates. */
  readonly host: Host;
  readonly history: History;
  /** Aborted when the shutdown begins. */
  readonly ending: AbortSignal;
  /** The users of a foreign log's parties; empty for a server's own log. */
  readonly hosted: readonly HostedUser[];
}

/** Objects that a program passes to the server in addition to settings: the log, the recovered ledger and reports. */
export interface ServerPorts {
  /** Stores the log. Default: in memory. */
  readonly log?: LogPort;
  readonly recovered?: Recovered;
  /** Logs requests, refused commands of automation, failed appends and internal errors. Default: no logging. */
  readonly logger?: Logger;
  /** Reports internal errors of requests and of automation. Default: no reports. */
  readonly onFault?: (what: string, error: unknown) => void;
}

/** Settings, and the log that the server continues. */
export type ServerOptions = ServerConfigInput & {
  /**
   * A log as JSON lines: `world.save()` of a test ledger, or the body of `GET /log`. Each of its parties gets a user, and the default
   * clock is manual. This server's log is in memory.
   */
  readonly from?: string;
  /** Contents of a new ledger: parties with coins, users, offers. A restart on its log does not repeat them. */
  readonly start?: StartInput;
};

/** Creates a server with a new ledger or the ledger of a log. Throws {@link BadSettings} for invalid settings and logs. */
export async function createServer(options: ServerOptions = {}, ports: ServerPorts = {}): Promise<CoinlabServer> {
  const { from, start, ...given } = options;
  if (from !== undefined) {
    if (start !== undefined) throw new BadSettings(['start: needs a new ledger; leave out from']);
    return createServer({ clock: 'manual', ...given }, { ...ports, recovered: recoveredFrom(from) });
  }
  const contents = start === undefined ? null : parseStartOrThrow(start);
  // The operator of another network may have no coin for top-ups.
  const byDefault = ports.recovered?.isForeign ? { traffic: 'free' as const } : {};
  const parsed = parseServerConfig(withValidatorsOf(contents, { ...byDefault, ...given }));
  if (!parsed.ok) throw new BadSettings(parsed.faults);
  const config = parsed.value;
  const clock = clockOf(config, ports.recovered ?? null);
  const { logger = SILENT } = ports;
  const onFault = (what: string, error: unknown): void => {
    logger.error({ where: what, ...factsOf(error) }, 'internal error');
    ports.onFault?.(what, error);
  };
  const ending = new AbortController();
  // Every waiting request adds a listener, and there may be thousands.
  setMaxListeners(0, ending.signal);
  const metrics = serverMetrics({ state: () => host.state, readers: () => world.tail.count });
  const host: Host = new Host({
    clock,
    log: ports.log ?? null,
    readTransaction: readPreparedMessage,
    watch: watchOf(logger, metrics),
    ...(ports.recovered ? { state: ports.recovered.state } : {}),
  });
  const indexes = followHistory(host, {
    heads: ports.recovered?.heads ?? new LogHeads(),
    lineAt: ports.log?.lineAt ? (offset) => host.lineAt(offset) : null,
    ...(ports.recovered?.lines && { lines: ports.recovered.lines }),
  });
  host.onUpdate(({ kind }) => metrics.updated(kind));
  const keeper = ports.log?.snapshot
    ? keepSnapshots(host, ports.log, ports.recovered?.snapshot ?? 0, ({ code, reason }) =>
        logger.warn({ code, reason }, 'the snapshot failed'),
      )
    : null;
  const validators = validatorsOf(config);
  const [first, ...others] = validators;
  const { profile, isDevNet, seed } = config;
  const amuletPrice = Amount.of(config.amuletPrice);
  const { recovered } = ports;
  let onLead: (() => void) | null = null;
  host.follow(() => onLead?.());
  if (host.standby === null)
    await started(
      host.open({ profile, isDevNet, seed, amuletPrice, config: configOf(config), requireKnownParties: true }),
    );
  const onRefused = (habit: string, command: string, { code }: Rejection): void =>
    logger.warn({ habit, command, code }, 'a command of automation was refused');
  const onLackingCoin = (validator: PartyId, price: Amount): void =>
    logger.warn({ validator, price: Amount.format(price) }, 'the operator lacks coin for a traffic top-up');
  const automation = driveAutomation({ host, config, peers: first.peers, onFault, onRefused, onLackingCoin });
  const hosted = recovered?.isForeign
    ? usersOfParties(recovered.state, first.validator, config.validatorWalletUser)
    : [];
  /** Prepares the ledger for commands. The writer calls it before its first command. */
  const lead = async (isExisting: boolean): Promise<void> => {
    if (isExisting && config.automation.dso) await catchUpRounds(host, automation, recovered?.isForeign ?? false);
    await started(found(host, { config, validators, hosted: recovered?.isForeign ? hosted : null }));
    // Founding the network is free.
    if (config.traffic === 'counted') host.chargeTraffic(countedTraffic(first.peers, config));
    if (!recovered?.isForeign) await automation.run(['frequent']);
  };
  if (host.standby === null) {
    await lead(recovered !== undefined);
    if (contents && !recovered) await applyStart(contents, host, validators);
  }
  onLead = () => void lead(true).catch((error: unknown) => onFault('taking over the log', error));

  const openOne: ConstructorParameters<typeof Forks>[0] = (beginning) =>
    openFork(beginning, {
      config,
      peers: first.peers,
      salts: () => salts(config),
      readTransaction: readPreparedMessage,
      ending: ending.signal,
      onFault,
      onRefused,
      onLackingCoin,
    });
  const forks = new Forks(openOne, config);
  const server = { config, logger, metrics, forks, onFault };
  const world = liveWorld({
    host,
    automation,
    clock,
    indexes,
    salt: salts(config),
    ending: ending.signal,
    log: ports.log ?? null,
  });
  const { control } = world;
  if (config.dev) await started(control.recover().then(() => null));
  const appsOf = (validator: Validator): Apps => appsOfWorlds(world, { ...server, ...validator });
  const serverOf = (one: Validator): ValidatorServer => validatorServer(one, appsOf(one), host);
  const servers = [serverOf(first), ...others.map(serverOf)] as const;
  const apps = new ValidatorApps(servers, config);
  // Start serving first, and index the history of wallets in the background.
  const readBehind = (): void => void indexes.follower.readBehind(ending.signal).catch(unlessDamage);
  const reading = setTimeout(readBehind, READS_BEHIND_AFTER_MILLIS).unref();
  host.onReplaced(readBehind);
  const forTests = (method: string): DevControl => {
    if (config.dev) return control;
    throw new Error(`server.${method} needs a development server: createServer({ dev: true })`);
  };
  return {
    validator: first.validator,
    participantId: first.participantId,
    validators: servers,
    answerAt: (address) => apps.answerAt(address),
    openSocketAt: (address) => apps.openSocketAt(address),
    config,
    get state() {
      return host.state;
    },
    get now() {
      return host.now();
    },
    fetch: async (request, init) => apps.fetch(request, init),
    party: (user) => partyOf(user, host.state, validators),
    token: (user) => tokenFor(user, config, clock),
    advance: async (by) => automation.advance(Duration.of(by)),
    submit: async (command, ...actAs) => forTests('submit').submit(command, actAs),
    snapshot: async () => forTests('snapshot').snapshot(),
    revert: async (snapshot) => forTests('revert').revert(snapshot),
    reset: async () => forTests('reset').reset(),
    end: () => ending.abort(),
    async close() {
      ending.abort();
      clearTimeout(reading);
      automation.stop();
      forks.close();
      await keeper?.end();
      await host.close();
    },
    app: servers[0].app,
    ledgerApp: servers[0].ledgerApp,
    host,
    history: indexes.history,
    ending: ending.signal,
    hosted,
  };
}

function validatorServer({ name, validator, participantId }: Validator, apps: Apps, host: Host): ValidatorServer {
  return {
    name,
    validator,
    participantId,
    fetch: async (request, init) => apps.app.request(request, init),
    party: (user) => partyOf(user, host.state, [{ validator }]),
    ...apps,
  };
}

function partyOf(user: string, state: LedgerState, validators: readonly Pick<Peer, 'validator'>[]): PartyId {
  const [install] = validators.flatMap(({ validator }) => installOf(state, validator, user) ?? []);
  if (!install) throw new Error(`user ${user} has no wallet on this server: POST /v0/admin/users creates one`);
  return install.endUser;
}

async function started(step: Promise<Rejection | null>): Promise<void> {
  const refused = await step.catch((error: unknown) => {
    throw error instanceof HostUnavailable ? new BadSettings([error.message]) : error;
  });
  if (refused) throw new BadSettings([describeRejection(refused)]);
}

const READS_BEHIND_AFTER_MILLIS = 1_000;
/** Ignores the error of a damaged record: the host has reported it, and requests that need the record get 500. */
function unlessDamage(error: unknown): void {
  if (!isDamage(error)) throw error;
}

function watchOf(logger: Logger, metrics: Metrics): HostWatch {
  return {
    refused: ({ code }) => metrics.refused(code),
    appended: (updates, seconds) => metrics.appended(updates, seconds),
    notAppended(updates, { code, reason }) {
      metrics.notAppended(updates);
      logger.error({ updates, code, reason }, 'the log refused the updates');
    },
    damaged: (reason) => logger.error({ reason }, 'a record of the log is damaged'),
  };
}

/** With a manual clock the ids are equal in every run. */
function salts({ clock, seed }: ServerConfig): () => string {
  if (clock !== 'manual') return randomUUID;
  let count = 0;
  return () => uuidOf(`${seed}-${++count}`);
}

function uuidOf(name: string): string {
  const hex = hash('sha256', name);
  // Version 8: a UUID of an own scheme.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
