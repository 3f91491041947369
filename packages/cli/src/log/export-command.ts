import { statSync } from 'node:fs';
import { codec } from '@coinlab/core';
import { isPostgresAddress } from '@coinlab/store';
import type { Terminal } from '../terminal.js';
import { readKeptLog } from './log-command.js';
import { eachUpdate } from './source.js';

const CHUNK = 1024 * 1024;

export async function logExportCommand(source: string, from: number, terminal: Terminal): Promise<void> {
  let chunk = '';
  const print = (line: string): void => {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) return;
    terminal.out(chunk);
    chunk = '';
  };
  if (isLogFile(source))
    await eachUpdate(source, (update) => {
      if (update.offset >= from) print(codec.encode(update));
      return true;
    });
  else await eachKeptLine(source, from, print, terminal);
  terminal.out(chunk);
}

async function eachKeptLine(
  folder: string,
  from: number,
  take: (line: string) => void,
  terminal: Terminal,
): Promise<void> {
  const onNote = (note: string): void => terminal.err(`coinlab: ${note}\n`);
  // A server may append meanwhile: the first reading finds the end and every damage.
  const { offset: last } = await readKeptLog(folder, { onNote });
  let offset = 0;
  await readKeptLog(folder, {
    onLine(line) {
      offset += 1;
      if (offset >= from && offset <= last) take(line);
    },
  });
}

function isLogFile(source: string): boolean {
  return !isPostgresAddress(source) && statSync(source, { throwIfNoEntry: false })?.isFile() === true;
}
