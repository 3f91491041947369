import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Rejected } from '../kernel/rejection.js';

const MOST_BYTES = 262_144;

export function refuseAnnotations(annotations: Readonly<Record<string, string>>): Rejected<'INVALID_ARGUMENT'> | null {
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations)) bytes += utf8Length(name) + utf8Length(value);
  if (bytes <= MOST_BYTES) return null;
  return {
    code: 'INVALID_ARGUMENT',
    field: 'annotations',
    value: `${bytes} bytes`,
    expected: `at most ${MOST_BYTES} bytes`,
  };
}

function utf8Length(text: string): number {
  return utf8ToBytes(text).length;
}
