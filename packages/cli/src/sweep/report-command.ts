import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NotARun, reportOf, sweepReportOf, writeFiles, type Report } from '@coinlab/lab';
import { BadInput } from '../exit-code.js';
import { requireOutFile } from '../out-folder.js';
import type { Terminal } from '../terminal.js';
import { joinedParts, PARTS } from './results.js';
import { runsIn } from './runs-in.js';

export interface ReportFlags {
  readonly out: string;
  readonly svg?: string;
  readonly group?: string;
  readonly over?: string;
  readonly overwrite?: true;
}

export async function reportCommand(
  folders: readonly string[],
  { out, svg, group, over, overwrite }: ReportFlags,
  terminal: Terminal,
): Promise<void> {
  requireOutFile('--out', out, { overwrite });
  const report = await reportOfFolders(folders, { group, over });
  writeFiles(dirname(out), new Map(), { formats: [], others: new Map([[basename(out), report.html]]) });
  terminal.out(`${out}\n`);
  if (svg === undefined) return;
  mkdirSync(svg, { recursive: true });
  writeFiles(svg, new Map(), { formats: [], others: report.svgs });
  terminal.out(`${svg}: ${report.svgs.size} plots\n`);
}

async function reportOfFolders(
  folders: readonly string[],
  { group, over }: { readonly group: string | undefined; readonly over: string | undefined },
): Promise<Report> {
  const [sweep] = folders.filter((folder) => existsSync(join(folder, PARTS)));
  if (sweep === undefined) {
    if (over !== undefined) throw new BadInput('--over works with a sweep; the folders have runs');
    return reportOf(await runsIn(folders, group ?? null));
  }
  if (folders.length > 1) throw new BadInput(`${sweep} is a sweep; expected it alone`);
  if (group !== undefined) throw new BadInput('--group works with runs; name metrics of groups in the sweep instead');
  try {
    return await sweepReportOf(joinedParts(join(sweep, PARTS)), over?.split(','));
  } catch (error) {
    throw error instanceof NotARun ? new BadInput(`--over: ${error.message}`) : error;
  }
}
