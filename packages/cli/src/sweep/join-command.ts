import { join } from 'node:path';
import type { SweepRuns } from '@coinlab/lab';
import { isPostgresAddress } from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { formatsOf } from '../results-folder.js';
import type { Terminal } from '../terminal.js';
import { joinedParts, PARTS, writeSweep } from './results.js';

export async function joinCommand(
  folder: string,
  { out: given, format, sweep }: { readonly out?: string; readonly format: string; readonly sweep?: string },
  terminal: Terminal,
): Promise<void> {
  const formats = formatsOf(format);
  if (isPostgresAddress(folder)) {
    if (given === undefined) throw new BadInput('--out: got none, expected a folder for the results');
    const { joinQueued } = await import('../queue/queue-command.js');
    return joinQueued(folder, { out: given, formats, sweep: sweep ?? null }, terminal);
  }
  if (sweep !== undefined) throw new BadInput('--sweep: works only with the address of a queue');
  const out = given ?? folder;
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
