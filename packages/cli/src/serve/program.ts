import { PROFILE_NAMES } from '@coinlab/core';
import { LOG_LEVELS, type LogLevel } from '@coinlab/http';
import { Option, type Command } from 'commander';
import { clockSpeed, offset, port } from '../flags.js';
import { EXIT_CODES, programNamed, reporting } from '../program-parts.js';
import { serveCommand, type ServeFlags } from './serve-command.js';
import type { Terminal } from '../terminal.js';

const SERVE_EXAMPLES = `
Without --data the ledger is gone when the program ends. The file of --config is JSON; flags win over it.

Examples:
  coinlab serve --dev                                  ten funded users, their tokens, a clock that runs
  coinlab serve --dev --clock manual                   time moves by POST /dev/advance
  coinlab serve --data ledger --port 5003              a ledger that is there again after a restart
  coinlab serve --from run.ndjson --at 5000            a simulated network as it was after 5,000 updates
${EXIT_CODES}`;

/** Adds `coinlab serve`. */
export function addServe(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('serve the APIs of the network over a ledger')
    .option('--host <address>', 'address to listen on')
    .addOption(new Option('--port <n>', 'port to listen on; 0 takes a free one').argParser(port))
    .option('--data <dir>', 'folder that keeps the log')
    .option('--from <log>', 'opens the network of another log: the folder of a server, or what `replay --log` wrote')
    .addOption(new Option('--at <offset>', 'with --from: the last update to take').argParser(offset))
    .option('--config <file>', 'settings, as JSON')
    .addOption(
      new Option('--clock <speed>', "'real', 'manual', or a factor on the machine's time").argParser(clockSpeed),
    )
    .addOption(
      new Option('--starts-at <time>', 'ledger time at which the clock starts, such as 2026-01-01T00:00:00Z').env(
        'COINLAB_STARTS_AT',
      ),
    )
    .addOption(new Option('--profile <name>', 'rules of a new ledger').choices(PROFILE_NAMES))
    .option('--dev', 'ten funded users, and routes under /dev that may do anything')
    .addOption(
      new Option('--log-level <level>', 'what is told on the error output, one JSON object a line')
        .choices(LOG_LEVELS)
        .default('info' satisfies LogLevel),
    )
    .addHelpText('after', SERVE_EXAMPLES)
    .action((flags: ServeFlags) => serveCommand(flags, terminal, signalled()));
}

/** The program with this command alone: a server is to be ready before everything else is loaded. */
export function serveProgramFor(terminal: Terminal): Command {
  const program = programNamed();
  addServe(program, terminal);
  return reporting(program, terminal);
}

/** Resolves to the first SIGINT or SIGTERM. */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
