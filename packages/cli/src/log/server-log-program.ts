import { Option, type Command } from 'commander';
import { offset } from '../flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';

const EXAMPLES = `
All commands only read the log and work while a server runs. copy and repair write to their last argument.

Examples:
  coinlab log verify ledger                            check every record and replay all updates
  coinlab log copy ledger backup.ndjson                make a backup that coinlab serve --from opens
  COINLAB_TOKEN=… coinlab log copy http://localhost:5003 backup.ndjson      the same, from a remote server
  coinlab log export run.log > run.ndjson              the log of a run as JSON lines, one update per line
  coinlab log repair ledger repaired                   write the intact part of a damaged log to a new folder
${EXIT_CODES}`;

const DIR = 'folder of the log, or postgres:// address of its database';

export function addServerLog(program: Command, terminal: Terminal): void {
  const log = program
    .command('log')
    .description('check, copy and repair the log of a server; print any log')
    .addHelpText('after', EXAMPLES);
  log
    .command('verify')
    .description('check every record and replay all updates')
    .argument('<log>', DIR)
    .action(async (dir: string) => (await import('./log-command.js')).logVerifyCommand(dir, terminal));
  log
    .command('export')
    .description('print the updates as JSON lines')
    .argument('<log>', `${DIR}, or file that coinlab run --log wrote`)
    .addOption(new Option('--from <offset>', 'offset of the first update').argParser(offset).default(1))
    .action(async (dir: string, { from }: { from: number }) =>
      (await import('./export-command.js')).logExportCommand(dir, from, terminal),
    );
  log
    .command('head')
    .description('print the offset and hash of the last update')
    .argument('<log>', DIR)
    .action(async (dir: string) => (await import('./log-command.js')).logHeadCommand(dir, terminal));
  log
    .command('copy')
    .description('copy all updates to one file, also while a server runs')
    .argument('<source>', 'folder or postgres:// address of the log, or URL of a running server')
    .argument('<file>', 'file to write')
    .addOption(new Option('--token <jwt>', "with a URL: token of the server's operator").env('COINLAB_TOKEN'))
    .action(async (source: string, file: string, flags: { readonly token?: string }) =>
      (await import('./copy-command.js')).logCopyCommand(source, file, flags, terminal),
    );
  log
    .command('repair')
    .description('report damage and write what is intact to a new folder')
    .argument('<dir>', 'folder of the damaged log, which stays as it is')
    .argument('<out>', 'folder to write, empty or missing')
    .action(async (dir: string, out: string) =>
      (await import('./repair-command.js')).logRepairCommand(dir, out, terminal),
    );
}
