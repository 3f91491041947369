import { Option, type Command } from 'commander';
import { whole } from '../flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { Terminal } from '../terminal.js';
import type { ImportFlags } from './import-command.js';

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

export function addImport(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('convert your own payments to a network file that coinlab replay and scenarios read')
    .argument('<file>', 'table of payments')
    .option('--map <columns>', 'columns by name: from=…,to=…,amount=…,time=…; two columns of a time are joined with +')
    .option('--unit <coin>', 'coin that 1 of the file is worth', '1')
    .addOption(new Option('--decimal <sign>', 'decimal sign of amounts').choices(['point', 'comma']).default('point'))
    .option('--zone <name>', 'time zone of times without one: UTC, +02:00 or Europe/Berlin', 'UTC')
    .addOption(new Option('--dates <order>', 'order of dates such as 03/04/2026').choices(['dmy', 'mdy']))
    .option(
      '--openings <how>',
      'coin that parties hold at first: smallest (lets every payment be made), estimate (the same, in coins of typical size), none, or a table with the columns party and amount',
      'smallest',
    )
    .addOption(
      new Option('--round <minutes>', 'length of a round').argParser((text) => whole(text, 1, 525_600)).default(10),
    )
    .option('--outside <names>', 'further names of unknown senders and recipients, separated by commas')
    .option('--out <file>', 'network file to write (default: FILE.trace.csv in the current folder)')
    .option('--overwrite', 'replace the files of an earlier import')
    .option('--json', 'print the summary as one JSON object')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(async (file: string, flags: ImportFlags) =>
      (await import('./import-command.js')).importCommand(file, flags, terminal),
    );
}
