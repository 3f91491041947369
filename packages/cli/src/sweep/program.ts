import { type Command, Option } from 'commander';
import { formatOption, groupOption, maxReplicatesOption, mergeOption, precisionOption } from '../choice-options.js';
import { whole } from '../flags.js';
import { seed } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { SweepFlags } from './sweep-command.js';
import type { Terminal } from '../terminal.js';
import type { ReportFlags } from './report-command.js';

const SWEEP_EXAMPLES = `
FILE is a sweep in YAML or JSON: a scenario, the fields to vary and the number of replicates per point. Print its schema: coinlab schema
sweep. coinlab first prints the estimated cost. Results are byte-identical for any number of workers and shards.

Examples:
  coinlab sweep sweep.yaml --dry-run                   print points × replicates = runs and the estimated duration
  coinlab sweep sweep.yaml --out results               write results.csv, points.csv, pareto.csv, sensitivity.csv, plots
  coinlab sweep sweep.yaml --out results --merge 10 --group payers --precision merges=2%   as many replicates as that takes
  coinlab sweep sweep.yaml --out results --shard 2/8   run one eighth; array and indexed jobs set --shard themselves
  coinlab join results                                 combine the shards when all are complete
  coinlab sweep sweep.yaml --queue postgres://host/db --out results     let coinlab work on any machine compute it
  coinlab sweep --queue postgres://host/db --status    print the sweeps of a queue
  coinlab sweep sweep.yaml --only 3.0                  run point 3, replicate 0, to debug a failed run
Ctrl-C keeps all complete parts. The same command resumes.
${EXIT_CODES}`;

const JOIN_EXAMPLES = `
Examples:
  coinlab join results                                 combine shards that share one folder
  coinlab join results --out tables --format parquet
${EXIT_CODES} Exit code 2 also means missing, duplicate, damaged or unrelated parts.`;

export function addSweep(program: Command, terminal: Terminal): void {
  program
    .command('sweep')
    .description('run a scenario for many combinations of settings')
    .argument('[file]', 'sweep')
    .option('--out <dir>', 'folder for the results')
    .addOption(formatOption())
    .addOption(
      new Option('--workers <n>', 'number of worker processes (default: one per processor)').argParser((text) =>
        whole(text, 1, 1_024),
      ),
    )
    .option('--shard <i/n>', 'run share i of n (default: from Slurm or Kubernetes, else all)')
    .option(
      '--policy <policy>',
      'selection policy of every wallet: a name or FILE#NAME; FILE alone defines policies that the sweep can name',
    )
    .addOption(mergeOption('merge policy of every wallet'))
    .addOption(groupOption('groups to change, separated by commas (default: all)'))
    .addOption(
      new Option('--replicates <n>', 'number of replicates of each point, instead of the sweep’s').argParser((text) =>
        whole(text, 1, 100_000),
      ),
    )
    .addOption(new Option('--seed <n>', 'random seed, instead of the scenario’s').argParser(seed))
    .addOption(precisionOption())
    .addOption(maxReplicatesOption())
    .option('--dry-run', 'print the estimated cost and stop')
    .option('--only <point.replicate>', 'run one replicate of one point and print its metrics as JSON')
    .option('--queue <url>', 'postgres:// address of a queue: enqueue the runs for coinlab work, and wait for them')
    .addOption(
      new Option('--parts <n>', 'with --queue: number of parts (default: parts of about 5 seconds)').argParser((text) =>
        whole(text, 1, 10_000),
      ),
    )
    .option('--status', 'with --queue: print the sweeps of the queue')
    .option('--cancel', 'with --queue: cancel a sweep')
    .option('--sweep <hash>', 'with --cancel: first digits of the hash of the sweep')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(async (file: string | undefined, flags: SweepFlags) =>
      (await import('./sweep-command.js')).sweepCommand(file, flags, terminal),
    );
  program
    .command('join')
    .description('join the shards of a sweep')
    .argument('<source>', 'folder of the shards, or postgres:// address of a queue')
    .option('--out <dir>', 'folder for the results (default: the folder of the shards)')
    .option('--sweep <hash>', 'with an address: first digits of the hash of the sweep (default: the only sweep)')
    .addOption(formatOption())
    .addHelpText('after', JOIN_EXAMPLES)
    .action(async (folder: string, flags: { out?: string; format: string; sweep?: string }) =>
      (await import('./join-command.js')).joinCommand(folder, flags, terminal),
    );
  addReport(program, terminal);
  program
    .command('cite')
    .description('print citations of runs, as a sentence and as BibTeX; without folders, BibTeX for coinlab itself')
    .argument('[dirs...]', 'folders of results')
    .addHelpText('after', EXIT_CODES)
    .action(async (folders: readonly string[]) => (await import('./cite-command.js')).citeCommand(folders, terminal));
}

const REPORT_EXAMPLES = `
DIR is a folder written by coinlab run --out. The report compares several folders. It is one self-contained HTML file that you can open
from disk and print.

Examples:
  coinlab report results
  coinlab report never merged --out policies.html --svg pictures
  coinlab report never merged --group users
${EXIT_CODES}`;

function addReport(program: Command, terminal: Terminal): void {
  program
    .command('report')
    .description('create an HTML report with plots of results')
    .argument('<dirs...>', 'folders of coinlab run --out or compare --out, or one of sweep --out')
    .option('--out <file>', 'HTML file to write', 'report.html')
    .option('--overwrite', 'replace the HTML file')
    .option('--group <name>', 'group of parties to report, for runs (default: all)')
    .option('--over <settings>', 'two settings to plot, for a sweep, separated by a comma (default: the first two)')
    .option('--svg <dir>', 'also write each plot as an SVG file')
    .addHelpText('after', REPORT_EXAMPLES)
    .action(async (folders: readonly string[], flags: ReportFlags) =>
      (await import('./report-command.js')).reportCommand(folders, flags, terminal),
    );
}
