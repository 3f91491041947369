import { z } from '@hono/zod-openapi';
import { LedgerProblem } from '../../gates/ledger/errors.js';

export const updateMask = z.object({ paths: z.array(z.string()).optional() }).openapi('FieldMask');

type Code = 'INVALID_USER_UPDATE_REQUEST' | 'INVALID_PARTY_DETAILS_UPDATE_REQUEST';

/** Clients write paths in either case: `primary_party` or `primaryParty`. */
export function fieldsOf(
  { paths = [] }: z.infer<typeof updateMask>,
  known: readonly string[],
  code: Code,
): ReadonlySet<string> {
  const expected = `expected some of ${known.join(', ')}`;
  if (paths.length === 0) throw new LedgerProblem(code, `updateMask.paths: got no paths, ${expected}`);
  const fields = paths.map((path) => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  const odd = fields.findIndex((field) => !known.includes(field));
  if (odd >= 0) throw new LedgerProblem(code, `updateMask.paths: got ${paths[odd]}, ${expected}`);
  return new Set(fields);
}

export function mergedAnnotations(
  before: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}
