import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { reportOf, writeFiles } from '@coinlab/lab';
import { requireOutFile } from '../out-folder.js';
import type { Terminal } from '../terminal.js';
import { runsIn } from './runs-in.js';

export interface ReportFlags {
  readonly out: string;
  readonly svg?: string;
  readonly group?: string;
  readonly overwrite?: true;
}

export async function reportCommand(
  folders: readonly string[],
  { out, svg, group, overwrite }: ReportFlags,
  terminal: Terminal,
): Promise<void> {
  requireOutFile('--out', out, { overwrite });
  const report = await reportOf(await runsIn(folders, group ?? null));
  writeFiles(dirname(out), new Map(), { formats: [], others: new Map([[basename(out), report.html]]) });
  terminal.out(`${out}\n`);
  if (svg === undefined) return;
  mkdirSync(svg, { recursive: true });
  writeFiles(svg, new Map(), { formats: [], others: report.svgs });
  terminal.out(`${svg}: ${report.svgs.size} plots\n`);
}
