import { PROFILE_NAMES } from '@coinlab/core';
import { PRESET_NAMES } from '@coinlab/core/rules';
import type { LogLevel } from '@coinlab/http';
import { Option, type Command } from 'commander';
import { clockSpeed, coinOrZero, offset, port, whole } from '../flags.js';
import { FLAG_VARIABLES } from './flag-variables.js';
import { EXIT_CODES, programNamed, reporting } from '../program-parts.js';
import type { ServeFlags } from './serve-command.js';
import type { Terminal } from '../terminal.js';
import type { AssertFlags } from './assert-command.js';

// Not imported: other commands would load the server.
const LOG_LEVELS = Object.keys({ silent: 0, error: 1, warn: 2, info: 3 } satisfies Record<LogLevel, number>);

const SERVE_EXAMPLES = `
Without --data the ledger is lost when the program ends. The file of --config is JSON. Environment variables override it:
limits.bodyBytes is COINLAB_LIMITS_BODY_BYTES, and port is COINLAB_PORT. Flags override both.

Examples:
  coinlab serve --dev                                  ten funded users with tokens, a running clock
  coinlab serve --dev --clock manual                   time advances by POST /dev/advance
  coinlab serve --data ledger --port 5003              a ledger that survives restarts
  coinlab serve --localnet                             three validators on the ports of Splice LocalNet
  coinlab serve --start-with wallets.yaml              parties with coins, users and offers
  coinlab serve --from run.log --at 5000               a simulated network after 5,000 updates
${EXIT_CODES}`;

export function addServe(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('serve the network’s APIs from a ledger')
    .option('--host <address>', 'address to listen on')
    .addOption(new Option('--port <n>', 'port to listen on; 0 takes a free one').argParser(port))
    .addOption(new Option('--ledger-port <n>', 'second port, with the JSON Ledger API only').argParser(port))
    .addOption(new Option('--data <dir>', 'folder of the log').env(FLAG_VARIABLES.data))
    .addOption(
      new Option(
        '--store <url>',
        'PostgreSQL database of the log, postgres://user@host/database[?log=NAME]; its servers share it, and one writes',
      ).env(FLAG_VARIABLES.store),
    )
    .addOption(
      new Option(
        '--advertise <url>',
        'with --store: address under which other servers reach this one (default: the address it listens on)',
      ).env(FLAG_VARIABLES.advertise),
    )
    .addOption(
      new Option(
        '--lease <seconds>',
        'with --store: seconds without renewal after which a standby replaces the writer (default: 10)',
      )
        .argParser((text) => whole(text, 1, 3_600))
        .env(FLAG_VARIABLES.lease),
    )
    .addOption(
      new Option(
        '--from <log>',
        'start from another log: the folder of a server, or a file written by run --log or replay --log',
      ).env(FLAG_VARIABLES.from),
    )
    .addOption(
      new Option('--at <offset>', 'with --from: offset of the last update to use')
        .argParser(offset)
        .env(FLAG_VARIABLES.at),
    )
    .addOption(
      new Option(
        '--start-with <file>',
        'YAML or JSON file with the contents of a new ledger: parties, coins, users, offers',
      ).env(FLAG_VARIABLES.startWith),
    )
    .addOption(new Option('--config <file>', 'JSON file with settings').env(FLAG_VARIABLES.config))
    .addOption(new Option('--clock <speed>', "'real', 'manual', or a speed factor").argParser(clockSpeed))
    .option('--starts-at <time>', 'ledger time at which the clock starts, such as 2026-01-01T00:00:00Z')
    .addOption(
      new Option('--preset <month>', 'month whose rules, prices and caps of the network a new ledger gets').choices(
        PRESET_NAMES,
      ),
    )
    .addOption(new Option('--profile <name>', 'rules of a new ledger').choices(PROFILE_NAMES))
    .option('--localnet', 'use the validators, ports, users and tokens of Splice LocalNet')
    .option('--dev', 'create ten funded users, and open unrestricted routes under /dev')
    .option(
      '--allow-unsafe-secret-beyond-loopback',
      'listen beyond loopback with the publicly known default secret: only in a closed network',
    )
    .addOption(
      new Option('--log-level <level>', 'minimum level of log messages on stderr, one JSON object per line')
        .choices(LOG_LEVELS)
        .env(FLAG_VARIABLES.logLevel)
        .default('info' satisfies LogLevel),
    )
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (flags: ServeFlags) => {
      const stopped = signalled();
      await (await import('./serve-command.js')).serveCommand(flags, terminal, stopped);
    });
}

const ASSERT_EXAMPLES = `
Examples:
  coinlab assert http://localhost:5003 --party alice --balance 5.0
  coinlab assert http://localhost:5003 --party alice --max-coins 10 --within 30     wait at most 30 seconds
  coinlab assert http://localhost:5003 --party treasury::1220… --user treasury-user --balance 100
${EXIT_CODES} 3 an expectation does not hold.`;

export function addAssert(program: Command, terminal: Terminal): void {
  program
    .command('assert')
    .description("compare a party's coins on a running server with expectations")
    .argument('<url>', 'address of the server')
    .requiredOption('--party <party>', 'user name, to read its wallet; or party id, to read the ledger')
    .addOption(new Option('--balance <amount>', 'expected sum of the unlocked coins').argParser(coinOrZero))
    .addOption(new Option('--locked <amount>', 'expected sum of the locked coins').argParser(coinOrZero))
    .addOption(new Option('--coins <n>', 'expected number of unlocked coins').argParser(coinCount))
    .addOption(new Option('--max-coins <n>', 'expected maximum of unlocked coins').argParser(coinCount))
    .option('--user <name>', 'user of the token (default: the party)')
    .addOption(new Option('--token <jwt>', 'token to use instead of a signed one').env('COINLAB_TOKEN'))
    .addOption(new Option('--secret <text>', "server's shared secret, which signs the token").default('unsafe'))
    .addOption(
      new Option('--within <seconds>', 'repeat until the expectations hold, at most this long')
        .argParser((text) => whole(text, 0, 86_400))
        .default(0),
    )
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', ASSERT_EXAMPLES)
    .action(async (url: string, flags: AssertFlags) =>
      (await import('./assert-command.js')).assertCommand(url, flags, terminal),
    );
}

function coinCount(text: string): number {
  return whole(text, 0, 1_000_000_000);
}

/** Has only `serve`, so that a server starts without loading the other commands. */
export function serveProgramFor(terminal: Terminal): Command {
  const program = programNamed();
  addServe(program, terminal);
  return reporting(program, terminal);
}

function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(signal);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
