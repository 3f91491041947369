import { readFileSync } from 'node:fs';
import { ok, type Amount, type Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { NETWORK_HEADER, parseNetwork, type NetworkFile } from './network.js';
import { DEFAULT_UNIT, parseOpening, parseStream, type PaymentStream } from './stream.js';

/** Reads a stream or a network; the first line tells which it is. `unit` is for streams: coin per integer. */
export function readInput(file: string, unit: Amount = DEFAULT_UNIT): Result<PaymentStream | NetworkFile, FileFault> {
  const text = readText(file);
  return text.ok ? parseInput(text.value, file, unit) : text;
}

/** Reads the text of a stream or a network; `file` names it in faults. */
export function parseInput(
  text: string,
  file: string,
  unit: Amount = DEFAULT_UNIT,
): Result<PaymentStream | NetworkFile, FileFault> {
  const [first = ''] = text.split('\n', 1);
  if (first.startsWith('seq,') || first.startsWith('\uFEFFseq,')) return parseNetwork(text, file);
  if (/[A-Za-z,]/.test(first)) {
    return fault(
      file,
      1,
      1,
      `got ${quoted(first)}, expected a whole number (a payment stream) or the header ${NETWORK_HEADER} (a network)`,
    );
  }
  return parseStream(text, file, unit);
}

/** Reads the UTXOs that a wallet begins with. */
export function readOpening(file: string, unit: Amount = DEFAULT_UNIT): Result<readonly Amount[], FileFault> {
  const text = readText(file);
  return text.ok ? parseOpening(text.value, file, unit) : text;
}

function readText(file: string): Result<string, FileFault> {
  try {
    return ok(readFileSync(file, 'utf8'));
  } catch (error) {
    return fault(file, null, null, `cannot be read: ${(error as Error).message}`);
  }
}
