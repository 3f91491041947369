import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BadInput, EXIT } from '../exit-code.js';
import { tool, type Rights, type Run, type Tool } from './tool.js';

const SCENARIO = {
  file: z.string().optional().describe('path of a scenario in YAML or JSON'),
  scenario: z.string().optional().describe('instead of the path: the text of the scenario'),
};

export function labTools(run: Run, rights: Rights): readonly Tool[] {
  // A policy file is a program.
  const readOnly = !rights.allowPolicyFiles;
  return [
    tool({
      name: 'scenario_schema',
      description: 'Show the JSON schema of scenarios: parties, payments, policies, prices and duration.',
      input: z.object({}),
      readOnly: true,
      call: async () => JSON.parse(await outputOf(run, ['schema', 'scenario'])),
    }),
    tool({
      name: 'run_scenario',
      description:
        'Simulate a scenario and return the metrics of each replicate, such as UTXOs per party, traffic and refusals.',
      input: z.object({
        ...SCENARIO,
        policy: z.string().optional().describe('selection policy of every wallet, such as smallest-first'),
        replicates: replicatesFrom(1),
        seed: z.int().min(0).optional(),
      }),
      readOnly,
      call: ({ policy, replicates, seed, ...given }) =>
        withScenario(given, policy === undefined ? [] : [policy], rights, (file) =>
          outputOf(run, [
            'run',
            '--json',
            '--quiet',
            ...flagFor(replicates),
            ...(policy === undefined ? [] : [`--policy=${policy}`]),
            ...(seed === undefined ? [] : [`--seed=${seed}`]),
            '--',
            file,
          ]),
        ),
    }),
    tool({
      name: 'compare_policies',
      description:
        'Simulate a scenario under several policies with the same payments, and return paired differences with intervals.',
      input: z.object({
        ...SCENARIO,
        policies: z.array(z.string()).min(2),
        replicates: replicatesFrom(2),
      }),
      readOnly,
      call: ({ policies, replicates, ...given }) =>
        withScenario(given, policies, rights, (file) =>
          outputOf(run, [
            'compare',
            '--quiet',
            ...flagFor(replicates),
            ...policies.map((policy) => `--policy=${policy}`),
            '--',
            file,
          ]),
        ),
    }),
  ];
}

/** Without a number, the subcommand applies its default. */
function replicatesFrom(least: number): z.ZodOptional<z.ZodInt> {
  return z.int().min(least).max(100).optional().describe('default: 5; 1 for a run without random draws');
}

function flagFor(replicates: number | undefined): readonly string[] {
  return replicates === undefined ? [] : [`--replicates=${replicates}`];
}

interface Given {
  readonly file?: string | undefined;
  readonly scenario?: string | undefined;
}

/** Policy files can do anything, so they need `allowPolicyFiles`. */
async function withScenario<T>(
  given: Given,
  policies: readonly string[],
  { allowPolicyFiles }: Rights,
  use: (file: string) => Promise<T>,
): Promise<T> {
  return withFile(given, async (file) => {
    if (!allowPolicyFiles) {
      const { POLICY_FILE } = await import('../run/policy-subject.js');
      const { scenarioOf } = await import('../subject.js');
      const ofFile = policies.find((policy) => POLICY_FILE.test(policy));
      if (ofFile !== undefined) throw refusedPolicies('policy', ofFile);
      const own = scenarioOf(file).policies;
      if (own !== null) throw refusedPolicies('scenario.policies', own);
    }
    return use(file);
  });
}

function refusedPolicies(field: string, value: string): BadInput {
  return new BadInput(
    `${field}: got '${value}', a program; start coinlab mcp with --allow-policy-files to let the agent run policy files, or name a built-in policy`,
  );
}

async function withFile<T>({ file, scenario }: Given, use: (file: string) => Promise<T>): Promise<T> {
  if ((file === undefined) === (scenario === undefined))
    throw new BadInput('file, scenario: expected exactly one of the two');
  if (file !== undefined) return use(file);
  const folder = await mkdtemp(join(tmpdir(), 'coinlab-'));
  try {
    const written = join(folder, 'scenario.yaml');
    await writeFile(written, scenario ?? '');
    return await use(written);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A missed threshold is a result for the agent, not an error. */
async function outputOf(run: Run, args: readonly string[]): Promise<string> {
  const printed = { out: '', err: '' };
  const code = await run(args, {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isInteractive: false,
  });
  if (code === EXIT.ok) return printed.out;
  if (code === EXIT.threshold) return `${printed.out}\n${printed.err}`;
  throw new BadInput(printed.err.trim());
}
