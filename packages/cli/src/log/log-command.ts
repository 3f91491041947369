import { codec, Engine, type LedgerState, type Update } from '@coinlab/core';
import {
  fingerprintOf,
  openFileStore,
  readSnapshot,
  snapshotNames,
  type EventStore,
  type StoreRefusal,
} from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { READING } from './reading-disk.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Tells in one line why a log could not be opened. */
export function describeStoreRefusal(refusal: StoreRefusal, folder: string): string {
  switch (refusal.code) {
    case 'DAMAGED': {
      const { file, byte, offset, reason } = refusal.damage;
      return `${folder}: damaged in ${file} at byte ${byte}, offset ${offset}: ${reason}`;
    }
    case 'LOCKED':
      return `${folder}: another process has this log open${refusal.pid === null ? '' : `: ${refusal.pid}`}`;
    case 'CONFLICT':
      return `${folder}: stands at ${refusal.head}, not at ${refusal.expected}`;
    case 'WRITE_FAILED':
    case 'STOPPED':
    case 'UNREADABLE':
      return `${folder}: ${refusal.reason}`;
  }
}

/**
 * `coinlab log verify DIR`: checks every record, that the updates lead to a state, and that every snapshot is of a state that they led to.
 * Changes nothing.
 */
export async function logVerifyCommand(folder: string, terminal: Terminal): Promise<void> {
  const engine = new Engine();
  const snapshots = await snapshotsIn(folder);
  const wrong = new Set(snapshots);
  const store = await openToRead(folder, terminal, (update) => {
    engine.apply(update);
    for (const snapshot of snapshots)
      if (snapshot.offset === update.offset && snapshot.stateHash === fingerprintOf(engine.state))
        wrong.delete(snapshot);
  });
  const { offset, hash } = store.head();
  await store.close();
  terminal.out(`${grouped(offset)} updates, all as they were written\nhead   ${hash}\nstate  ${engine.hash()}\n`);
  for (const snapshot of snapshots.filter((one) => !wrong.has(one)))
    terminal.out(`snapshot of ${grouped(snapshot.offset)} updates, as the log leads to it\n`);
  const [first] = wrong;
  if (first) throw new BadInput(`${folder}: ${first.file}: ${first.fault}; a server ignores it, and it may be deleted`);
}

/** `coinlab log export DIR`: the updates, one a line. */
export async function logExportCommand(folder: string, from: number, terminal: Terminal): Promise<void> {
  const store = await openToRead(folder, terminal);
  for await (const update of store.read(from)) terminal.out(`${codec.encode(update)}\n`);
  await store.close();
}

/** `coinlab log head DIR`: where the log stands, and the offset of the snapshot that a server would begin with. */
export async function logHeadCommand(folder: string, terminal: Terminal): Promise<void> {
  let snapshot: number | null = null;
  const store = await openToRead(folder, terminal, null, ({ offset }) => (snapshot = offset));
  terminal.out(`${JSON.stringify({ ...store.head(), snapshot })}\n`);
  await store.close();
}

async function openToRead(
  folder: string,
  terminal: Terminal,
  onUpdate: ((update: Update) => void) | null = null,
  onSnapshot: ((state: LedgerState) => void) | null = null,
): Promise<EventStore> {
  const opened = await openFileStore({
    folder,
    disk: READING,
    ...(onUpdate ? { onUpdate } : {}),
    ...(onSnapshot ? { onSnapshot } : {}),
    onNote: (note) => terminal.err(`coinlab: ${note.replace(/^cut/, 'would cut')}\n`),
  });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  return opened.value;
}

/** A snapshot beside a log: what it says it is, or what is wrong with it whatever the log says. */
interface Claimed {
  readonly file: string;
  readonly offset: number;
  readonly stateHash: string | null;
  readonly fault: string;
}

async function snapshotsIn(folder: string): Promise<readonly Claimed[]> {
  const claimed: Claimed[] = [];
  const names = await snapshotNames(READING, folder).catch(() => []);
  for (const file of names.toReversed()) {
    const read = await readSnapshot(READING, folder, file);
    const fault = read.ok ? 'the log does not lead to this state' : read.error;
    const { head, stateHash } = read.ok ? read.value : { head: { offset: 0 }, stateHash: null };
    claimed.push({ file, offset: head.offset, stateHash, fault });
  }
  return claimed;
}
