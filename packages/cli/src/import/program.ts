import { Option, type Command } from 'commander';
import { whole } from '../flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';
import type { ImportFlags } from './import-command.js';
import type { ImportNetworkFlags } from './import-network-command.js';

const IMPORT_EXAMPLES = `
FILE is CSV, TSV, JSON lines or Parquet; its content decides. Columns are guessed from common names unless --map gives them. A table without
columns for sender and recipient is the statement of one wallet: positive amounts are received, negative ones are paid.
Empty or unknown senders are the outside world: their payments mint coin. Unknown recipients become the party outside.
Rows with faults are left out; a file next to the result lists line, field, value and reason.

Examples:
  coinlab import payments.csv                          guess the columns, write payments.trace.csv
  coinlab import bank.csv --map from=Sender,to=Recipient,amount=Value,time=Date+Time --zone Europe/Berlin
  coinlab import export.csv --decimal comma --dates dmy --unit 0.01
  coinlab import transfers.parquet --openings wallets.csv --out trace.csv
  coinlab replay payments.trace.csv --compare all      play the result
${EXIT_CODES}`;

const NETWORK_EXAMPLES = `
SOURCE is a saved page of a scan's /v2/updates, or the address of a scan; pages may overlap and have any order. A party that has less coin after a
transaction has paid; one with more has received. Merges and locks are no payments.

Examples:
  coinlab import-network page-1.json page-2.json --out trace.csv
  coinlab import-network http://localhost:5003 --out trace.csv --log trace.log
  coinlab import-network https://scan.example/api/scan --since 2026-06-01T00:00:00Z --migration 4 --save-pages pages --out june.csv
  coinlab serve --from trace.log                       serve a ledger after these payments
${EXIT_CODES}`;

export function addImport(program: Command, terminal: Terminal): void {
  addImportNetwork(program, terminal);
  program
    .command('import')
    .description('convert your own payments to a network file that coinlab replay and scenarios read')
    .argument('<file>', 'table of payments')
    .option('--map <columns>', 'columns by name: from=…,to=…,amount=…,time=…; two columns of a time are joined with +')
    .option('--unit <coin>', 'amount of coin for an amount of 1 in the file', '1')
    .addOption(new Option('--decimal <sign>', 'decimal sign of amounts').choices(['point', 'comma']).default('point'))
    .option('--zone <name>', 'time zone of times without one: UTC, +02:00 or Europe/Berlin', 'UTC')
    .addOption(new Option('--dates <order>', 'order of dates such as 03/04/2026').choices(['dmy', 'mdy']))
    .option(
      '--openings <how>',
      'coin that parties hold at first: smallest (least coin that covers every payment), estimate (like smallest, divided into coins of typical size), none, or a table with the columns party and amount',
      'smallest',
    )
    .addOption(roundOption())
    .option('--outside <names>', 'further names of unknown senders and recipients, separated by commas')
    .option('--out <file>', 'network file to write (default: FILE.trace.csv in the current folder)')
    .option('--overwrite', 'replace the files of an earlier import')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (file: string, flags: ImportFlags) =>
      (await import('./import-command.js')).importCommand(file, flags, terminal),
    );
}

function addImportNetwork(program: Command, terminal: Terminal): void {
  const count = (text: string): number => whole(text, 0, 1_000_000);
  program
    .command('import-network')
    .description("convert a scan's update history to a network file that coinlab replay and scenarios read")
    .argument('<source...>', 'files with pages of /v2/updates, or addresses of a scan')
    .requiredOption('--out <file>', 'network file to write')
    .option('--log <file>', 'write the event log of a replay of the payments, for coinlab serve --from')
    .addOption(roundOption())
    .option('--since <time>', 'with an address: only updates after this record time')
    .addOption(new Option('--migration <id>', 'with --since: migration id').argParser(count).default(0))
    .addOption(new Option('--max-pages <n>', 'with an address: maximum number of pages').argParser(count).default(1000))
    .option('--save-pages <dir>', 'with an address: keep the pages in this folder')
    .option('--overwrite', 'replace the files of an earlier import')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', NETWORK_EXAMPLES)
    .action(async (sources: readonly string[], flags: ImportNetworkFlags) =>
      (await import('./import-network-command.js')).importNetworkCommand(sources, flags, terminal),
    );
}

function roundOption(): Option {
  return new Option('--round <minutes>', 'length of a round in minutes')
    .argParser((text) => whole(text, 1, 525_600))
    .default(10);
}
