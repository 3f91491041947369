import { type Command, Option } from 'commander';
import { whole } from '../flags.js';
import { seed, wantedWidths } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { RunFlags } from './run-command.js';
import type { Terminal } from '../terminal.js';
import type { ValidateFlags } from './validate-command.js';
import type { CompareFlags } from './compare-command.js';
import type { RerunFlags } from './rerun-command.js';

const RUN_EXAMPLES = `
FILE is a scenario, YAML or JSON: a network, its parties, what they do and for how long. Its schema: coinlab schema scenario.

Examples:
  coinlab run scenario.yaml
  coinlab run scenario.yaml --policy largest-first     every wallet chooses by it
  coinlab run scenario.yaml --policy ./mine.ts#thrifty a policy of your own: docs/guides/write-a-policy.md
  coinlab run scenario.yaml --replicates 10 --json     one JSON object per replicate, one a line
  coinlab run scenario.yaml --until-halfwidth utxosPerParty.mean=0.1
  coinlab run scenario.yaml --log run.ndjson           the event log, one update a line
  coinlab run scenario.yaml --manifest run.json        all that leads to the same bytes again: coinlab rerun run.json
  coinlab run scenario.yaml --out results              tables for DuckDB and pandas, and for coinlab report results
  coinlab run scenario.yaml --checkpoint run.stand     Ctrl-C stops it; --resume run.stand goes on
${EXIT_CODES} A threshold of the scenario that does not hold is 3.`;

/** Adds the commands that play scenarios. The code of a command is loaded when it runs. */
export function addRun(program: Command, terminal: Terminal): void {
  program
    .command('run')
    .description('play a scenario and measure what its policies do')
    .argument('<file>', 'scenario')
    .addOption(
      new Option('--replicates <n>', 'how often, each with other chance')
        .argParser((text) => whole(text, 1, 100_000))
        .default(1),
    )
    .addOption(
      new Option(
        '--until-halfwidth <metric=width>',
        'replicates until half the 95 % interval is so wide, or 2%; repeat it',
      ).argParser(wantedWidths),
    )
    .addOption(
      new Option('--max-replicates <n>', 'with --until-halfwidth: at most')
        .argParser((text) => whole(text, 1, 100_000))
        .default(200),
    )
    .addOption(new Option('--seed <n>', 'seed in place of the scenario’s').argParser(seed))
    .option(
      '--policy <policy>',
      'how every wallet chooses inputs: a name, or FILE#NAME; FILE: policies for wallets to name',
    )
    .option('--manifest <file>', 'write what coinlab rerun needs, with the hashes of the results')
    .option('--out <dir>', 'write tables of the results, the scenario and the manifest into a folder')
    .addOption(new Option('--format <formats>', 'of the tables, separated by commas').default('csv,jsonl,parquet'))
    .option('--checkpoint <file>', 'write where the run stands, so that Ctrl-C can stop it')
    .addOption(
      new Option('--every <rounds>', 'rounds between two checkpoints')
        .argParser((text) => whole(text, 1, 10_000_000))
        .default(144),
    )
    .option('--resume <file>', 'go on from a checkpoint of the same scenario')
    .option('--log <file>', 'write the event log, one update a line')
    .option('--json', 'one JSON object per run, one a line')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (file: string, flags: RunFlags) =>
      (await import('./run-command.js')).runCommand(file, flags, terminal),
    );
  program
    .command('validate')
    .description('reproduce known results: closed forms, anchors, a published simulator, the literature')
    .option('--quick', 'fewer wallets and shorter runs')
    .option('--json', 'one JSON object per figure, one a line')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', `${EXIT_CODES} A figure that does not come out is 3.`)
    .action(async (flags: ValidateFlags) => (await import('./validate-command.js')).validateCommand(flags, terminal));
  addCompare(program, terminal);
  addRerun(program, terminal);
  program
    .command('schema')
    .description('print the JSON Schema of a file format, for editors')
    .argument('<what>', 'scenario or sweep')
    .addHelpText('after', EXIT_CODES)
    .action(async (what: string) => (await import('./schema-command.js')).schemaCommand(what, terminal));
}

const COMPARE_EXAMPLES = `
FILE is a scenario. Replicate i of every policy is asked for the same payments, so differences are told replicate by replicate.

Examples:
  coinlab compare scenario.yaml --policy smallest-first,largest-first,random-improve --replicates 10
  coinlab compare scenario.yaml --merge never --merge 10 --merge '{ period: { every: 1h, above: 5 } }'
  coinlab compare scenario.yaml --policy largest-first,knapsack --merge never --merge 10 --group payers
${EXIT_CODES}`;

function addCompare(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description('play a scenario under several policies, asked for the same payments')
    .argument('<file>', 'scenario')
    .addOption(
      new Option('--policy <names>', 'selection policies, separated by commas; left out: the scenario’s').argParser(
        names,
      ),
    )
    .addOption(
      new Option(
        '--merge <habit>',
        'never, a count such as 10, or a habit as a scenario writes it; repeat it',
      ).argParser((text: string, before: readonly string[] = []): readonly string[] => [...before, text]),
    )
    .addOption(
      new Option(
        '--group <names>',
        'groups that it concerns, separated by commas; left out: all. Of one its own figures are told',
      ).argParser(names),
    )
    .addOption(
      new Option('--replicates <n>', 'how often each, with other chance')
        .argParser((text) => whole(text, 1, 100_000))
        .default(5),
    )
    .addOption(new Option('--seed <n>', 'seed in place of the scenario’s').argParser(seed))
    .option('--json', 'one JSON object per replicate and one per policy, one a line')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', COMPARE_EXAMPLES)
    .action(async (file: string, flags: CompareFlags) =>
      (await import('./compare-command.js')).compareCommand(file, flags, terminal),
    );
}

function addRerun(program: Command, terminal: Terminal): void {
  program
    .command('rerun')
    .description('play the runs of a manifest again and say whether the bytes are the same')
    .argument('<manifest>', 'manifest that coinlab run wrote')
    .option('--files <dir>', 'folder of the scenario’s files, when it is not where it was')
    .option('--force', 'run although the version or a file is another')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', `${EXIT_CODES} A result that is another is 1.`)
    .action(async (file: string, flags: RerunFlags) =>
      (await import('./rerun-command.js')).rerunCommand(file, flags, terminal),
    );
}

function names(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}
