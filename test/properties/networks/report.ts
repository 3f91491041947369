import { join } from 'node:path';
import type { ScenarioInput } from '@coinlab/sim';
import { checkNetwork, scenarioFrom, type Checked } from './check.ts';
import { shrunk, writeScenario } from './shrink.ts';

const FAILURES = join(import.meta.dirname, '../../.failures');

/** Shrinks a scenario that violates a law, writes it to `test/.failures`, and describes it. */
export function reportFailure(input: ScenarioInput, { broken }: Pick<Checked, 'broken'>): string {
  const [first] = broken;
  if (!first) return '';
  const small = shrunk(input, (candidate) => isBroken(candidate, first.law));
  const file = join(FAILURES, `network-${first.law.replaceAll(' ', '-')}-${input.seed}.yaml`);
  writeScenario(file, small, `violates: ${first.law}`);
  const laws = broken.map(({ law, what }) => `  ${law}: ${what}`).join('\n');
  return `the network breaks its laws\n${laws}\n  play it: coinlab run ${file}`;
}

function isBroken(input: ScenarioInput, law: string): boolean {
  const scenario = scenarioFrom(input);
  return scenario !== null && checkNetwork(scenario).broken.some((found) => found.law === law);
}
