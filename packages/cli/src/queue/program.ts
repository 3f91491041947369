import { type Command, Option } from 'commander';
import { whole } from '../flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';
import type { WorkFlags } from './work-command.js';

const WORK_EXAMPLES = `
Examples:
  coinlab work postgres://coinlab@db.example/sweeps    work until Ctrl-C, which gives unfinished parts back
  coinlab work postgres://coinlab@db.example/sweeps --drain --workers 4
${EXIT_CODES}`;

export function addQueue(program: Command, terminal: Terminal): void {
  program
    .command('work')
    .description('compute parts of the sweeps in a queue')
    .argument('<url>', 'postgres:// address of the queue')
    .addOption(
      new Option('--workers <n>', 'number of worker processes (default: one per processor)').argParser((text) =>
        whole(text, 1, 1_024),
      ),
    )
    .addOption(
      new Option('--lease <seconds>', 'seconds without a heartbeat after which another worker takes the part')
        .argParser((text) => whole(text, 1, 3_600))
        .default(30),
    )
    .option('--drain', 'end when no part is left to take')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', WORK_EXAMPLES)
    .action(async (address: string, flags: WorkFlags) =>
      (await import('./work-command.js')).workCommand(address, flags, terminal),
    );
}
