import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ScenarioInput } from '@coinlab/sim';
import { stringify } from 'yaml';
import { scenarioFrom } from './check.ts';

type GroupInput = ScenarioInput['parties'][number];

const OPTIONAL = [
  'income',
  'receives',
  'automation',
  'validator',
  'opening',
  'temperament',
] as const satisfies readonly (keyof GroupInput)[];

/**
 * Returns the smallest scenario that still fails among those reached by removing groups and fields and by halving counts and
 * rounds, one step at a time.
 * @param fails plays a scenario
 * @param most limit of scenarios to play
 */
export function shrunk(
  input: ScenarioInput,
  fails: (input: ScenarioInput) => boolean,
  most: number = 60,
): ScenarioInput {
  let best = input;
  let left = most;
  for (let isSmaller = true; isSmaller && left > 0;) {
    isSmaller = false;
    for (const candidate of simpler(best)) {
      if (left <= 0) break;
      if (scenarioFrom(candidate) === null) continue;
      left -= 1;
      if (!fails(candidate)) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Candidates in the order of how much they remove. */
function* simpler(input: ScenarioInput): Generator<ScenarioInput> {
  const { parties } = input;
  for (let i = 0; i < parties.length; i++) if (parties.length > 1) yield { ...input, parties: parties.toSpliced(i, 1) };
  for (const divisor of [16, 4, 2])
    yield* each(input, (group) =>
      group.count >= divisor ? { ...group, count: Math.floor(group.count / divisor) } : null,
    );
  const { rounds = 0 } = input.duration;
  if (rounds > 1) yield { ...input, duration: { rounds: Math.ceil(rounds / 2) } };
  for (const field of OPTIONAL)
    yield* each(input, ({ [field]: value, ...rest }) => (value === undefined ? null : (rest as GroupInput)));
  yield* each(input, ({ payments, ...rest }) => (payments ? { ...rest, payments: null } : null));
  for (const field of ['faults', 'merge', 'sweep', 'select'] as const)
    yield* each(input, ({ wallet, ...rest }) => {
      const { [field]: value, ...kept } = wallet ?? {};
      return value === undefined ? null : ({ ...rest, wallet: kept } as GroupInput);
    });
  for (const field of ['changes', 'holdingFee', 'amuletPrice', 'maxInputs', 'profile', 'rewards'] as const) {
    const { [field]: value, ...network } = input.network ?? {};
    if (value !== undefined) yield { ...input, network } as ScenarioInput;
  }
}

function* each(input: ScenarioInput, change: (group: GroupInput) => GroupInput | null): Generator<ScenarioInput> {
  for (const [i, group] of input.parties.entries()) {
    const changed = change(group);
    if (changed) yield { ...input, parties: input.parties.with(i, changed) };
  }
}

/** Writes a scenario that `coinlab run` plays, with the violated law as its description. */
export function writeScenario(file: string, input: ScenarioInput, law: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stringify({ ...input, description: law }));
}
