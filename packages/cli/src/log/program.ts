import { Option, type Command } from 'commander';
import { offset, whole } from '../flags.js';
import type { ForkFlags } from './fork-command.js';
import type { MetricsFlags } from './metrics-command.js';
import { EXIT_CODES } from '../program-parts.js';
import { addServerLog } from './server-log-program.js';
import type { StateFlags } from './state-command.js';
import type { Terminal } from '../terminal.js';

const LOG =
  'file written by coinlab run --log or coinlab replay --log, its JSON lines, or the --data folder of a server';

const METRICS_EXAMPLES = `
A round is ten minutes, counted from the first update. A log has no rejected commands, so metrics of requested payments are printed as
unknown.

Examples:
  coinlab metrics run.log                              all parties as one group
  coinlab metrics run.log --scenario scenario.yaml     use the scenario's groups, warm-up and thresholds
  coinlab metrics run.log --every 6 --out tables       summary.csv, series.csv, histograms.csv …
${EXIT_CODES} 3 a threshold of the scenario was missed.`;

const STATE_EXAMPLES = `
Examples:
  coinlab state run.log --at 1000                      balances, UTXOs, rounds, supply and state hash after update 1000
  coinlab state run.log --party payers-3 --json        the coins of one party at the end
${EXIT_CODES}`;

const FORK_EXAMPLES = `
coinlab repeats the run up to the fork and compares it with the log, update by update. Payment requests and random numbers stay the same after the fork.

Examples:
  coinlab fork run.log --at 1000 --scenario scenario.yaml --policy largest-first
  coinlab fork run.log --at 1000 --manifest run.json --merge never --log never.log
  coinlab fork run.log --at 1000 --scenario scenario.yaml --merge '{ keepLargest: { keep: 3, above: 10 } }' --group payers
${EXIT_CODES}`;

export function addLog(program: Command, terminal: Terminal): void {
  addServerLog(program, terminal);
  program
    .command('metrics')
    .description('compute the metrics of a run from its log')
    .argument('<log>', LOG)
    .option('--scenario <file>', 'scenario of the run that wrote the log')
    .option('--manifest <file>', 'manifest of the run that wrote the log')
    .addOption(
      new Option('--every <n>', 'number of rounds between samples').argParser((text) => whole(text, 1, 10_000_000)),
    )
    .option('--out <dir>', 'write tables as CSV')
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', METRICS_EXAMPLES)
    .action(async (log: string, flags: MetricsFlags) =>
      (await import('./metrics-command.js')).metricsCommand(log, flags, terminal),
    );
  program
    .command('state')
    .description('print the ledger state at an offset of a log')
    .argument('<log>', LOG)
    .addOption(
      new Option('--at <offset>', 'offset of the last update to apply (default: the end of the log)').argParser(offset),
    )
    .option('--party <party>', 'print one party with its coins: a party id or the part before ::')
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', STATE_EXAMPLES)
    .action(async (log: string, flags: StateFlags) =>
      (await import('./state-command.js')).stateCommand(log, flags, terminal),
    );
  program
    .command('fork')
    .description('continue a logged run under another policy and compare the outcomes')
    .argument('<log>', 'file written by coinlab run --log')
    .addOption(
      new Option('--at <offset>', 'offset of the last update that the run and the fork share')
        .argParser(offset)
        .makeOptionMandatory(),
    )
    .option('--scenario <file>', 'scenario of the run that wrote the log')
    .option('--manifest <file>', 'manifest of the run that wrote the log')
    .addOption(
      new Option('--replicate <n>', 'index of the replicate that wrote the log, from 0').argParser((text) =>
        whole(text, 0, 99_999),
      ),
    )
    .option('--policy <name>', 'selection policy after the fork')
    .option(
      '--merge <policy>',
      "merge policy after the fork: never, a count, or YAML such as '{ keepLargest: { keep: 5, above: 10 } }'",
    )
    .option('--group <name...>', 'groups to change (default: all)')
    .option('--log <file>', 'write the log of the fork, including the updates that it shares with the run')
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', FORK_EXAMPLES)
    .action(async (log: string, flags: ForkFlags) =>
      (await import('./fork-command.js')).forkCommand(log, flags, terminal),
    );
}
