import { join } from 'node:path';
import type { SweepRuns } from '@coinlab/lab';
import { BadInput } from '../exit-code.js';
import { formatsOf } from '../results-folder.js';
import type { Terminal } from '../terminal.js';
import { joinedParts, PARTS, writeSweep } from './results.js';

export async function joinCommand(
  folder: string,
  { out = folder, format }: { readonly out?: string; readonly format: string },
  terminal: Terminal,
): Promise<void> {
  const formats = formatsOf(format);
  let runs: SweepRuns;
  try {
    runs = joinedParts(join(folder, PARTS));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new BadInput(`${folder}: has no folder ${PARTS}; expected the --out folder of coinlab sweep --shard`);
  }
  await writeSweep(runs, { out, formats }, terminal);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
