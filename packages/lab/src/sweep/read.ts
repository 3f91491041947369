import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '@coinlab/core';
import { fieldFaults, scenarioOf, type FieldFault, type FileFault } from '@coinlab/sim';
import { readDocument } from '@coinlab/sim/files';
import { changedBase, uselessChanges, withReplicates, type SweepChanges } from './changes.js';
import { pointsOf } from './design.js';
import { hashOf } from './identity.js';
import { keptMetrics, metricFaults, objectivesOf } from './kept-metrics.js';
import { sweepSchema, type SweepFile } from './schema.js';
import { fieldsOf } from './settings.js';
import { definitionFaults, pointFaults } from './faults.js';
import { filesOfPoints } from './files.js';
import type { Base, Sweep } from './sweep.js';

/**
 * Reads a sweep file (YAML or JSON), its scenario and the files that the scenario names. Each fault names line, field, value and
 * expectation, including faults of single points.
 */
export function readSweep(file: string, changes: SweepChanges = {}): Result<Sweep, readonly FileFault[]> {
  const document = readDocument(file);
  if (!document.ok) return document;
  const { value, faultAt } = document.value;
  const parsed = sweepSchema.safeParse(value);
  if (!parsed.success) return err(fieldFaults(parsed.error.issues, value, sweepSchema).map(faultAt));
  const definition = withReplicates(parsed.data, changes);
  const written = baseOf(definition, file, faultAt);
  if (!written.ok) return written;
  const base = changedBase(written.value, changes);
  if (!base.ok) return err(base.error.map(atFlag));
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
  const useless = uselessChanges(definition, targets, base.value, changes);
  if (useless.length > 0) return err(useless.map(atFlag));
  const points = pointsOf(definition);
  const wrong = pointFaults(definition, base.value, targets, points);
  if (wrong.length > 0) return err(wrong.map(faultAt));
  const folder = folderOf(definition, file);
  const files = filesOfPoints(base.value, targets, points, folder);
  if (!files.ok) return files;
  const own = base.value.scenario.policies;
  const { policies } = changes;
  const program = policies === undefined ? (own === null ? null : resolve(folder, own)) : resolve(policies);
  if (program !== null && !existsSync(program))
    return err([{ file: program, line: null, column: null, reason: 'the policy file does not exist' }]);
  const sweep = {
    definition,
    file: basename(file),
    base: base.value,
    targets,
    points,
    metrics: keptMetrics(definition),
    objectives: objectivesOf(definition),
    files: files.value,
    policies: program,
    flags: changes.flags ?? '',
  };
  return ok({ ...sweep, hash: hashOf(sweep) });
}

/** Flags have the names of the fields, except the selection policy. */
function atFlag({ path: [field, ...rest], reason }: FieldFault): FileFault {
  const flag = [field === 'select' ? 'policy' : field, ...rest].join('.');
  return { file: `--${flag}`, line: null, column: null, reason };
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

function folderOf({ scenario }: SweepFile, file: string): string {
  return dirname(typeof scenario === 'string' ? resolve(dirname(file), scenario) : file);
}
