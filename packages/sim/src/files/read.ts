import { readFileSync } from 'node:fs';
import { err, ok, type Amount, type Result } from '@coinlab/core';
import { parseData, type DataDocument } from '../input/document.js';
import { fault, type FileFault } from '../input/fault.js';
import type { NetworkFile } from '../input/network.js';
import { parseInput } from '../input/parse.js';
import { DEFAULT_UNIT, parseOpening, type PaymentStream } from '../input/stream.js';
import { parseScenario } from '../scenario/read.js';
import type { Scenario } from '../scenario/scenario.js';

export function readBytes(file: string): Result<Buffer, FileFault> {
  try {
    return ok(readFileSync(file));
  } catch (error) {
    return fault(file, null, null, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Reads a payment stream or a network; the first line of the file decides which. `unit` is the amount of coin for an
 * integer of 1 in a stream.
 */
export function readInput(file: string, unit: Amount = DEFAULT_UNIT): Result<PaymentStream | NetworkFile, FileFault> {
  const text = readText(file);
  return text.ok ? parseInput(text.value, file, unit) : text;
}

/** Reads an initial wallet: one UTXO per line, as an integer multiple of `unit` coin. */
export function readOpening(file: string, unit: Amount = DEFAULT_UNIT): Result<readonly Amount[], FileFault> {
  const text = readText(file);
  return text.ok ? parseOpening(text.value, file, unit) : text;
}

/** Reads a YAML or JSON file. */
export function readDocument(file: string): Result<DataDocument, readonly FileFault[]> {
  const text = readText(file);
  return text.ok ? parseData(text.value, file) : err([text.error]);
}

/** Reads a scenario file (YAML or JSON). Each fault names line, field, value and expectation. */
export function readScenario(file: string): Result<Scenario, readonly FileFault[]> {
  const text = readText(file);
  return text.ok ? parseScenario(text.value, file) : err([text.error]);
}

function readText(file: string): Result<string, FileFault> {
  const bytes = readBytes(file);
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
}
