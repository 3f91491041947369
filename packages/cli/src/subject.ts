import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  describeFault,
  fileHashes,
  sha256,
  thresholdFaults,
  type Inputs,
  type OwnPolicies,
  type Scenario,
  type ScenarioFiles,
} from '@coinlab/sim';
import { filesOf, loadPolicies, PolicyFileFault, readDocument, readScenario } from '@coinlab/sim/files';
import { BadInput } from './exit-code.js';

export interface Subject {
  readonly scenario: Scenario;
  readonly folder: string;
  readonly files: ScenarioFiles;
  readonly policies: OwnPolicies;
  readonly inputs: Inputs;
}

export function scenarioOf(file: string, seed?: number): Scenario {
  const read = readScenario(file);
  if (!read.ok) throw new BadInput(read.error.map(describeFault).join('\n'));
  const document = readDocument(file);
  const faults = document.ok ? thresholdFaults(read.value).map(document.value.faultAt) : [];
  if (faults.length > 0) throw new BadInput(faults.map(describeFault).join('\n'));
  return seed === undefined ? read.value : { ...read.value, seed };
}

function filesIn(scenario: Scenario, folder: string): ScenarioFiles {
  const files = filesOf(scenario, folder);
  if (!files.ok) throw new BadInput(files.error.map(describeFault).join('\n'));
  return files.value;
}

export async function subjectOf(file: string, seed?: number): Promise<Subject> {
  return completedSubject(scenarioOf(file, seed), dirname(file));
}

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
