import { readFileSync } from 'node:fs';
import { Instant, settingsOf } from '@coinlab/core';
import {
  BadSettings,
  createServer,
  DEV_USERS,
  differenceToMachine,
  isLoopback,
  jsonLog,
  listen,
  type CoinlabServer,
  type Logger,
  type LogLevel,
  type ServerConfigInput,
  type ServerPorts,
} from '@coinlab/http';
import { BadInput, messageOf, Stopped } from '../exit-code.js';
import { beginWith, openKeptLog } from './kept-log.js';
import { readPast, type SharedPast } from './shared-past.js';
import type { Terminal } from '../terminal.js';

/** The flags of `coinlab serve`, parsed. Those that are given win over the file. */
export interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly data?: string;
  readonly config?: string;
  readonly clock?: 'real' | 'manual' | number;
  readonly startsAt?: string;
  readonly profile?: 'legacy-fees' | 'feeless' | 'feeless-24h';
  readonly dev?: true;
  readonly from?: string;
  readonly at?: number;
  readonly logLevel: LogLevel;
}

/**
 * `coinlab serve`: a ledger over HTTP until it is told to stop; then it answers what it has accepted.
 * @param stopped resolves when it is to stop
 */
export async function serveCommand(
  flags: ServeFlags,
  terminal: Terminal,
  stopped: Promise<NodeJS.Signals>,
): Promise<void> {
  const { data: _, config, logLevel, from, at: __, ...given } = flags;
  const logger = jsonLog(logLevel, terminal.err);
  // A moment of the past stays one until somebody moves the time on.
  const byDefault = from === undefined ? {} : { clock: 'manual' };
  const inFile = config === undefined ? {} : settingsIn(config);
  // The file is checked by createServer.
  const settings = withNamesOfEnvironment({ ...byDefault, ...inFile, ...given } as ServerConfigInput);
  const { kept, past } = await portsOf(flags, logger);
  try {
    const server = await createServer(settings, { ...kept, logger });
    const listening = await listen(server, { ownsProcess: true }).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    terminal.out(await welcome(server, listening.url, flags, past));
    await stopped;
    logger.info({}, 'stopping');
    await listening.close();
    logger.info({ offset: server.host.state.offset }, 'stopped');
    logger.flush();
    terminal.out('stopped; what was accepted was answered\n');
  } catch (error) {
    await kept.log?.close();
    throw error instanceof BadSettings ? new BadInput(error.message) : error;
  }
  if ((await stopped) === 'SIGINT') throw new Stopped('interrupted');
}

/** Adds the host names of `COINLAB_ALLOWED_HOSTS`, which commas separate. */
function withNamesOfEnvironment(settings: ServerConfigInput): ServerConfigInput {
  const names = (process.env['COINLAB_ALLOWED_HOSTS'] ?? '').split(',').map((name) => name.trim());
  const added = names.filter((name) => name !== '');
  // A file may hold anything; createServer refuses what is no list.
  const known: unknown = settings.allowedHosts ?? [];
  return added.length > 0 && Array.isArray(known) ? { ...settings, allowedHosts: [...known, ...added] } : settings;
}

function settingsIn(file: string): object {
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof settings === 'object' && settings !== null) return settings;
    throw new TypeError('expected a JSON object with settings');
  } catch (error) {
    throw new BadInput(`${file}: ${messageOf(error)}`);
  }
}

/** Where the server goes on from: its own log, somebody else's, or nothing. */
async function portsOf(
  { data, from, at }: ServeFlags,
  logger: Logger,
): Promise<{ kept: ServerPorts; past: SharedPast | null }> {
  if (from === undefined) {
    if (at !== undefined) throw new BadInput('--at: of which log? name it with --from');
    return { kept: data === undefined ? {} : await openKeptLog(data, logger), past: null };
  }
  const past = await readPast(from, at ?? null);
  if (data !== undefined) return { kept: await beginWith(past, data, logger), past };
  return { kept: { recovered: { state: past.state, lines: past.lines, isForeign: true } }, past };
}

/** Users whose tokens are shown: of thousands nobody reads more. */
const SHOWN = 10;

/** What somebody needs to know who wants to try it. */
async function welcome(
  { config, token, host, hosted }: CoinlabServer,
  url: string,
  { data, from }: ServeFlags,
  past: SharedPast | null,
): Promise<string> {
  const { auth, validatorWalletUser: operator, clock, dev } = config;
  const { state } = host;
  const lines = [
    `coinlab listens on ${url}`,
    `profile ${settingsOf(state).profile.name}, clock ${clock}, log ${data === undefined ? 'in memory' : `in ${data}`}, offset ${state.offset}`,
  ];
  if (past)
    lines.push(`opened ${from} at offset ${past.state.offset} of ${past.end}, ${Instant.format(past.state.time)}`);
  lines.push(reachOf(config));
  const difference = differenceToMachine(host.now());
  if (difference !== null) lines.push(difference);
  lines.push(`try the API: ${url}/docs`);
  if (auth.algorithm === 'hs-256-unsafe') {
    const users = past ? hosted.map(({ user }) => user) : dev ? DEV_USERS : [];
    lines.push('', 'Tokens (HS256):');
    for (const user of [operator, ...users.slice(0, SHOWN)]) lines.push(`  ${user.padEnd(16)} ${await token(user)}`);
    if (users.length > SHOWN) {
      const rest = users.length - SHOWN;
      lines.push(`  and ${rest} more: the user name ("sub" of the token) is the part of the party id before '::'`);
    }
    const user = users[0] ?? operator;
    lines.push('', 'Try it:', `  curl -H 'Authorization: Bearer ${await token(user)}' ${url}/v0/wallet/balance`);
  }
  return `${lines.join('\n')}\n`;
}

/** Who can reach the server, and what needs no token there. */
function reachOf({ host, dev, auth }: CoinlabServer['config']): string {
  const who = isLoopback(host) ? 'programs on this machine' : `all machines that reach ${host}`;
  const secret = auth.algorithm === 'hs-256-unsafe' && auth.secret === 'unsafe';
  const open = [
    ...(dev ? ['act as any party under /dev'] : []),
    ...(secret ? ['sign tokens with the well-known secret'] : []),
  ];
  return `reachable by ${who}${open.length === 0 ? '' : `, which may ${open.join(' and ')}`}`;
}
