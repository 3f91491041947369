import { mkdirSync } from 'node:fs';
import {
  failuresText,
  joinParts,
  PartsFault,
  sweepPlots,
  sweepTables,
  writeFiles,
  type Format,
  type SweepRuns,
} from '@coinlab/lab';
import { BadInput, RunsFailed } from '../exit-code.js';
import type { Terminal } from '../terminal.js';
import { sweepText } from './sweep-text.js';

export const PARTS = 'parts';

export function joinedParts(folder: string): SweepRuns {
  try {
    return joinParts(folder);
  } catch (error) {
    throw error instanceof PartsFault ? new BadInput(error.message) : error;
  }
}

export async function writeSweep(
  runs: SweepRuns,
  { out, formats }: { readonly out: string; readonly formats: readonly Format[] },
  terminal: Terminal,
): Promise<void> {
  const tables = sweepTables(runs);
  const others = await sweepPlots(runs);
  // Printed first: a full disk then costs the files, not the figures.
  terminal.out(sweepText(runs));
  mkdirSync(out, { recursive: true });
  writeFiles(out, tables, { formats, others });
  const names = [...[...tables.keys()].map((name) => `${name}.{${formats.join(',')}}`), ...others.keys()];
  terminal.out(`written to ${out}: ${names.join(' ')}\n`);
  const failures = failuresText(runs);
  if (failures.length > 0)
    throw new RunsFailed(
      `${failures.length} of ${runs.rows.length} runs failed; their rows have the error and the command that repeats it. ${failures[0]}`,
    );
}
