import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Engine } from '@coinlab/core';
import { readLog } from '@coinlab/store';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from '../exit-code.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { describeStoreRefusal } from './log-command.js';

/** Bytes that are gathered before they are written. */
const CHUNK = 1024 * 1024;

/**
 * `coinlab log copy DIR FILE`: copies every acknowledged update to one file, which `serve --from` opens. Every record is checked and every
 * update replayed. A server may run on the log meanwhile. The file appears whole and synced, or not at all.
 */
export async function logCopyCommand(folder: string, file: string, terminal: Terminal): Promise<void> {
  const engine = new Engine();
  const copy = pending(file);
  try {
    let chunk = '';
    const read = await readLog({
      folder,
      onNote: (note) => terminal.err(`coinlab: ${note}\n`),
      onLine(line) {
        chunk += `${line}\n`;
        if (chunk.length < CHUNK) return;
        copy.write(Buffer.from(chunk, 'utf8'));
        chunk = '';
      },
      onUpdate: (update) => engine.apply(update),
    });
    if (!read.ok) throw new BadInput(describeStoreRefusal(read.error, folder));
    if (read.value.offset === 0) throw new BadInput(`${folder}: the log has no updates yet`);
    copy.write(Buffer.from(chunk, 'utf8'));
    copy.sync();
    copy.commit();
    syncFolderOf(file);
    const { offset, hash } = read.value;
    terminal.out(`${grouped(offset)} updates in ${file}\nhead   ${hash}\nstate  ${engine.hash()}\n`);
  } catch (error) {
    copy.discard();
    throw error;
  }
}

function pending(file: string): PendingFile {
  try {
    return new PendingFile(file);
  } catch (error) {
    throw new BadInput(`${file}: cannot be written: ${messageOf(error)}`);
  }
}

function syncFolderOf(file: string): void {
  const descriptor = openSync(dirname(file), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
