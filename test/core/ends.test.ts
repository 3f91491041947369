import { LAWS, PROFILE_NAMES, UPDATE_KINDS, type Law, type Step, type UpdateKind } from '@coinlab/core';
import { expect, it } from 'vitest';
import { recordedSteps } from './recorded.js';

/*
 * Each workflow declares which contract an update kind ends. The recorded logs show which contract it must be: the one that a field of the
 * detail names and that every update of the kind archives.
 */
const law = LAWS.find(({ name }) => name === 'an ended contract is archived and cannot be named again') as Law;

it('an update is refused unless it archives the contract that its kind ends', () => {
  const checked = new Set<UpdateKind>();
  const accepted = new Set<UpdateKind>();
  for (const [kind, steps] of recordedByKind()) {
    const fields = fieldsArchivedBy(steps);
    if (fields.length === 0) continue;
    checked.add(kind);
    const step = steps[0] as Step;
    if (fields.every((field) => law.holds(withoutArchiving(numberIn(step, field), step)))) accepted.add(kind);
  }
  expect([...accepted]).toEqual([]);
  expect(checked.size).toBeGreaterThan(UPDATE_KINDS.length / 3);
});

function recordedByKind(): ReadonlyMap<UpdateKind, readonly Step[]> {
  const byKind = new Map<UpdateKind, Step[]>();
  for (const step of PROFILE_NAMES.flatMap((profile) => [...recordedSteps(profile)])) {
    const { kind } = step.update;
    byKind.set(kind, [...(byKind.get(kind) ?? []), step]);
  }
  return byKind;
}

/** The fields of the detail that name an archived contract in each of the steps. */
function fieldsArchivedBy(steps: readonly Step[]): readonly string[] {
  const [first] = steps;
  if (!first) return [];
  return Object.keys(first.update.detail).filter((field) =>
    steps.every((step) => step.update.archived.some((id) => id === numberIn(step, field))),
  );
}

function numberIn({ update }: Step, field: string): unknown {
  return Object.entries(update.detail).find(([name]) => name === field)?.[1];
}

function withoutArchiving(contract: unknown, step: Step): Step {
  const archived = step.update.archived.filter((id) => id !== contract);
  return { ...step, update: { ...step.update, archived } };
}
