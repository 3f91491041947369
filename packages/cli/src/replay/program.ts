import { Amount } from '@coinlab/core';
import { DEFAULT_SETTINGS, DEFAULT_UNIT, SELECTION_NAMES } from '@coinlab/sim';
import { Option, type Command } from 'commander';
import { coin, coinOrNone, nullForNone, whole, type OrNone } from '../flags.js';
import {
  countOrNone,
  mergeThresholdOption,
  nullForNever,
  policies,
  seed,
  type MergeThreshold,
} from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';
import { overviewCommand } from './overview-command.js';
import { replayCommand, type ReplayFlags } from './replay-command.js';
import { replayTokenCommand, TOKEN_SYSTEMS, type ReplayTokenFlags } from './replay-token-command.js';

const REPLAY_EXAMPLES = `
FILE is a payment stream (one signed integer per line: positive amounts are received, negative amounts are paid) or a network (a CSV file
of mints and transfers with the header seq,round,kind,from,to,amount). coinlab detects the format from the first line.

Examples:
  coinlab replay payments.csv --policy oldest-first --cap none
  coinlab replay payments.csv --opening wallet.csv --when-short drop --unit 0.00000001
  coinlab replay payments.csv --compare oldest-first,largest-first --merge 10 --json
  coinlab replay network.csv --merge 10 --holding-rate 0.01 --per-party parties.csv
  coinlab replay --generate '{ rows: 100000, receipts: 0.4, amount: { exponential: { mean: "5" } } }' --seed 7
  coinlab replay network.csv --checkpoint run.ckpt       stop with Ctrl-C, continue with --resume run.ckpt
  coinlab replay network.csv --log run.log --json      sha256sum run.log equals logHash
${EXIT_CODES}`;

type GivenFlags = Omit<ReplayFlags, 'cap' | 'mergeThreshold' | 'holdingRate'> & {
  readonly cap: OrNone<number>;
  readonly merge: MergeThreshold;
  readonly holdingRate: OrNone<Amount>;
};

export function addReplay(program: Command, terminal: Terminal): void {
  program
    .command('overview', { isDefault: true })
    .description('compare all policies with and without merging on the bundled network (default command)')
    .option('--json', 'print one JSON object per run, each on its own line')
    .option('--quiet', 'suppress progress output')
    .action((flags: { json?: true; quiet?: true }) => overviewCommand(flags, terminal));
  addReplayFile(program, terminal);
  addReplayToken(program, terminal);
}

function addReplayFile(program: Command, terminal: Terminal): void {
  const { policy, cap: capByDefault, whenShort, seed: seedByDefault } = DEFAULT_SETTINGS;
  program
    .command('replay')
    .description('replay a payment stream or a network file')
    .argument('[file]', 'payment stream or network')
    .option(
      '--generate <settings>',
      'instead of a file: a random stream, as YAML with rows, receipts (share), amount and paid (distributions as in a scenario)',
    )
    .addOption(new Option('--policy <name>', 'selection policy').choices(SELECTION_NAMES).default(policy))
    .addOption(
      new Option('--compare <policies>', "policies to compare, separated by commas, or 'all'")
        .argParser(policies)
        .conflicts(['policy', 'log', 'perParty']),
    )
    .addOption(
      new Option('--cap <n>', "maximum inputs per transaction, or 'none'")
        .argParser(countOrNone(2))
        .default(capByDefault),
    )
    .addOption(mergeThresholdOption())
    .addOption(
      new Option('--when-short <mode>', 'stream: let payments that exceed the balance wait, or drop them')
        .choices(['wait', 'drop'])
        .default(whenShort),
    )
    .option('--opening <file>', 'stream: initial UTXOs of the wallet, one per line')
    .addOption(
      new Option('--unit <coin>', 'for a file of integers: amount of coin for the integer 1')
        .argParser(coin)
        .default(DEFAULT_UNIT, Amount.short(DEFAULT_UNIT)),
    )
    .addOption(
      new Option('--holding-rate <coin>', "network: holding fee in coin per round, or 'none'")
        .argParser(coinOrNone)
        .default('none'),
    )
    .option('--per-party <file>', 'network: write party,utxos,balance as CSV')
    .addOption(new Option('--seed <n>', 'random seed, also of update ids').argParser(seed).default(seedByDefault))
    .option('--log <file>', 'write the event log in compact form')
    .option('--overwrite', 'replace existing files')
    .addOption(
      new Option(
        '--checkpoint <file>',
        'write checkpoints, so that you can stop the replay with Ctrl-C and resume it',
      ).conflicts('compare'),
    )
    .addOption(
      new Option('--every <rows>', 'number of rows between checkpoints')
        .argParser((text) => whole(text, 1, 1_000_000_000))
        .default(100_000),
    )
    .addOption(new Option('--resume <file>', 'resume from a checkpoint of the same replay').conflicts('compare'))
    .option('--json', 'print one JSON object per run, each on its own line')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', REPLAY_EXAMPLES)
    .action((file: string | undefined, given: GivenFlags, command: Command) => {
      const { cap, merge, holdingRate } = given;
      const flags: ReplayFlags = {
        ...given,
        cap: nullForNone(cap),
        mergeThreshold: nullForNever(merge),
        holdingRate: nullForNone(holdingRate),
      };
      return replayCommand(file, flags, (flag) => command.getOptionValueSource(flag) === 'cli', terminal);
    });
}

const TOKEN_EXAMPLES = `
A failing property of @coinlab/testing prints TOKEN. coinlab generates the same commands from the token's seed, shrinks them in the
same way and checks them again.

Examples:
  coinlab replay-token TOKEN                           print the commands and the violated rule
  coinlab replay-token TOKEN --system engine --log run.ndjson
${EXIT_CODES} Exit code 1 also means that the failure still occurs.`;

function addReplayToken(program: Command, terminal: Terminal): void {
  program
    .command('replay-token')
    .description('replay a failure that the test kit found')
    .argument('<token>', 'token that the failure printed')
    .addOption(new Option('--system <name>', 'ledger implementation to replay against').choices(TOKEN_SYSTEMS))
    .option('--log <file>', 'write the log of the run, one update per line')
    .addHelpText('after', TOKEN_EXAMPLES)
    .action((token: string, flags: ReplayTokenFlags) => replayTokenCommand(token, flags, terminal));
}
