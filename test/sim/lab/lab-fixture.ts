import { updateOf } from '@coinlab/core';
import type { Update } from '@coinlab/core';
import { parseScenario, World, type OwnPolicies, type Scenario } from '@coinlab/sim';

/** Parses a scenario; a fault fails the test. */
export function scenarioOf(text: string): Scenario {
  const parsed = parseScenario(text, 'test.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

export function play(
  text: string,
  { policies }: { readonly policies?: OwnPolicies } = {},
): { readonly updates: readonly Update[]; readonly world: World } {
  const updates: Update[] = [];
  const world = new World(scenarioOf(text), {
    ...(policies && { policies }),
    onEntry: (entry) => updates.push(updateOf(entry)),
  });
  while (!world.isOver) world.playRound();
  return { updates, world };
}

export function ofKind<Kind extends Update['kind']>(
  updates: readonly Update[],
  kind: Kind,
): readonly Extract<Update, { readonly kind: Kind }>[] {
  return updates.filter((update): update is Extract<Update, { readonly kind: Kind }> => update.kind === kind);
}
