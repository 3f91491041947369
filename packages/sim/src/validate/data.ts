import { parseInput } from '../input/parse.js';
import type { NetworkFile } from '../input/network.js';
import type { PaymentStream } from '../input/stream.js';

/** The texts of the files that validation runs on; coinlab comes with them (`validationData` of `@coinlab/sim/files`). */
export interface ValidationData {
  /** A payment stream in satoshi. */
  readonly realPayments: string;
  readonly sampleNetwork: string;
  /** The published simulator's results, as CSV. */
  readonly referenceTable: string;
}

/** The real payments as a stream. */
export function paymentsIn({ realPayments }: ValidationData): PaymentStream {
  const input = inputIn(realPayments, 'real payments');
  if (input.kind !== 'stream') throw new TypeError('the real payments are a network, expected a stream');
  return input;
}

/** One of the recorded inputs. Throws when the text is not one. */
export function inputIn(text: string, name: string): PaymentStream | NetworkFile {
  const input = parseInput(text, name);
  if (!input.ok) throw new TypeError(`${name}: ${input.error.reason}`);
  return input.value;
}
