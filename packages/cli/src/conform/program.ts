import { Option, type Command } from 'commander';
import { whole } from '../flags.js';
import type { Terminal } from '../terminal.js';
import type { ConformFlags } from './conform-command.js';

const CONFORM_EXAMPLES = `
URL is the base of the wallet routes or of the registry routes: the check requests URL/v0/wallet/… and URL/registry/…. It creates users,
taps coin and makes transfers, so use a test network. Rules that cannot be checked are listed as skipped.

Examples:
  coinlab conform http://localhost:5003 --secret unsafe
  coinlab conform http://wallet.localhost:2000/api/validator --secret unsafe --audience https://validator.example.com
  coinlab conform http://scan.localhost:4000             a registry needs no tokens
  coinlab conform URL --secret unsafe --runs 500 --seed 7 --seconds 600 --format json

Exit codes: 0 no rule is violated; 1 violations; 2 invalid usage, or URL does not answer; 130 interrupted.`;

export function addConform(program: Command, terminal: Terminal): void {
  program
    .command('conform')
    .description('check a deployment of the wallet and registry APIs against the rules of the ledger')
    .argument('<url>', 'base URL of the deployment')
    .option('--secret <text>', 'secret that signs HS256 tokens; creates new users for every run')
    .option('--audience <text>', 'audience of the signed tokens', 'https://canton.network.global')
    .addOption(
      new Option('--token <jwt...>', 'tokens of five users with wallets: four parties and a treasury').conflicts([
        'secret',
        'party',
      ]),
    )
    .option('--party <user...>', 'with --secret: names of five existing users instead of new ones')
    .addOption(
      new Option('--runs <n>', 'number of random sequences of commands')
        .argParser((text) => whole(text, 1, 1_000_000))
        .default(50),
    )
    .addOption(
      new Option('--seed <n>', 'random seed; default: another one each time').argParser((text) =>
        whole(text, 0, 2 ** 31),
      ),
    )
    .addOption(
      new Option('--seconds <n>', 'time budget in seconds').argParser((text) => whole(text, 1, 86_400)).default(120),
    )
    .addOption(new Option('--format <name>', 'format of the report').choices(['text', 'json']).default('text'))
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', CONFORM_EXAMPLES)
    .action(async (url: string, flags: ConformFlags) =>
      (await import('./conform-command.js')).conformCommand(url, flags, terminal),
    );
}
