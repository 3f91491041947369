import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry, LedgerState } from '@coinlab/core';
import { eachEntry, type Take } from './source.js';
import { progressOf } from '../progress.js';
import type { Terminal } from '../terminal.js';

export async function eachEntryShown(
  source: string,
  label: string,
  { isInteractive }: Terminal,
  state: LedgerState,
  take: Take<Entry>,
): Promise<void> {
  const progress = progressOf(label, sizeOf(source) / 1000, isInteractive, 'kB');
  try {
    await eachEntry(source, state, (entry, bytes) => {
      if (entry.offset % 512 === 0) progress.update(Math.round(bytes / 1000));
      return take(entry, bytes);
    });
  } finally {
    progress.end();
  }
}

function sizeOf(source: string): number {
  const stat = statSync(source, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(source).reduce((sum, name) => sum + statSync(join(source, name)).size, 0);
}
