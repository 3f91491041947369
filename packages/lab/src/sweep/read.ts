import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '@coinlab/core';
import {
  fieldFaults,
  filesOf,
  readDocument,
  scenarioOf,
  valueAt,
  type FieldFault,
  type FileFault,
  type Scenario,
  type ScenarioFiles,
} from '@coinlab/sim';
import { MOST_POINTS, pointCount, pointsOf, type Settings } from './design.js';
import { hashOf } from './identity.js';
import { keptMetrics, metricFaults, objectivesOf, type KeptMetric } from './kept-metrics.js';
import { rangeFault } from './range.js';
import { sweepSchema, type SweepFile } from './schema.js';
import { fieldsOf, withSettings, type FieldPath } from './settings.js';

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

/**
 * Reads a sweep file, YAML or JSON, its scenario and the files that this names. Every fault names its line, its field, what was there
 * and what was expected; so do points that the scenario would not allow.
 * @param policies a file of policies in place of the scenario's
 */
export function readSweep(file: string, policies?: string): Result<Sweep, readonly FileFault[]> {
  const document = readDocument(file);
  if (!document.ok) return document;
  const { value, faultAt } = document.value;
  const parsed = sweepSchema.safeParse(value);
  if (!parsed.success) return err(fieldFaults(parsed.error.issues, value).map(faultAt));
  const definition = parsed.data;
  const base = baseOf(definition, file, faultAt);
  if (!base.ok) return base;
  const groups = base.value.scenario.groups.map(({ name }) => name);
  const found = definition.parameters.map(({ path }) => [path].flat().map((one) => fieldsOf(one, groups)));
  const faults = [
    ...found.flatMap((paths, i) =>
      paths.flatMap((fields): FieldFault[] =>
        typeof fields === 'string' ? [{ path: ['parameters', i, 'path'], reason: fields }] : [],
      ),
    ),
    ...definitionFaults(definition),
    ...metricFaults(definition, groups),
  ];
  if (faults.length > 0) return err(faults.map(faultAt));
  const targets = found.map((paths) => paths.flatMap((fields) => (typeof fields === 'string' ? [] : fields)));
  const points = pointsOf(definition);
  const wrong = pointFaults(definition, base.value, targets, points);
  if (wrong.length > 0) return err(wrong.map(faultAt));
  const folder = folderOf(definition, file);
  const files = filesOfPoints(base.value, targets, points, folder);
  if (!files.ok) return files;
  const own = base.value.scenario.policies;
  const sweep = {
    definition,
    file: basename(file),
    base: base.value,
    targets,
    points,
    metrics: keptMetrics(definition),
    objectives: objectivesOf(definition),
    files: files.value,
    policies: policies === undefined ? (own === null ? null : resolve(folder, own)) : resolve(policies),
  };
  return ok({ ...sweep, hash: hashOf(sweep) });
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

/** A setting as text: texts without quotes, the rest as JSON. */
export function settingText(setting: unknown): string {
  return typeof setting === 'string' ? setting : JSON.stringify(setting);
}

function baseOf(
  { scenario }: SweepFile,
  file: string,
  faultAt: (found: FieldFault) => FileFault,
): Result<Base, readonly FileFault[]> {
  if (typeof scenario !== 'string') {
    const read = scenarioOf(scenario);
    if (!read.ok) return err(read.error.map(({ path, reason }) => faultAt({ path: ['scenario', ...path], reason })));
    return ok({ value: scenario, scenario: read.value });
  }
  const document = readDocument(resolve(dirname(file), scenario));
  if (!document.ok) return document;
  const read = scenarioOf(document.value.value);
  return read.ok
    ? ok({ value: document.value.value, scenario: read.value })
    : err(read.error.map(document.value.faultAt));
}

/** Where names of files begin: at the scenario's own file. */
function folderOf({ scenario }: SweepFile, file: string): string {
  return dirname(typeof scenario === 'string' ? resolve(dirname(file), scenario) : file);
}

function definitionFaults(definition: SweepFile): readonly FieldFault[] {
  const { parameters, design } = definition;
  const names = parameters.map(({ name }) => name);
  const faults: FieldFault[] = [];
  parameters.forEach((parameter, i) => {
    if (names.indexOf(parameter.name) < i)
      faults.push({
        path: ['parameters', i, 'name'],
        reason: `got "${parameter.name}" twice, expected a name per parameter`,
      });
    const wrong = rangeFault(parameter, design.grid ? 'values' : design.list ? 'nothing' : 'range');
    if (wrong)
      faults.push({ path: ['parameters', i, ...(wrong.field === null ? [] : [wrong.field])], reason: wrong.reason });
  });
  design.list?.forEach((settings, i) => {
    for (const name of Object.keys(settings))
      if (!names.includes(name))
        faults.push({
          path: ['design', 'list', i, name],
          reason: `got "${name}", expected one of the parameters ${names.join(', ')}`,
        });
  });
  const points = pointCount(definition);
  if (points > MOST_POINTS)
    faults.push({ path: ['design'], reason: `got ${points} points, expected at most ${MOST_POINTS}` });
  return faults;
}

/** Points that are tried before anything runs: a wrong one among more of them becomes a row with its error. */
const TRIED = 2_000;
/** Faults that are told: the same one is often that of many points. */
const TOLD = 10;

function pointFaults(
  definition: SweepFile,
  base: Base,
  targets: Sweep['targets'],
  points: readonly Settings[],
): readonly FieldFault[] {
  const faults = new Map<string, FieldFault>();
  const step = Math.max(1, Math.ceil(points.length / TRIED));
  for (let point = 0; point < points.length && faults.size < TOLD; point += step) {
    const settings = points[point] as Settings;
    const scenario = scenarioAt({ base, targets }, settings);
    const first = scenario.ok ? undefined : scenario.error[0];
    if (!first) continue;
    const parameter = blamed(targets, first);
    const told = `${first.path.map(String).join('.')}: ${first.reason}`;
    if (faults.has(`${parameter} ${told}`)) continue;
    faults.set(`${parameter} ${told}`, {
      path: placeOf(definition, point, parameter),
      reason: `at point ${point + 1} (${settingsText(definition, settings)}) ${told}`,
    });
  }
  return [...faults.values()];
}

/** Where the sweep's file says what a parameter is at a point. */
function placeOf({ design, parameters }: SweepFile, point: number, parameter: number): readonly PropertyKey[] {
  const name = parameters[parameter]?.name ?? '';
  if (!design.list) return ['parameters', parameter];
  return design.list[point]?.[name] === undefined ? ['design', 'list', point] : ['design', 'list', point, name];
}

/** The parameter whose fields have most of a fault's path; of several the one whose next field the fault speaks of. */
function blamed(targets: Sweep['targets'], { path, reason }: FieldFault): number {
  const scores = targets.map((fields) =>
    Math.max(
      ...fields.map((field) => {
        const differs = field.findIndex((segment, i) => segment !== path[i]);
        const shared = differs < 0 ? field.length : differs;
        return shared + (reason.includes(`"${field[shared]}"`) ? 0.5 : 0);
      }),
    ),
  );
  return scores.indexOf(Math.max(...scores));
}

/** The files of all points. Those of a point are read only when it names others than points before. */
function filesOfPoints(
  base: Base,
  targets: Sweep['targets'],
  points: readonly Settings[],
  folder: string,
): Result<ScenarioFiles, readonly FileFault[]> {
  const all = new Map<string, ScenarioFiles extends ReadonlyMap<string, infer File> ? File : never>();
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

/** Whether setting a field may name a file: the field does, or it is a whole object. */
function mayName(now: unknown, field: FieldPath): boolean {
  const last = field.at(-1);
  return (
    (typeof last === 'string' && /file$/i.test(last)) ||
    typeof now === 'object' ||
    ['payments', 'arrivals', 'trace', 'amount', 'empirical', 'opening', 'income'].includes(String(last))
  );
}
