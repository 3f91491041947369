import { Amount, err, ok, type Result } from '@coinlab/core';
import { newSha256 } from '../hash/sha256.js';
import { fault, type FileFault } from '../input/fault.js';
import type { NetworkFile } from '../input/network.js';
import { parseInput, partiesIn } from '../input/parse.js';
import { parseOpening, type PaymentStream } from '../input/stream.js';
import type { Scenario } from './scenario.js';
import type { AmountDistribution } from './values.js';

/** A file that a scenario names. Plain data: it can be sent to a worker. */
export interface ScenarioFile {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** The files of a scenario, by the names in the scenario. */
export type ScenarioFiles = ReadonlyMap<string, ScenarioFile>;

interface Use {
  readonly name: string;
  readonly faultOf: (text: string, file: string) => FileFault | null;
}

/**
 * Reads every file that a scenario names (traces, initial wallets, amounts), each once, and validates its content for the
 * scenario. Excludes the policy file, which is a program.
 * @param pathOf converts a name in the scenario to the path for `read` and for faults
 * @returns the files, or all faults
 */
export function openFiles(
  scenario: Scenario,
  read: (path: string) => Result<Uint8Array, FileFault>,
  pathOf: (name: string) => string = (name) => name,
): Result<ScenarioFiles, readonly FileFault[]> {
  const files = new Map<string, ScenarioFile>();
  const faults: FileFault[] = [];
  for (const { name, faultOf } of uses(scenario)) {
    const path = pathOf(name);
    let file = files.get(name);
    if (!file) {
      const bytes = read(path);
      if (!bytes.ok) {
        faults.push(bytes.error);
        continue;
      }
      file = scenarioFileOf(name, bytes.value);
      files.set(name, file);
    }
    const found = faultOf(file.text, path);
    if (found) faults.push(found);
  }
  return faults.length > 0 ? err(faults) : ok(files);
}

/** Builds a scenario file from its bytes. */
export function scenarioFileOf(name: string, bytes: Uint8Array): ScenarioFile {
  const hash = newSha256();
  hash.update(bytes);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { name, text, sha256: hash.digest('hex'), bytes: bytes.length };
}

function uses({ groups }: Scenario): readonly Use[] {
  return groups.flatMap(({ count, openingFile, openingUnit, opening, payments, income }) => {
    const found: Use[] = [];
    const trace = payments?.arrivals.trace;
    if (trace)
      found.push({
        name: trace.file,
        faultOf(text, file) {
          const input = parseInput(text, file, Amount.of(trace.unit));
          if (!input.ok) return input.error;
          const parties = partiesIn(input.value);
          if (parties <= count) return null;
          return fault(file, null, null, `has ${parties} parties, the group has ${count}`).error;
        },
      });
    const amounts = (name: string | null | undefined, unit: string): void => {
      if (!name) return;
      found.push({
        name,
        faultOf(text, file) {
          const parsed = parseOpening(text, file, Amount.of(unit));
          return parsed.ok ? null : parsed.error;
        },
      });
    };
    amounts(openingFile, openingUnit);
    for (const { empirical } of [opening.amount, payments?.amount ?? {}, income?.amount ?? {}])
      amounts(empirical?.file, empirical?.unit ?? '1');
    return found;
  });
}

export function inputFrom(files: ScenarioFiles, name: string, unit: string): PaymentStream | NetworkFile {
  return checked(parseInput(given(files, name), name, Amount.of(unit)));
}

export function amountsFrom(files: ScenarioFiles, name: string, unit: string): readonly Amount[] {
  return checked(parseOpening(given(files, name), name, Amount.of(unit)));
}

export function valuesOf({ empirical }: AmountDistribution, files: ScenarioFiles): readonly Amount[] {
  return empirical?.file === undefined ? [] : amountsFrom(files, empirical.file, empirical.unit);
}

function given(files: ScenarioFiles, name: string): string {
  const file = files.get(name);
  if (!file) throw new RangeError(`the scenario names the file ${name}, but the run's options have no such file`);
  return file.text;
}

function checked<Value>(parsed: Result<Value, FileFault>): Value {
  if (!parsed.ok) throw new RangeError(`${parsed.error.file}: ${parsed.error.reason}`);
  return parsed.value;
}
