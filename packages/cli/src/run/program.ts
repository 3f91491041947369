import { Option, type Command } from 'commander';
import {
  formatOption,
  groupOption,
  maxReplicatesOption,
  mergeOption,
  names,
  precisionOption,
} from '../choice-options.js';
import { positive, probability, whole } from '../flags.js';
import { DEFAULT_REPLICATES, seed } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import { minCompletedOption } from './completion-text.js';
import type { RunFlags } from './run-command.js';
import type { Terminal } from '../terminal.js';
import type { ValidateFlags } from './validate-command.js';
import type { BestFlags } from './best-command.js';
import type { CompareFlags } from './compare-command.js';
import type { RerunFlags } from './rerun-command.js';

const RUN_EXAMPLES = `
FILE is a scenario in YAML or JSON: the network, its parties, their payments and the duration. Print its schema: coinlab schema scenario.

Examples:
  coinlab run scenario.yaml
  coinlab run scenario.yaml --policy largest-first     one policy for every wallet
  coinlab run scenario.yaml --policy ./mine.ts#thrifty a policy of your own: docs/guides/write-a-policy.md
  coinlab run scenario.yaml --replicates 10 --json     one JSON object per replicate and line
  coinlab run scenario.yaml --precision utxosPerParty.mean=0.1     as many replicates as that takes
  coinlab run scenario.yaml --log run.log              write the log; coinlab log export prints it as JSON lines
  coinlab run scenario.yaml --manifest run.json        reproduce the run later: coinlab rerun run.json
  coinlab run scenario.yaml --out results              write tables for DuckDB, pandas and coinlab report
  coinlab run scenario.yaml --checkpoint run.ckpt      stop with Ctrl-C, continue with --resume run.ckpt
${EXIT_CODES} 3 a threshold of the scenario was missed.`;

export function addRun(program: Command, terminal: Terminal): void {
  program
    .command('run')
    .description('simulate a scenario and measure its wallet policies')
    .argument('<file>', 'scenario')
    .addOption(
      new Option(
        '--replicates <n>',
        `number of replicates, each with its own random seed (default: ${DEFAULT_REPLICATES}; 1 with --log or --checkpoint, and without random draws)`,
      ).argParser((text) => whole(text, 1, 100_000)),
    )
    .addOption(precisionOption())
    .addOption(maxReplicatesOption())
    .addOption(new Option('--seed <n>', 'random seed, instead of the scenario’s').argParser(seed))
    .option(
      '--policy <policy>',
      'selection policy of every wallet: a name or FILE#NAME; FILE alone defines policies that the scenario can name',
    )
    .addOption(mergeOption('merge policy of every wallet'))
    .addOption(groupOption('groups to change, separated by commas (default: all)'))
    .option('--manifest <file>', 'write a manifest for coinlab rerun: inputs, version and hashes of the results')
    .option('--out <dir>', 'folder for result tables, the scenario and the manifest')
    .option('--overwrite', 'replace earlier results and files')
    .addOption(formatOption())
    .option('--checkpoint <file>', 'write checkpoints, so that you can stop the run with Ctrl-C and resume it')
    .addOption(
      new Option('--every <rounds>', 'number of rounds between checkpoints')
        .argParser((text) => whole(text, 1, 10_000_000))
        .default(144),
    )
    .option('--resume <file>', 'resume from a checkpoint of the same scenario')
    .option('--log <file>', 'write the event log in compact form')
    .addOption(minCompletedOption())
    .option('--json', 'print one JSON object per run, each on its own line')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (file: string, flags: RunFlags) =>
      (await import('./run-command.js')).runCommand(file, flags, terminal),
    );
  program
    .command('validate')
    .description(
      'reproduce known results: closed forms, published figures of recorded payments, a published simulator and the literature',
    )
    .option('--quick', 'fewer wallets and shorter runs')
    .option('--json', 'print one JSON object per figure, each on its own line')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', `${EXIT_CODES} 3 a figure was not reproduced.`)
    .action(async (flags: ValidateFlags) => (await import('./validate-command.js')).validateCommand(flags, terminal));
  addCompare(program, terminal);
  addBest(program, terminal);
  addRerun(program, terminal);
  program
    .command('schema')
    .description('print the JSON Schema of a file format, for editors')
    .argument('<what>', 'scenario, sweep or start')
    .addHelpText('after', EXIT_CODES)
    .action(async (what: string) => (await import('./schema-command.js')).schemaCommand(what, terminal));
}

const COMPARE_EXAMPLES = `
FILE is a scenario. Replicate i of every policy receives the same payment requests, so coinlab compares policies replicate by replicate.

Examples:
  coinlab compare scenario.yaml --policy smallest-first,largest-first,random-improve --replicates 10
  coinlab compare scenario.yaml --merge never --merge 10 --merge '{ period: { every: 1h, above: 5 } }'
  coinlab compare scenario.yaml --policy largest-first,knapsack --merge never --merge 10 --group payers
  coinlab compare scenario.yaml --merge never --merge 10 --precision merges=2% --out results
  coinlab report results                               a page with the comparison and each policy
${EXIT_CODES}`;

const policiesOption = (): Option =>
  new Option(
    '--policy <names>',
    'selection policies, each a name or FILE#NAME, separated by commas (default: the scenario’s); repeatable',
  ).argParser(names);

const mergesOption = (): Option =>
  mergeOption('merge policy; repeatable').argParser(
    (text: string, before: readonly string[] = []): readonly string[] => [...before, text],
  );

function addCompare(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description('run a scenario under several policies with the same payment requests')
    .argument('<file>', 'scenario')
    .addOption(policiesOption())
    .addOption(mergesOption())
    .addOption(
      groupOption(
        'groups to change, separated by commas (default: all); for a single group, its own metrics are printed',
      ),
    )
    .addOption(
      new Option('--replicates <n>', 'number of replicates per policy, each with its own random seed')
        .argParser((text) => whole(text, 1, 100_000))
        .default(DEFAULT_REPLICATES),
    )
    .addOption(new Option('--seed <n>', 'random seed, instead of the scenario’s').argParser(seed))
    .addOption(precisionOption())
    .addOption(maxReplicatesOption())
    .option('--out <dir>', 'folder for the tables of the comparison and of each policy')
    .option('--overwrite', 'replace an earlier comparison in the folder')
    .addOption(formatOption())
    .addOption(minCompletedOption())
    .option('--json', 'print one JSON object per replicate and per policy, one per line')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', COMPARE_EXAMPLES)
    .action(async (file: string, flags: CompareFlags) =>
      (await import('./compare-command.js')).compareCommand(file, flags, terminal),
    );
}

const BEST_EXAMPLES = `
FILE is a scenario. Less is better. The best choice is found with the stated probability when it is better than the others by at least the indifference.

Examples:
  coinlab best scenario.yaml --metric traffic.bytes --indifference 50000 --policy smallest-first,largest-first,knapsack
  coinlab best scenario.yaml --metric payers/utxosPerParty.mean --indifference 0.2 --merge 5 --merge 10 --probability 0.99
${EXIT_CODES} Exit code 1 also means that the choices were not separated.`;

function addBest(program: Command, terminal: Terminal): void {
  program
    .command('best')
    .description('select the policy with the least mean of a metric, with a stated probability')
    .argument('<file>', 'scenario')
    .requiredOption('--metric <name>', 'metric to minimise')
    .addOption(
      new Option('--indifference <difference>', 'smallest difference of the means that the selection must detect')
        .argParser(positive)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--probability <share>', 'required probability that the selected policy is the best')
        .argParser(probability)
        .default(0.95),
    )
    .addOption(policiesOption())
    .addOption(mergesOption())
    .addOption(groupOption('groups to change, separated by commas (default: all)'))
    .addOption(
      new Option('--max-replicates <n>', 'replicates of a choice after which the selection gives up')
        .argParser((text) => whole(text, 10, 100_000))
        .default(200),
    )
    .addOption(new Option('--seed <n>', 'random seed, instead of the scenario’s').argParser(seed))
    .addOption(minCompletedOption())
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', BEST_EXAMPLES)
    .action(async (file: string, flags: BestFlags) =>
      (await import('./best-command.js')).bestCommand(file, flags, terminal),
    );
}

function addRerun(program: Command, terminal: Terminal): void {
  program
    .command('rerun')
    .description('repeat the runs of a manifest and compare the results byte by byte')
    .argument('<manifest>', 'manifest that coinlab run wrote')
    .option('--files <dir>', 'folder of the scenario’s files, if it has moved')
    .option('--force', 'run even if the version or an input file differs')
    .option('--quiet', 'suppress progress output')
    .addHelpText('after', `${EXIT_CODES} Exit code 1 also means that a result differs.`)
    .action(async (file: string, flags: RerunFlags) =>
      (await import('./rerun-command.js')).rerunCommand(file, flags, terminal),
    );
}
