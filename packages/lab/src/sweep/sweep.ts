import type { Result } from '@coinlab/core';
import { scenarioOf, type FieldFault, type Scenario, type ScenarioFiles } from '@coinlab/sim';
import type { Settings } from './design.js';
import type { KeptMetric } from './kept-metrics.js';
import type { SweepFile } from './schema.js';
import { withSettings, type FieldPath } from './settings.js';

/** A sweep file that was read and checked, with all defaults filled in and its scenario and files loaded. */
export interface Sweep {
  readonly definition: SweepFile;
  readonly file: string;
  readonly base: Base;
  readonly targets: readonly (readonly FieldPath[])[];
  readonly points: readonly Settings[];
  readonly metrics: readonly KeptMetric[];
  /** Objectives of the Pareto view; fewer than two: no view. */
  readonly objectives: readonly string[];
  readonly files: ScenarioFiles;
  readonly policies: string | null;
  /** Flags of `coinlab sweep` that change the sweep of the file; empty without any. */
  readonly flags: string;
  /** SHA-256 of everything that results depend on, in hexadecimal; parts with equal hashes belong together. */
  readonly hash: string;
}

export interface Base {
  readonly value: unknown;
  readonly scenario: Scenario;
}

/** Returns the scenario of a point, or its faults. */
export function scenarioAt(
  { base, targets }: Pick<Sweep, 'base' | 'targets'>,
  settings: Settings,
): Result<Scenario, readonly FieldFault[]> {
  const set = targets.flatMap((fields, i) => (settings[i] === undefined ? [] : [[fields, settings[i]] as const]));
  return scenarioOf(withSettings(base.value, base.scenario, set));
}

/** Formats the settings of a point: `threshold = 10, select = random`. */
export function settingsText({ parameters }: Pick<SweepFile, 'parameters'>, settings: Settings): string {
  return parameters
    .flatMap(({ name }, i) => (settings[i] === undefined ? [] : [`${name} = ${settingText(settings[i])}`]))
    .join(', ');
}

/** Formats a setting: strings without quotes, a choice as `never` or `threshold 10`, other values as JSON. */
export function settingText(setting: unknown): string {
  if (typeof setting === 'string') return setting;
  const [choice, ...others] = typeof setting === 'object' && setting !== null ? Object.entries(setting) : [];
  if (!choice || others.length > 0 || typeof choice[1] === 'object') return JSON.stringify(setting);
  return choice[1] === true ? choice[0] : `${choice[0]} ${String(choice[1])}`;
}
