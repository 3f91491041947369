import { resolve } from 'node:path';
import type { Result } from '@coinlab/core';
import type { FileFault } from '../input/fault.js';
import { openFiles, type ScenarioFiles } from '../scenario/files.js';
import type { Scenario } from '../scenario/scenario.js';
import { readBytes } from './read.js';

/**
 * Reads every file that a scenario names and checks that the scenario can use it.
 * @param folder start of relative names: the folder of the scenario
 * @returns the files, or all their faults
 */
export function filesOf(scenario: Scenario, folder: string): Result<ScenarioFiles, readonly FileFault[]> {
  return openFiles(scenario, readBytes, (name) => resolve(folder, name));
}
