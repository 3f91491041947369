import { bibtex, citation, softwareBibtex } from '@coinlab/lab';
import type { Terminal } from '../terminal.js';
import { runsIn } from './runs-in.js';

export async function citeCommand(folders: readonly string[], terminal: Terminal): Promise<void> {
  if (folders.length === 0) {
    terminal.out(`${softwareBibtex()}\n`);
    return;
  }
  const runs = await runsIn(folders, null);
  terminal.out(runs.map((run) => `${citation(run)}\n\n${bibtex(run)}\n`).join('\n'));
}
