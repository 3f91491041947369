import { parseInput } from '../input/parse.js';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';

/** The texts of the validation data, which ships with coinlab (`validationData` of `@coinlab/sim/files`). */
export interface ValidationData {
  readonly realPayments: string;
  readonly sampleNetwork: string;
  readonly referenceTable: string;
}

export function paymentsIn({ realPayments }: ValidationData): PaymentStream {
  const input = inputIn(realPayments, 'real payments');
  if (input.kind !== 'stream') throw new TypeError('the real payments are a network, expected a stream');
  return input;
}

export function inputIn(text: string, name: string): PaymentStream | NetworkFile {
  const input = parseInput(text, name);
  if (!input.ok) throw new TypeError(`${name}: ${input.error.reason}`);
  return input.value;
}
