import { Amount } from '@coinlab/core';
import { DEFAULT_SETTINGS, DEFAULT_UNIT, SELECTION_NAMES } from '@coinlab/sim';
import { Option, type Command } from 'commander';
import { coin, coinOrNone, nullForNone, type OrNone } from '../flags.js';
import { countOrNone, policies, seed } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';
import { overviewCommand } from './overview-command.js';
import { replayCommand, type ReplayFlags } from './replay-command.js';
import { replayTokenCommand, TOKEN_SYSTEMS, type ReplayTokenFlags } from './replay-token-command.js';

const REPLAY_EXAMPLES = `
FILE is a payment stream (one signed integer a line: above zero received, below zero to be paid) or a network (the header
seq,round,kind,from,to,amount, then mints and transfers). Its first line tells which.

Examples:
  coinlab replay payments.csv --policy oldest-first --cap none
  coinlab replay payments.csv --opening wallet.csv --when-short drop --unit 0.00000001
  coinlab replay payments.csv --compare oldest-first,largest-first --merge-above 10 --json
  coinlab replay network.csv --merge-above 10 --holding-rate 0.01 --per-party parties.csv
  coinlab replay network.csv --log run.ndjson --json   sha256sum run.ndjson equals logHash
${EXIT_CODES}`;

/** The flags as they are on the command line. */
type GivenFlags = Omit<ReplayFlags, 'cap' | 'mergeAbove' | 'holdingRate'> & {
  readonly cap: OrNone<number>;
  readonly mergeAbove: OrNone<number>;
  readonly holdingRate: OrNone<Amount>;
};

/** Adds the commands that replay recorded payments, and failures of the test kit. */
export function addReplay(program: Command, terminal: Terminal): void {
  program
    .command('overview', { isDefault: true })
    .description('compare all policies, without and with merging, on the network that comes with coinlab (the default)')
    .option('--json', 'one JSON object per run, one a line')
    .option('--quiet', 'nothing but the result')
    .action((flags: { json?: true; quiet?: true }) => overviewCommand(flags, terminal));
  addReplayFile(program, terminal);
  addReplayToken(program, terminal);
}

function addReplayFile(program: Command, terminal: Terminal): void {
  const { policy, cap: capByDefault, whenShort, seed: seedByDefault } = DEFAULT_SETTINGS;
  program
    .command('replay')
    .description('drive a payment stream or a network file through the ledger')
    .argument('<file>', 'payment stream or network')
    .addOption(new Option('--policy <name>', 'how inputs are chosen').choices(SELECTION_NAMES).default(policy))
    .addOption(
      new Option('--compare <policies>', "policies to compare, separated by commas, or 'all'")
        .argParser(policies)
        .conflicts(['policy', 'log', 'perParty']),
    )
    .addOption(
      new Option('--cap <n>', "inputs of one transaction, or 'none'").argParser(countOrNone(2)).default(capByDefault),
    )
    .addOption(
      new Option('--merge-above <n>', "UTXOs above which a wallet merges its smallest, or 'none'")
        .argParser(countOrNone(1))
        .default('none'),
    )
    .addOption(
      new Option('--when-short <mode>', 'stream: what a payment above the balance does')
        .choices(['wait', 'drop'])
        .default(whenShort),
    )
    .option('--opening <file>', 'stream: UTXOs that the wallet begins with, one a line')
    .addOption(
      new Option('--unit <coin>', 'stream: coin per integer')
        .argParser(coin)
        .default(DEFAULT_UNIT, Amount.short(DEFAULT_UNIT)),
    )
    .addOption(
      new Option('--holding-rate <coin>', "network: holding fee in coin per round, or 'none'")
        .argParser(coinOrNone)
        .default('none'),
    )
    .option('--per-party <file>', 'network: write party,utxos,balance as CSV')
    .addOption(new Option('--seed <n>', 'seed of update ids and of all chance').argParser(seed).default(seedByDefault))
    .option('--log <file>', 'write the event log, one update a line')
    .option('--json', 'one JSON object per run, one a line')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', REPLAY_EXAMPLES)
    .action((file: string, given: GivenFlags, command: Command) => {
      const { cap, mergeAbove, holdingRate } = given;
      const flags: ReplayFlags = {
        ...given,
        cap: nullForNone(cap),
        mergeAbove: nullForNone(mergeAbove),
        holdingRate: nullForNone(holdingRate),
      };
      replayCommand(file, flags, (flag) => command.getOptionValueSource(flag) === 'cli', terminal);
    });
}

const TOKEN_EXAMPLES = `
TOKEN is what a failing property of @coinlab/testing prints. The commands are drawn again from the seed that it carries, shrunk as
they were, and checked in the same way.

Examples:
  coinlab replay-token TOKEN                           the commands, and what is wrong
  coinlab replay-token TOKEN --system engine --log run.ndjson
${EXIT_CODES} A failure that is still there is 1.`;

function addReplayToken(program: Command, terminal: Terminal): void {
  program
    .command('replay-token')
    .description('play a failure of the test kit again')
    .argument('<token>', 'token that the failure printed')
    .addOption(new Option('--system <name>', 'form of our ledger to play it against').choices(TOKEN_SYSTEMS))
    .option('--log <file>', 'write the log of the run, one update a line')
    .addHelpText('after', TOKEN_EXAMPLES)
    .action((token: string, flags: ReplayTokenFlags) => replayTokenCommand(token, flags, terminal));
}
