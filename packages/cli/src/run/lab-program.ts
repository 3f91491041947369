import { Option, type Command } from 'commander';
import { whole } from '../flags.js';
import { seed, wantedWidths } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import { addReport } from '../sweep/report-program.js';
import type { RunFlags } from './run-command.js';
import type { Terminal } from '../terminal.js';
import { addTrust } from './trust-program.js';
import type { ValidateFlags } from './validate-command.js';

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

/** Adds the commands of the simulation lab. What a command does is loaded when it runs. */
export function addLab(program: Command, terminal: Terminal): void {
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
  addReport(program, terminal);
  addTrust(program, terminal);
  program
    .command('schema')
    .description('print the JSON Schema of a file format, for editors')
    .argument('<what>', 'scenario or sweep')
    .addHelpText('after', EXIT_CODES)
    .action(async (what: string) => (await import('./schema-command.js')).schemaCommand(what, terminal));
}
