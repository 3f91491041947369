import type { Command } from 'commander';
import { EXIT_CODES } from '../program-parts.js';
import type { ReportFlags } from './report-command.js';
import type { Terminal } from '../terminal.js';

const EXAMPLES = `
DIR is what coinlab run --out wrote. Several are held beside each other. The page is one file: it opens from disk, loads nothing and
prints well.

Examples:
  coinlab report results
  coinlab report never merged --out policies.html --svg pictures
  coinlab report never merged --group users
${EXIT_CODES}`;

/** Adds `coinlab report`. */
export function addReport(program: Command, terminal: Terminal): void {
  program
    .command('report')
    .description('make a page with plots of results that were kept')
    .argument('<dirs...>', 'folders of results')
    .option('--out <file>', 'the page', 'report.html')
    .option('--group <name>', 'tell of one group of parties; left out: of all')
    .option('--svg <dir>', 'write each picture as a file too, for papers')
    .addHelpText('after', EXAMPLES)
    .action(async (folders: readonly string[], flags: ReportFlags) =>
      (await import('./report-command.js')).reportCommand(folders, flags, terminal),
    );
}
