import type { Result } from '@coinlab/core';
import { scenarioOf, type FieldFault, type Scenario, type ScenarioFiles } from '@coinlab/sim';
import type { Settings } from './design.js';
import type { KeptMetric } from './kept-metrics.js';
import type { SweepFile } from './schema.js';
import { withSettings, type FieldPath } from './settings.js';

/** A sweep with nothing left open. */
export interface Sweep {
  /** As it is written. */
  readonly definition: SweepFile;
  /** Name of its file, without folders. */
  readonly file: string;
  readonly base: Base;
  /** The fields that each parameter sets. */
  readonly targets: readonly (readonly FieldPath[])[];
  readonly points: readonly Settings[];
  readonly metrics: readonly KeptMetric[];
  /** Names of the metrics that the Pareto view weighs; fewer than two: there is none. */
  readonly objectives: readonly string[];
  /** Files that the scenarios name. */
  readonly files: ScenarioFiles;
  /** The file of the user's policies; null: none. */
  readonly policies: string | null;
  /** SHA-256 of everything that the results depend on, in hexadecimal: parts of equal hash belong together. */
  readonly hash: string;
}

/** The scenario that is swept: its file's value, and what that stands for. */
export interface Base {
  readonly value: unknown;
  readonly scenario: Scenario;
}

/** The scenario of a point. */
export function scenarioAt(
  { base, targets }: Pick<Sweep, 'base' | 'targets'>,
  settings: Settings,
): Result<Scenario, readonly FieldFault[]> {
  const set = targets.flatMap((fields, i) => (settings[i] === undefined ? [] : [[fields, settings[i]] as const]));
  return scenarioOf(withSettings(base.value, base.scenario, set));
}

/** The settings of a point in words, as `threshold = 10, select = random`. */
export function settingsText({ parameters }: Pick<SweepFile, 'parameters'>, settings: Settings): string {
  return parameters
    .flatMap(({ name }, i) => (settings[i] === undefined ? [] : [`${name} = ${settingText(settings[i])}`]))
    .join(', ');
}

/** A setting as text: texts without quotes, a choice as `never` or `threshold 10`, the rest as JSON. */
export function settingText(setting: unknown): string {
  if (typeof setting === 'string') return setting;
  const [choice, ...others] = typeof setting === 'object' && setting !== null ? Object.entries(setting) : [];
  if (!choice || others.length > 0 || typeof choice[1] === 'object') return JSON.stringify(setting);
  return choice[1] === true ? choice[0] : `${choice[0]} ${String(choice[1])}`;
}
