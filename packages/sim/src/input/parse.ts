import type { Amount, Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { NETWORK_HEADER, parseNetwork, type NetworkFile } from './network.js';
import { DEFAULT_UNIT, parseStream, type PaymentStream } from './stream.js';

/** Parses the text of a stream or a network; `file` names it in faults. */
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

export function partiesIn(input: PaymentStream | NetworkFile): number {
  return input.kind === 'stream' ? 1 : input.parties.length;
}
