import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Engine } from '@coinlab/core';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput, messageOf } from '../exit-code.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { readKeptLog, shownLog } from './log-command.js';
import { serverSource, type LogSource } from './server-source.js';

const CHUNK = 1024 * 1024;

export async function logCopyCommand(
  source: string,
  file: string,
  { token }: { readonly token?: string },
  terminal: Terminal,
): Promise<void> {
  const { read } = /^https?:/i.test(source) ? serverSource(source, token ?? null) : folderSource(source, terminal);
  const engine = new Engine();
  const copy = pending(file);
  try {
    let chunk = '';
    const about = await read((update, line) => {
      engine.apply(update);
      chunk += `${line}\n`;
      if (chunk.length < CHUNK) return;
      copy.write(Buffer.from(chunk, 'utf8'));
      chunk = '';
    });
    if (engine.state.offset === 0) throw new BadInput(`${shownLog(source)}: the log has no updates yet`);
    copy.write(Buffer.from(chunk, 'utf8'));
    copy.sync();
    copy.commit();
    syncFolderOf(file);
    terminal.out(`${grouped(engine.state.offset)} updates in ${file}\n${about}state  ${engine.hash()}\n`);
  } catch (error) {
    copy.discard();
    throw error;
  }
}

function folderSource(folder: string, terminal: Terminal): LogSource {
  return {
    async read(take) {
      let last = '';
      const { hash } = await readKeptLog(folder, {
        onNote: (note) => terminal.err(`coinlab: ${note}\n`),
        onLine: (line) => (last = line),
        onUpdate: (update) => take(update, last),
      });
      return `head   ${hash}\n`;
    },
  };
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
