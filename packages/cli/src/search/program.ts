import { Amount } from '@coinlab/core';
import { DEFAULT_UNIT } from '@coinlab/sim';
import { Option, type Command } from 'commander';
import { coin, nullForNone, range, whole, type OrNone } from '../flags.js';
import { countOrNone, seed } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { ShrinkFlags } from './shrink-command.js';
import type { Terminal } from '../terminal.js';
import type { WorstFlags } from './worst-command.js';

const WORST_EXAMPLES = `
POLICY is a selection policy; SCENARIO a scenario file, the wallet of one of whose groups gets and pays the stream. Where the budget allows
to look at every stream within the limits, the worst is proven; else simulated annealing looks for it, from drawn streams and anew several
times. The same seed finds the same stream.

Examples:
  coinlab worst oldest-first                           40 rows of 1 to 100, by mean UTXOs
  coinlab worst largest-first --rows 60 --receipts 0.4..0.6 --balance 500 --out worst.txt
  coinlab worst smallest-first --metric capMerges --cap 5 --budget 5000 --seed 2
  coinlab worst scenario.yaml --group payers --metric merges
${EXIT_CODES}`;

const SHRINK_EXAMPLES = `
The payments of the log (mints, transfers, offers) are made once more by wallets that are alike, and left out one after the other while the
law stays broken or the threshold missed. What is left is written as a scenario, its payments, and a test that fails.

Examples:
  coinlab shrink run.ndjson --threshold 'utxosPerParty.max <= 10' --scenario scenario.yaml --out shrunk
  coinlab shrink run.ndjson --threshold 'merges <= 5' --policy largest-first --merge 10
  coinlab shrink run.ndjson --law any                  the first law that an update of the log breaks
${EXIT_CODES} Payments that do not lead there again are 1.`;

type GivenWorst = Omit<WorstFlags, 'cap' | 'mergeAbove' | 'balance'> & {
  readonly cap: OrNone<number>;
  readonly mergeAbove: OrNone<number>;
  readonly balance: OrNone<number>;
};

/** Adds the commands that search. What a command does is loaded when it runs. */
export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('worst')
    .description('look for the payment stream within limits that is worst for a policy')
    .argument('<policy|scenario>', 'selection policy, or scenario file')
    .option('--metric <name>', 'what is to be large; left out: the mean of UTXOs')
    .addOption(new Option('--rows <n>', 'rows of the stream').argParser((text) => whole(text, 1, 10_000)).default(40))
    .addOption(
      new Option('--amounts <least..most>', 'units of one row')
        .argParser(range(1, 1_000_000_000, true))
        .default({ least: 1, most: 100 }, '1..100'),
    )
    .addOption(
      new Option('--receipts <least..most>', 'share of rows that are receipts')
        .argParser(range(0, 1, false))
        .default({ least: 0.2, most: 0.8 }, '0.2..0.8'),
    )
    .addOption(
      new Option('--balance <n>', "most units that the wallet ever has, or 'none'")
        .argParser(countOrNone(1, 1_000_000_000_000))
        .default('none'),
    )
    .addOption(
      new Option('--unit <coin>', 'coin per unit').argParser(coin).default(DEFAULT_UNIT, Amount.short(DEFAULT_UNIT)),
    )
    .addOption(
      new Option('--cap <n>', "policy: inputs of one transaction, or 'none'").argParser(countOrNone(2)).default(100),
    )
    .addOption(
      new Option('--merge-above <n>', "policy: UTXOs above which the wallet merges, or 'none'")
        .argParser(countOrNone(1))
        .default('none'),
    )
    .option('--group <name>', 'scenario: whose wallet; left out: the first group that pays')
    .addOption(
      new Option('--budget <n>', 'streams to look at').argParser((text) => whole(text, 10, 100_000_000)).default(2_000),
    )
    .addOption(
      new Option('--restarts <n>', 'times to begin anew').argParser((text) => whole(text, 1, 10_000)).default(4),
    )
    .addOption(new Option('--seed <n>', 'seed of the search').argParser(seed).default(1))
    .option('--out <file>', 'write the stream, one row a line')
    .option('--json', 'one JSON object')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', WORST_EXAMPLES)
    .action(async (what: string, given: GivenWorst) => {
      const { cap, mergeAbove, balance } = given;
      const flags = {
        ...given,
        cap: nullForNone(cap),
        mergeAbove: nullForNone(mergeAbove),
        balance: nullForNone(balance),
      };
      await (await import('./worst-command.js')).worstCommand(what, flags, terminal);
    });
  program
    .command('shrink')
    .description('cut a run that broke a law or a threshold down to the few payments that cause it')
    .argument('<log>', 'file of coinlab run --log or coinlab replay --log, or the folder of a server')
    .option('--law <name>', "law that it broke, or 'any'")
    .option('--threshold <demand>', "demand that it missed, such as 'utxosPerParty.max <= 10'")
    .option('--scenario <file>', 'whose rules and wallets; left out: the rules of the log')
    .option('--manifest <file>', 'manifest of the run that wrote it')
    .option('--group <name>', 'whose wallets; left out: those of the first group that pays')
    .option('--policy <name>', 'how inputs are chosen, in place of the scenario’s')
    .option('--merge <habit>', 'how wallets merge: never, a count, or as a scenario writes it')
    .addOption(
      new Option('--budget <n>', 'times that payments may be made again')
        .argParser((text) => whole(text, 1, 10_000_000))
        .default(500),
    )
    .option('--out <dir>', 'where to write scenario, payments and test', 'shrunk')
    .option('--json', 'one JSON object')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', SHRINK_EXAMPLES)
    .action(async (log: string, flags: ShrinkFlags) =>
      (await import('./shrink-command.js')).shrinkCommand(log, flags, terminal),
    );
}
