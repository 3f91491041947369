import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { NotARun, readRuns, reportOf, writeFiles, type ReportRun } from '@coinlab/lab';
import { BadInput } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

export interface ReportFlags {
  readonly out: string;
  readonly svg?: string;
  readonly group?: string;
}

export async function reportCommand(
  folders: readonly string[],
  { out, svg, group }: ReportFlags,
  terminal: Terminal,
): Promise<void> {
  const report = await reportOf(await runsIn(folders, group ?? null));
  writeFiles(dirname(out), new Map(), { formats: [], others: new Map([[basename(out), report.html]]) });
  terminal.out(`${out}\n`);
  if (svg === undefined) return;
  mkdirSync(svg, { recursive: true });
  writeFiles(svg, new Map(), { formats: [], others: report.svgs });
  terminal.out(`${svg}: ${report.svgs.size} plots\n`);
}

async function runsIn(folders: readonly string[], group: string | null): Promise<readonly ReportRun[]> {
  try {
    return await readRuns(folders, group);
  } catch (error) {
    if (error instanceof NotARun) throw new BadInput(error.message);
    throw error;
  }
}
