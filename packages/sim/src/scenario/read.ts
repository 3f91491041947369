import { err, ok, type Result } from '@coinlab/core';
import { fieldFaults, parseData, type DataDocument, type FieldFault } from '../input/document.js';
import type { FileFault } from '../input/fault.js';
import { crossFaults } from './cross.js';
import { completed, type Scenario } from './scenario.js';
import { scenarioSchema } from './schema.js';

/**
 * Parses a scenario, YAML or JSON. Each fault names line, field, value and expectation.
 * @param file names the text in faults
 */
export function parseScenario(text: string, file: string): Result<Scenario, readonly FileFault[]> {
  const document = parseData(text, file);
  return document.ok ? scenarioIn(document.value) : document;
}

/** Converts a value, for example parsed JSON, to a scenario, or returns all faults. */
export function scenarioOf(value: unknown): Result<Scenario, readonly FieldFault[]> {
  const parsed = scenarioSchema.safeParse(value);
  if (!parsed.success) return err(fieldFaults(parsed.error.issues, value, scenarioSchema));
  const scenario = completed(parsed.data);
  const crossed = crossFaults(scenario);
  return crossed.length > 0 ? err(crossed) : ok(scenario);
}

function scenarioIn({ value, faultAt }: DataDocument): Result<Scenario, readonly FileFault[]> {
  const scenario = scenarioOf(value);
  return scenario.ok ? scenario : err(scenario.error.map(faultAt));
}
