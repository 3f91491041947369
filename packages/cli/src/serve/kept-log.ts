import { Engine } from '@coinlab/core';
import { LogHeads, type Logger, type ServerPorts } from '@coinlab/http';
import { openFileStore, type EventStore } from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { describeStoreRefusal } from '../log/log-command.js';
import type { LogPrefix } from './log-prefix.js';

export async function openKeptLog(folder: string, logger: Logger): Promise<ServerPorts> {
  let engine = new Engine();
  let snapshot = 0;
  const heads = new LogHeads();
  const opened = await openFileStore({
    folder,
    onSnapshot(state) {
      engine = new Engine({}, state);
      snapshot = state.offset;
    },
    onHead: (head) => heads.add(head),
    onUpdate: (update) => engine.apply(update),
    onNote: (note) => logger.warn({}, note),
  });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  const log = opened.value;
  return heads.count === 0 ? { log } : { log, recovered: { state: engine.snapshot(), heads, snapshot } };
}

export async function beginWith(prefix: LogPrefix, folder: string, logger: Logger): Promise<ServerPorts> {
  const opened = await openFileStore({ folder, onNote: (note) => logger.warn({}, note) });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  const log = opened.value;
  try {
    if (log.head().offset > 0)
      throw new BadInput(`${folder}: the folder already has a log; choose a new folder or leave out --from`);
    await copy(prefix, log, folder);
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
