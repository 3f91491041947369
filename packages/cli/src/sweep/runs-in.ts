import { NotARun, readRuns, type ReportRun } from '@coinlab/lab';
import { BadInput } from '../exit-code.js';

export async function runsIn(folders: readonly string[], group: string | null): Promise<readonly ReportRun[]> {
  try {
    return await readRuns(folders, group);
  } catch (error) {
    if (error instanceof NotARun) throw new BadInput(error.message);
    throw error;
  }
}
