import { Option, type Command } from 'commander';
import type { CompareFlags } from './compare-command.js';
import { whole } from '../flags.js';
import { seed } from '../policy-flags.js';
import { EXIT_CODES } from '../program-parts.js';
import type { RerunFlags } from './rerun-command.js';
import type { Terminal } from '../terminal.js';

const COMPARE_EXAMPLES = `
FILE is a scenario. Replicate i of every policy is asked for the same payments, so differences are told replicate by replicate.

Examples:
  coinlab compare scenario.yaml --policy smallest-first,largest-first,random-improve --replicates 10
  coinlab compare scenario.yaml --merge never --merge 10 --merge '{ period: { every: 1h, above: 5 } }'
  coinlab compare scenario.yaml --policy largest-first,knapsack --merge never --merge 10 --group payers
${EXIT_CODES}`;

/** Adds the commands that say how far a run can be trusted. What a command does is loaded when it runs. */
export function addTrust(program: Command, terminal: Terminal): void {
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
