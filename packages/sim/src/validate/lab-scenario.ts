import { updateOf, type Update, type UpdateKind } from '@coinlab/core';
import type { RunResult } from '../run/run.js';
import { numberOf } from '../run/thresholds.js';
import { parseScenario } from '../scenario/read.js';
import type { Scenario } from '../scenario/scenario.js';
import { World } from '../world/world.js';
import type { Subject } from './check.js';

export function subject(text: string): Subject {
  return { part: 'the lab', subject: text };
}

export function scenarioOf(text: string): Scenario {
  const parsed = parseScenario(text, 'validate.yaml');
  if (!parsed.ok) throw new Error(parsed.error[0]?.reason);
  return parsed.value;
}

export function figureOf({ summary }: RunResult, metric: string): number {
  return numberOf(summary.get(metric) ?? NaN);
}

export function played(scenario: Scenario, replicate: number = 0): readonly Update[] {
  const updates: Update[] = [];
  const world = new World(scenario, { replicate, onEntry: (entry) => void updates.push(updateOf(entry)) });
  while (!world.isOver) world.playRound();
  return updates;
}

type OfKind<Kind extends UpdateKind> = Extract<Update, { readonly kind: Kind }>;

export function ofKind<Kind extends UpdateKind>(updates: readonly Update[], kind: Kind): readonly OfKind<Kind>[] {
  return updates.filter((update): update is OfKind<Kind> => update.kind === kind);
}

export function updatesOf<Kind extends UpdateKind>(
  scenario: Scenario,
  kind: Kind,
  replicate: number = 0,
): readonly OfKind<Kind>[] {
  return ofKind(played(scenario, replicate), kind);
}

/** Computes the size of a transfer in bytes without the code under test. Assumption: A-14. */
export function bytesOf(consumed: number, created: number): number {
  return 6_000 + consumed * 1_200 + created * 800;
}
