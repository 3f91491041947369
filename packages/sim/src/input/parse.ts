import { ok, type Amount, type Result } from '@coinlab/core';
import { fault, quoted, type FileFault } from './fault.js';
import { NETWORK_HEADER, parseNetwork, type NetworkFile } from './network.js';
import { DEFAULT_UNIT, parseStream, type PaymentStream } from './stream.js';

/** Parses the text of a stream or a network; `file` names it in faults. */
export function parseInput(
  text: string,
  file: string,
  unit: Amount = DEFAULT_UNIT,
): Result<PaymentStream | NetworkFile, FileFault> {
  const kind = kindOf(text.split('\n', 1)[0] ?? '', file);
  if (!kind.ok) return kind;
  return kind.value === 'network' ? parseNetwork(text, file) : parseStream(text, file, unit);
}

export function kindOf(first: string, file: string): Result<'stream' | 'network', FileFault> {
  if (first.startsWith('seq,') || first.startsWith('\uFEFFseq,')) return ok('network');
  if (!/[A-Za-z,]/.test(first)) return ok('stream');
  return fault(
    file,
    1,
    1,
    `got ${quoted(first)}, expected a whole number (a payment stream) or the header ${NETWORK_HEADER} (a network)`,
  );
}

export function partiesIn(input: PaymentStream | NetworkFile): number {
  return input.kind === 'stream' ? 1 : input.parties.length;
}
