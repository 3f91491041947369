import { Option, type Command } from 'commander';
import { offset, whole } from '../flags.js';
import type { ForkFlags } from './fork-command.js';
import type { MetricsFlags } from './metrics-command.js';
import { EXIT_CODES } from '../program-parts.js';
import { addServerLog } from './server-log-program.js';
import type { StateFlags } from './state-command.js';
import type { Terminal } from '../terminal.js';

const LOG = 'file of coinlab run --log or coinlab replay --log, or the folder of a server';

const METRICS_EXAMPLES = `
Rounds are told by time: a tick of ten minutes each, from the first update on. What the ledger refused is in no log, so metrics of payments
that were asked for are said to be unknown.

Examples:
  coinlab metrics run.ndjson                           all parties as one group
  coinlab metrics run.ndjson --scenario scenario.yaml  the groups, warm-up and thresholds of the scenario
  coinlab metrics run.ndjson --every 6 --out tables    summary.csv, series.csv, histograms.csv …
${EXIT_CODES} A threshold of the scenario that does not hold is 3.`;

const STATE_EXAMPLES = `
Examples:
  coinlab state run.ndjson --at 1000                   balances, UTXOs, rounds, supply and state hash after update 1000
  coinlab state run.ndjson --party payers-3 --json     the coins of one party at the end
${EXIT_CODES}`;

const FORK_EXAMPLES = `
The past is played again and held against the log, update by update; what the parties want, and every draw of chance, stays as it was.

Examples:
  coinlab fork run.ndjson --at 1000 --scenario scenario.yaml --policy largest-first
  coinlab fork run.ndjson --at 1000 --manifest run.json --merge never --log never.ndjson
  coinlab fork run.ndjson --at 1000 --scenario scenario.yaml --merge '{ keepLargest: { keep: 3, above: 10 } }' --group payers
${EXIT_CODES}`;

/** Adds the commands that read logs. The code of a command is loaded when it runs. */
export function addLog(program: Command, terminal: Terminal): void {
  addServerLog(program, terminal);
  program
    .command('metrics')
    .description('compute the metrics of a run from its log')
    .argument('<log>', LOG)
    .option('--scenario <file>', 'scenario that the log is of')
    .option('--manifest <file>', 'manifest of the run that wrote it')
    .addOption(new Option('--every <n>', 'rounds between two samples').argParser((text) => whole(text, 1, 10_000_000)))
    .option('--out <dir>', 'write tables as CSV')
    .option('--json', 'one JSON object')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', METRICS_EXAMPLES)
    .action(async (log: string, flags: MetricsFlags) =>
      (await import('./metrics-command.js')).metricsCommand(log, flags, terminal),
    );
  program
    .command('state')
    .description('print the ledger as it was at a moment of a log')
    .argument('<log>', LOG)
    .addOption(new Option('--at <offset>', 'last update that counts; left out: the last of the log').argParser(offset))
    .option('--party <party>', 'one party with its coins: its id, or the part before ::')
    .option('--json', 'one JSON object')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', STATE_EXAMPLES)
    .action(async (log: string, flags: StateFlags) =>
      (await import('./state-command.js')).stateCommand(log, flags, terminal),
    );
  program
    .command('fork')
    .description('continue a logged run under another policy, and compare both futures')
    .argument('<log>', 'file of coinlab run --log')
    .addOption(
      new Option('--at <offset>', 'last update that both futures share').argParser(offset).makeOptionMandatory(),
    )
    .option('--scenario <file>', 'scenario that the log is of')
    .option('--manifest <file>', 'manifest of the run that wrote it')
    .addOption(
      new Option('--replicate <n>', 'which replicate wrote it, from 0').argParser((text) => whole(text, 0, 99_999)),
    )
    .option('--policy <name>', 'how inputs are chosen from there on')
    .option('--merge <habit>', 'how wallets merge from there on: never, a count, or as a scenario writes it')
    .option('--group <name...>', 'groups that it concerns; left out: all')
    .option('--log <file>', 'write the log of the other future, which begins with the shared past')
    .option('--json', 'one JSON object')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', FORK_EXAMPLES)
    .action(async (log: string, flags: ForkFlags) =>
      (await import('./fork-command.js')).forkCommand(log, flags, terminal),
    );
}
