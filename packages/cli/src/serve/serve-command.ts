import { readFileSync } from 'node:fs';
import type { PresetName } from '@coinlab/core/rules';
import {
  BadSettings,
  BadStart,
  createServer,
  jsonLog,
  LOCALNET,
  openPort,
  parseServerConfig,
  withValidatorsOf,
  type Logger,
  type LogLevel,
  type ServerConfigInput,
  type ServerPorts,
} from '@coinlab/http';
import { BadInput, messageOf, Stopped } from '../exit-code.js';
import { wantsLocalNet, withEnvironment } from './environment.js';
import { memoryStore } from '@coinlab/store';
import { beginWith, filledLog, openKeptLog, shownPlace, type LogPlace } from './kept-log.js';
import { readPrefix, type LogPrefix } from './log-prefix.js';
import { StartMarker } from './start-marker.js';
import type { Terminal } from '../terminal.js';
import { welcome } from './welcome.js';

export interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly ledgerPort?: number;
  readonly data?: string;
  readonly store?: string;
  readonly advertise?: string;
  readonly lease?: number;
  readonly config?: string;
  readonly clock?: 'real' | 'manual' | number;
  readonly startsAt?: string;
  readonly profile?: 'legacy-fees' | 'feeless' | 'feeless-24h';
  readonly preset?: PresetName;
  readonly dev?: true;
  readonly allowUnsafeSecretBeyondLoopback?: true;
  readonly localnet?: true;
  readonly startWith?: string;
  readonly from?: string;
  readonly at?: number;
  readonly logLevel: LogLevel;
}

export async function serveCommand(
  flags: ServeFlags,
  terminal: Terminal,
  stopped: Promise<NodeJS.Signals>,
): Promise<void> {
  const { data, store, advertise: _a, lease: _l, config, logLevel, from, at: _, startWith, ...others } = flags;
  const { localnet = wantsLocalNet(process.env), ...given } = others;
  const logger = jsonLog(logLevel, terminal.err);
  // With --from the clock is manual by default.
  const byDefault = { ...(localnet ? LOCALNET : {}), ...(from === undefined ? {} : { clock: 'manual' }) };
  const inFile = config === undefined ? {} : settingsIn(config);
  // `createServer` validates the file's content.
  const settings = { ...withEnvironment({ ...byDefault, ...inFile } as ServerConfigInput, process.env), ...given };
  const start = startWith === undefined ? null : (await import('./start-file.js')).readStart(startWith);
  const kept = shownPlace({ folder: data, database: store });
  if (data !== undefined && store !== undefined) throw new BadInput('--store: leave it out, or leave out --data');
  if (start && from !== undefined) throw new BadInput('--start-with: needs a new ledger; leave out --from');
  const parsed = parseServerConfig(withValidatorsOf(start?.value ?? null, settings));
  if (!parsed.ok) throw new BadInput(new BadSettings(parsed.faults).message);
  const port = await openPort(parsed.value, { ownsProcess: true }).catch(asBadInput);
  try {
    if (kept !== null || from !== undefined) logger.info({ url: port.url }, 'reading the log');
    const marker = data === undefined ? null : new StartMarker(data);
    const place = placeOf(flags, port.url);
    const opened = await portsOf(flags, place, logger);
    const { prefix } = opened;
    let { ports } = opened;
    const options = { ...settings, ...(start && { start: start.input }) };
    const refuse = async (error: unknown): Promise<never> => {
      await ports.log?.close();
      return error instanceof BadStart && start ? start.refuse(error) : asBadInput(error);
    };
    // Only the owner of the folder may judge the marker: another server may be applying its start file.
    if (marker?.isSet === true) await refuse(marker.interrupted());
    if (start && ports.recovered)
      logger.info({ file: startWith }, 'the log has updates: the start file is not applied');
    // A refused start must not leave a stored log that is half filled.
    else if (start && ports.log) {
      const log = memoryStore();
      await createServer(options, { log }).then((rehearsal) => rehearsal.close(), refuse);
      if (store !== undefined) ports = await filledLog(log, ports.log, place, logger);
      marker?.set();
    }
    const server = await createServer(options, { ...ports, logger }).catch(refuse);
    marker?.clear();
    const listening = port.serve(server);
    try {
      terminal.out(await welcome(server, listening, { kept, from }, prefix));
      await stopped;
      logger.info({}, 'stopping');
    } finally {
      await listening.close();
    }
    logger.info({ offset: server.host.state.offset }, 'stopped');
    logger.flush();
    terminal.out('stopped; all accepted requests were answered\n');
  } finally {
    await port.close();
  }
  if ((await stopped) === 'SIGINT') throw new Stopped('interrupted');
}

function asBadInput(error: unknown): never {
  throw error instanceof BadSettings ? new BadInput(error.message) : error;
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

function placeOf({ data, store, advertise, lease }: ServeFlags, url: string): LogPlace {
  const leaseMillis = lease === undefined ? undefined : lease * 1_000;
  return { folder: data, database: store, advertise: advertise ?? url, leaseMillis };
}

async function portsOf(
  { data, store, from, at }: ServeFlags,
  place: LogPlace,
  logger: Logger,
): Promise<{ ports: ServerPorts; prefix: LogPrefix | null }> {
  const isKept = data !== undefined || store !== undefined;
  if (from === undefined) {
    if (at !== undefined) throw new BadInput('--at: works only with --from');
    return { ports: isKept ? await openKeptLog(place, logger) : {}, prefix: null };
  }
  const prefix = await readPrefix(from, at ?? null);
  if (isKept) return { ports: await beginWith(prefix, place, logger), prefix };
  return { ports: { recovered: { state: prefix.state, lines: prefix.lines, isForeign: true } }, prefix };
}
