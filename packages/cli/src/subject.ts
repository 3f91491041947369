import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  describeFault,
  fileHashes,
  sha256,
  type Inputs,
  type OwnPolicies,
  type Scenario,
  type ScenarioFiles,
} from '@coinlab/sim';
import { filesOf, loadPolicies, PolicyFileFault, readScenario } from '@coinlab/sim/files';
import { BadInput } from './exit-code.js';

/** A scenario with everything that playing it takes. */
export interface Subject {
  readonly scenario: Scenario;
  /** Where the names of its files begin. */
  readonly folder: string;
  readonly files: ScenarioFiles;
  readonly policies: OwnPolicies;
  /** Hashes of the files and of the policies. */
  readonly inputs: Inputs;
}

/** Reads a scenario; all its faults at once. */
export function scenarioOf(file: string, seed?: number): Scenario {
  const read = readScenario(file);
  if (!read.ok) throw new BadInput(read.error.map(describeFault).join('\n'));
  return seed === undefined ? read.value : { ...read.value, seed };
}

/** Reads the files that a scenario names, relative to a folder; all their faults at once. */
function filesIn(scenario: Scenario, folder: string): ScenarioFiles {
  const files = filesOf(scenario, folder);
  if (!files.ok) throw new BadInput(files.error.map(describeFault).join('\n'));
  return files.value;
}

/** A scenario's file with everything that playing it takes. Throws {@link BadInput}. */
export async function subjectOf(file: string, seed?: number): Promise<Subject> {
  return completedSubject(scenarioOf(file, seed), dirname(file));
}

/** A scenario with its files and policies. Throws {@link BadInput}. */
export async function completedSubject(scenario: Scenario, folder: string): Promise<Subject> {
  const files = filesIn(scenario, folder);
  const path = scenario.policies === null ? null : resolve(folder, scenario.policies);
  return {
    scenario,
    folder,
    files,
    policies: path === null ? {} : await policiesIn(path),
    inputs: { files: fileHashes(files), policies: path === null ? null : sha256(readFileSync(path, 'utf8')) },
  };
}

async function policiesIn(path: string): Promise<OwnPolicies> {
  try {
    return await loadPolicies(path);
  } catch (error) {
    if (error instanceof PolicyFileFault) throw new BadInput(error.message);
    throw error;
  }
}
