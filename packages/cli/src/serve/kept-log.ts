import { Engine, type Update } from '@coinlab/core';
import { LogHeads, type Logger, type LogPort, type ServerPorts } from '@coinlab/http';
import { openFileStore, openPostgresStore, parsePostgresAddress, type EventStore, type Recovery } from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { describeStoreRefusal, refuseFile } from '../log/log-command.js';
import type { LogPrefix } from './log-prefix.js';

export interface LogPlace {
  readonly folder?: string | undefined;
  readonly database?: string | undefined;
  readonly advertise: string;
  readonly leaseMillis?: number | undefined;
}

export async function openKeptLog(place: LogPlace, logger: Logger): Promise<ServerPorts> {
  let engine = new Engine();
  let snapshot = 0;
  const heads = new LogHeads();
  const log = await openedAt(place, logger, {
    onSnapshot(state) {
      engine = new Engine({}, state);
      snapshot = state.offset;
    },
    onHead: (head) => heads.add(head),
    onUpdate: (update) => engine.apply(update),
  });
  return heads.count === 0 ? { log } : { log, recovered: { state: engine.snapshot(), heads, snapshot } };
}

/**
 * Copies a log into an empty one in one append, so that a server that is killed meanwhile leaves it empty. Then opens
 * it again, as a standby if another server has taken it over.
 */
export async function filledLog(from: EventStore, log: LogPort, place: LogPlace, logger: Logger): Promise<ServerPorts> {
  const updates: Update[] = [];
  for await (const update of from.read()) updates.push(update);
  const appended = await log.append(0, updates);
  await log.close();
  if (!appended.ok && appended.error.code !== 'STANDBY')
    throw new BadInput(`${shownPlace(place)}: the start file is not applied: ${JSON.stringify(appended.error)}`);
  return openKeptLog(place, logger);
}

/** Returns the place without its password, because messages show it. */
export function shownPlace({ folder, database }: Pick<LogPlace, 'folder' | 'database'>): string | null {
  if (database === undefined) return folder ?? null;
  const address = parsePostgresAddress(database);
  if (!address.ok) throw new BadInput(`--store: ${address.error}`);
  return address.value.shown;
}

async function openedAt(place: LogPlace, logger: Logger, recovery: Recovery): Promise<EventStore> {
  const { folder = '', database: address, advertise, leaseMillis } = place;
  const onNote = (note: string): void => logger.warn({}, note);
  if (address === undefined) refuseFile(folder);
  const opened =
    address === undefined
      ? await openFileStore({ folder, ...recovery, onNote })
      : await openPostgresStore({
          address,
          advertise,
          ...(leaseMillis !== undefined && { leaseMillis }),
          ...recovery,
          onNote,
        });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, shownPlace(place) ?? folder));
  return opened.value;
}

export async function beginWith(prefix: LogPrefix, place: LogPlace, logger: Logger): Promise<ServerPorts> {
  const log = await openedAt(place, logger, {});
  const shown = shownPlace(place) ?? '';
  try {
    if (log.head().offset > 0) {
      const other = place.database === undefined ? 'folder' : 'log (?log=NAME)';
      throw new BadInput(`${shown}: there already is a log; choose a new ${other} or leave out --from`);
    }
    await copy(prefix, log, shown);
  } catch (error) {
    await log.close();
    throw error;
  }
  const { state, lines } = prefix;
  return { log, recovered: { state, lines, snapshot: state.offset, isForeign: true } };
}

const GROUP = 1_000;

async function copy({ state, updates }: LogPrefix, log: EventStore, folder: string): Promise<void> {
  for (let offset = 0; offset < state.offset; offset += GROUP) {
    const appended = await log.append(offset, updates(offset + 1, Math.min(offset + GROUP, state.offset)));
    if (!appended.ok) throw new BadInput(describeStoreRefusal(appended.error, folder));
  }
  const kept = await log.snapshot(state);
  if (!kept.ok) throw new BadInput(describeStoreRefusal(kept.error, folder));
}
