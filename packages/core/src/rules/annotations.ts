import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Rejected } from '../kernel/rejection.js';
import { invalid } from './refusals.js';

const MOST_BYTES = 262_144;

export function refuseAnnotations(annotations: Readonly<Record<string, string>>): Rejected<'INVALID_ARGUMENT'> | null {
  let bytes = 0;
  for (const [name, value] of Object.entries(annotations)) bytes += utf8Length(name) + utf8Length(value);
  if (bytes <= MOST_BYTES) return null;
  return invalid('annotations', `${bytes} bytes`, `at most ${MOST_BYTES} bytes`);
}

function utf8Length(text: string): number {
  return utf8ToBytes(text).length;
}
