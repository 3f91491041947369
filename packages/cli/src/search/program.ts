import { Amount } from '@coinlab/core';
import { DEFAULT_UNIT } from '@coinlab/sim';
import { Option, type Command } from 'commander';
import { coin, nullForNone, range, whole, type OrNone } from '../flags.js';
import { countOrNone, mergeThresholdOption, nullForNever, seed, type MergeThreshold } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { ShrinkFlags } from './shrink-command.js';
import type { Terminal } from '../terminal.js';
import type { WorstFlags } from './worst-command.js';

const WORST_EXAMPLES = `
The argument is a selection policy or a scenario file. For a scenario, a wallet of one group receives and pays the stream. If the budget
covers every stream within the limits, the search is exhaustive and proves the worst stream. Otherwise it uses simulated annealing with
several runs from random streams. The same seed finds the same stream.

Examples:
  coinlab worst oldest-first                           40 rows of 1 to 100, by mean UTXOs
  coinlab worst largest-first --rows 60 --receipts 0.4..0.6 --balance 500 --out worst.txt
  coinlab worst smallest-first --metric capMerges --cap 5 --budget 5000 --seed 2
  coinlab worst scenario.yaml --group payers --metric merges
${EXIT_CODES}`;

const SHRINK_EXAMPLES = `
coinlab repeats the payments of the log (mints, transfers, offers) with wallets of the same kind. It removes payments as long as the law
stays broken or the threshold stays missed. It writes the rest as a scenario, its payments and a failing test.

Examples:
  coinlab shrink run.log --threshold 'utxosPerParty.max <= 10' --scenario scenario.yaml --out shrunk
  coinlab shrink run.log --threshold 'merges <= 5' --policy largest-first --merge 10
  coinlab shrink run.log --law any                     shrink to the first broken law
${EXIT_CODES} Exit code 1 also means that the payments do not reproduce the failure.`;

type GivenWorst = Omit<WorstFlags, 'cap' | 'mergeThreshold' | 'balance'> & {
  readonly cap: OrNone<number>;
  readonly merge: MergeThreshold;
  readonly balance: OrNone<number>;
};

export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('worst')
    .description('find the worst payment stream for a policy within given limits')
    .argument('<policy|scenario>', 'selection policy, or scenario file')
    .option('--metric <name>', 'metric to maximise (default: mean number of UTXOs)')
    .addOption(
      new Option('--rows <n>', 'number of rows of the stream').argParser((text) => whole(text, 1, 10_000)).default(40),
    )
    .addOption(
      new Option('--amounts <least..most>', 'range of units per row')
        .argParser(range(1, 1_000_000_000, true))
        .default({ least: 1, most: 100 }, '1..100'),
    )
    .addOption(
      new Option('--receipts <least..most>', 'share of rows that are receipts, from 0 to 1')
        .argParser(range(0, 1, false))
        .default({ least: 0.2, most: 0.8 }, '0.2..0.8'),
    )
    .addOption(
      new Option('--balance <n>', "maximum balance of the wallet in units, or 'none'")
        .argParser(countOrNone(1, 1_000_000_000_000))
        .default('none'),
    )
    .addOption(
      new Option('--unit <coin>', 'coin per unit').argParser(coin).default(DEFAULT_UNIT, Amount.short(DEFAULT_UNIT)),
    )
    .addOption(
      new Option('--cap <n>', "policy: maximum inputs per transaction, or 'none'")
        .argParser(countOrNone(2))
        .default(100),
    )
    .addOption(mergeThresholdOption())
    .option(
      '--group <name>',
      'for a scenario: group of the wallet that pays the stream (default: the first group that pays)',
    )
    .addOption(
      new Option('--budget <n>', 'number of payment streams to evaluate')
        .argParser((text) => whole(text, 10, 100_000_000))
        .default(2_000),
    )
    .addOption(
      new Option(
        '--restarts <n>',
        'number of annealing runs; each starts from a random stream, but the last of two or more from the worst stream so far',
      )
        .argParser((text) => whole(text, 1, 10_000))
        .default(4),
    )
    .addOption(new Option('--seed <n>', 'seed of the search').argParser(seed).default(1))
    .option('--out <file>', 'write the stream, one row per line')
    .option('--overwrite', 'replace the file')
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', WORST_EXAMPLES)
    .action(async (what: string, given: GivenWorst) => {
      const { cap, merge, balance } = given;
      const flags = {
        ...given,
        cap: nullForNone(cap),
        mergeThreshold: nullForNever(merge),
        balance: nullForNone(balance),
      };
      await (await import('./worst-command.js')).worstCommand(what, flags, terminal);
    });
  program
    .command('shrink')
    .description('reduce a run that broke a law or missed a threshold to the payments that cause it')
    .argument('<log>', 'file written by coinlab run --log or coinlab replay --log, or the --data folder of a server')
    .option('--law <name>', "name of the broken law, or 'any'")
    .option('--threshold <demand>', "missed threshold, such as 'utxosPerParty.max <= 10'")
    .option('--scenario <file>', 'scenario with the rules and wallets (default: the rules of the log)')
    .option('--manifest <file>', 'manifest of the run that wrote the log')
    .option('--group <name>', 'group of the wallets (default: the first group that pays)')
    .option('--policy <name>', 'selection policy, instead of the scenario’s')
    .option(
      '--merge <policy>',
      "merge policy: never, a count, or YAML such as '{ keepLargest: { keep: 5, above: 10 } }'",
    )
    .addOption(
      new Option('--budget <n>', 'maximum number of simulations')
        .argParser((text) => whole(text, 1, 10_000_000))
        .default(500),
    )
    .option('--out <dir>', 'folder for the scenario, the payments and a test that reproduces the failure', 'shrunk')
    .option('--json', 'print the result as one JSON object')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', SHRINK_EXAMPLES)
    .action(async (log: string, flags: ShrinkFlags) =>
      (await import('./shrink-command.js')).shrinkCommand(log, flags, terminal),
    );
}
