import { resolve } from 'node:path';
import type { Result } from '@coinlab/core';
import type { FileFault } from '../input/fault.js';
import { openFiles, type ScenarioFiles } from '../scenario/files.js';
import type { Scenario } from '../scenario/scenario.js';
import { readBytes } from './read.js';

/**
 * Reads every file that a scenario names and validates its content for the scenario.
 * @param folder base of relative names: the scenario's folder
 * @returns the files, or all faults
 */
export function filesOf(scenario: Scenario, folder: string): Result<ScenarioFiles, readonly FileFault[]> {
  return openFiles(scenario, readBytes, (name) => resolve(folder, name));
}
