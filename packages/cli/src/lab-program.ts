import { Option, type Command } from 'commander';
import { whole } from './flags.js';
import { seed } from './policy-flags.js';
import { EXIT_CODES } from './program-parts.js';
import type { RunFlags } from './run-command.js';
import type { Terminal } from './terminal.js';

const RUN_EXAMPLES = `
FILE is a scenario, YAML or JSON: a network, its parties, what they do and for how long. Its schema: coinlab schema scenario.

Examples:
  coinlab run scenario.yaml
  coinlab run scenario.yaml --replicates 10 --json     one JSON object per replicate, one a line
  coinlab run scenario.yaml --log run.ndjson           the event log, one update a line
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
    .addOption(new Option('--seed <n>', 'seed in place of the scenario’s').argParser(seed))
    .option('--log <file>', 'write the event log, one update a line')
    .option('--json', 'one JSON object per run, one a line')
    .option('--quiet', 'nothing but the result')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (file: string, flags: RunFlags) =>
      (await import('./run-command.js')).runCommand(file, flags, terminal),
    );
  program
    .command('schema')
    .description('print the JSON Schema of a file format, for editors')
    .argument('<what>', 'scenario')
    .addHelpText('after', EXIT_CODES)
    .action(async (what: string) => (await import('./run-command.js')).schemaCommand(what, terminal));
}
