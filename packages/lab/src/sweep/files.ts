import { ok, type Result } from '@coinlab/core';
import { valueAt, type FileFault, type ScenarioFile, type ScenarioFiles } from '@coinlab/sim';
import { filesOf } from '@coinlab/sim/files';
import type { Settings } from './design.js';
import type { FieldPath } from './settings.js';
import { scenarioAt, type Base, type Sweep } from './sweep.js';

/** A point's files are read only when their names differ from those of earlier points. */
export function filesOfPoints(
  base: Base,
  targets: Sweep['targets'],
  points: readonly Settings[],
  folder: string,
): Result<ScenarioFiles, readonly FileFault[]> {
  const all = new Map<string, ScenarioFile>();
  const seen = new Set<string>();
  const varies = targets.some((fields) => fields.some((field) => mayName(valueAt(base.value, field), field)));
  for (const settings of varies ? points : points.slice(0, 1)) {
    const scenario = scenarioAt({ base, targets }, settings);
    if (!scenario.ok) continue;
    const named = JSON.stringify(scenario.value.groups, (key, value: unknown) =>
      typeof value === 'object' || /file$/i.test(key) ? value : undefined,
    );
    if (seen.has(named)) continue;
    seen.add(named);
    const files = filesOf(scenario.value, folder);
    if (!files.ok) return files;
    for (const [name, file] of files.value) all.set(name, file);
  }
  return ok(all);
}

function mayName(now: unknown, field: FieldPath): boolean {
  const last = field.at(-1);
  return (
    (typeof last === 'string' && /file$/i.test(last)) ||
    typeof now === 'object' ||
    ['payments', 'arrivals', 'trace', 'amount', 'empirical', 'opening', 'income'].includes(String(last))
  );
}
