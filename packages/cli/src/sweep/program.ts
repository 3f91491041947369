import { type Command, Option } from 'commander';
import { whole } from '../flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { SweepFlags } from './sweep-command.js';
import type { Terminal } from '../terminal.js';
import type { ReportFlags } from './report-command.js';

const SWEEP_EXAMPLES = `
FILE is a sweep, YAML or JSON: a scenario, what is varied in it, and how often each point is run. Its schema: coinlab schema sweep.
What a sweep costs is told first. The results are the same bytes for any number of workers and shards.

Examples:
  coinlab sweep sweep.yaml --dry-run                   points × replicates = runs, and how long they take
  coinlab sweep sweep.yaml --out results               results.csv, points.csv, pareto.csv, sensitivity.csv, plots
  coinlab sweep sweep.yaml --out results --shard 2/8   an eighth of it; in array and indexed jobs --shard is known
  coinlab merge results                                the tables, once all shards are there
  coinlab sweep sweep.yaml --only 3.0                  point 3, replicate 0: what the row of a failed run says
Ctrl-C leaves the parts that are complete; the same command goes on from them.
${EXIT_CODES}`;

const MERGE_EXAMPLES = `
Examples:
  coinlab merge results                                of shards that were played into one folder
  coinlab merge results --out tables --format parquet
${EXIT_CODES} Parts that are missing, doubled, damaged or of two sweeps are named, and are 2.`;

/** Adds the commands of sweeps. What a command does is loaded when it runs. */
export function addSweep(program: Command, terminal: Terminal): void {
  const format = (): Option =>
    new Option('--format <formats>', 'of the tables, separated by commas').default('csv,jsonl,parquet');
  program
    .command('sweep')
    .description('run a scenario at many points of its settings')
    .argument('<file>', 'sweep')
    .option('--out <dir>', 'folder of the results; it is made')
    .addOption(format())
    .addOption(
      new Option('--workers <n>', 'worker processes; left out: one per processor').argParser((text) =>
        whole(text, 1, 1_024),
      ),
    )
    .option('--shard <i/n>', 'one of n shares of the runs; left out: what Slurm or Kubernetes says, or all')
    .option('--policy <file>', 'a file of policies in place of the scenario’s')
    .option('--dry-run', 'tell what it would cost, and stop')
    .option('--only <point.replicate>', 'play one run and print its metrics as JSON')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', SWEEP_EXAMPLES)
    .action(async (file: string, flags: SweepFlags) =>
      (await import('./sweep-command.js')).sweepCommand(file, flags, terminal),
    );
  program
    .command('merge')
    .description('put the shards of a sweep together')
    .argument('<dir>', 'folder that the shards were played into')
    .option('--out <dir>', 'folder of the results; left out: the same')
    .addOption(format())
    .addHelpText('after', MERGE_EXAMPLES)
    .action(async (folder: string, flags: { out?: string; format: string }) =>
      (await import('./merge-command.js')).mergeCommand(folder, flags, terminal),
    );
  addReport(program, terminal);
}

const REPORT_EXAMPLES = `
DIR is what coinlab run --out wrote. Several are held beside each other. The page is one file: it opens from disk, loads nothing and
prints well.

Examples:
  coinlab report results
  coinlab report never merged --out policies.html --svg pictures
  coinlab report never merged --group users
${EXIT_CODES}`;

function addReport(program: Command, terminal: Terminal): void {
  program
    .command('report')
    .description('make a page with plots of results that were kept')
    .argument('<dirs...>', 'folders of results')
    .option('--out <file>', 'the page', 'report.html')
    .option('--group <name>', 'tell of one group of parties; left out: of all')
    .option('--svg <dir>', 'write each picture as a file too, for papers')
    .addHelpText('after', REPORT_EXAMPLES)
    .action(async (folders: readonly string[], flags: ReportFlags) =>
      (await import('./report-command.js')).reportCommand(folders, flags, terminal),
    );
}
