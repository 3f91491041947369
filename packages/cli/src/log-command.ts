import { codec, Engine } from '@coinlab/core';
import { openFileStore, type EventStore, type StoreRefusal } from '@coinlab/store';
import { BadInput } from './exit-code.js';
import { READING } from './reading-disk.js';
import { grouped } from './table.js';
import type { Terminal } from './terminal.js';

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
    default:
      return `${folder}: ${refusal.reason}`;
  }
}

/** `coinlab log verify DIR`: checks every record, and that the updates lead to a state. Changes nothing. */
export async function logVerifyCommand(folder: string, terminal: Terminal): Promise<void> {
  const engine = new Engine();
  const store = await openToRead(folder, terminal, engine);
  const { offset, hash } = store.head();
  await store.close();
  terminal.out(`${grouped(offset)} updates, all as they were written\nhead   ${hash}\nstate  ${engine.hash()}\n`);
}

/** `coinlab log export DIR`: the updates, one a line. */
export async function logExportCommand(folder: string, from: number, terminal: Terminal): Promise<void> {
  const store = await openToRead(folder, terminal);
  for await (const update of store.read(from)) terminal.out(`${codec.encode(update)}\n`);
  await store.close();
}

/** `coinlab log head DIR`: where the log stands. */
export async function logHeadCommand(folder: string, terminal: Terminal): Promise<void> {
  const store = await openToRead(folder, terminal);
  terminal.out(`${JSON.stringify(store.head())}\n`);
  await store.close();
}

async function openToRead(folder: string, terminal: Terminal, engine: Engine | null = null): Promise<EventStore> {
  const opened = await openFileStore({
    folder,
    disk: READING,
    onUpdate: (update) => engine?.apply(update),
    onNote: (note) => terminal.err(`coinlab: ${note.replace(/^cut/, 'would cut')}\n`),
  });
  if (!opened.ok) throw new BadInput(describeStoreRefusal(opened.error, folder));
  return opened.value;
}
