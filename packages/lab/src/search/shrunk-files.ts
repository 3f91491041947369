import type { Demand } from './breaches.js';
import { PAYMENTS_FILE, type MadeScenario } from './setup.js';

/** The scenario's file name among the files of a minimised run. */
export const SCENARIO_FILE = 'scenario.yaml';

/** Returns the files of a minimised run by name: the scenario, its payments, and a test that fails until the violation is fixed. */
export function shrunkFiles({ input, files }: MadeScenario, demand: Demand): ReadonlyMap<string, string> {
  return new Map([
    // JSON is valid YAML.
    [SCENARIO_FILE, `${JSON.stringify(input, null, 2)}\n`],
    [PAYMENTS_FILE, files.get(PAYMENTS_FILE)?.text ?? ''],
    ['shrunk.test.ts', demand.what === 'law' ? lawTest(demand.laws.map(({ name }) => name)) : thresholdTest(demand)],
  ]);
}

const READ = `const file = join(import.meta.dirname, '${SCENARIO_FILE}');
const scenario = readScenario(file);
if (!scenario.ok) throw new Error(scenario.error.map(describeFault).join('\\n'));
const files = filesOf(scenario.value, import.meta.dirname);
if (!files.ok) throw new Error(files.error.map(describeFault).join('\\n'));
const path = scenario.value.policies;
const policies = path === null ? {} : await loadPolicies(join(import.meta.dirname, path));
`;

function thresholdTest({ metric, demand }: Extract<Demand, { what: 'threshold' }>): string {
  return `import { join } from 'node:path';
import { describeFault, runScenario } from '@coinlab/sim';
import { filesOf, loadPolicies, readScenario } from '@coinlab/sim/files';
import { expect, it } from 'vitest';

${READ}
it(${quoted(`keeps ${metric} ${demand}`)}, () => {
  const { thresholds } = runScenario(scenario.value, { files: files.value, policies });
  expect(thresholds.filter(({ holds }) => !holds)).toEqual([]);
});
`;
}

function lawTest(names: readonly string[]): string {
  return `import { join } from 'node:path';
import { LAWS } from '@coinlab/core';
import { breachIn } from '@coinlab/lab';
import { describeFault } from '@coinlab/sim';
import { filesOf, loadPolicies, readScenario } from '@coinlab/sim/files';
import { expect, it } from 'vitest';

${READ}
const names: readonly string[] = [
${names.map((name) => `  ${quoted(name)},\n`).join('')}];

it('keeps the law', () => {
  const laws = LAWS.filter(({ name }) => names.includes(name));
  expect(breachIn(scenario.value, { files: files.value, policies }, laws)).toBeNull();
});
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
