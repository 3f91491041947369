import { z } from '@hono/zod-openapi';
import { Problem } from '../problem.js';
import type { LedgerView } from '../history/ledger-view.js';
import { updateIdOf } from './update-id.js';
import { dateTime, foundOr404, MIGRATION } from './values.js';

const PAGE_LIMIT = 1000;

export const pageFields = {
  after: z.object({ after_migration_id: z.number().int(), after_record_time: dateTime }).optional(),
  page_size: z.number().int().min(1).max(PAGE_LIMIT),
};

const page = z.object(pageFields);

export const encodingField = z.enum(['compact_json', 'protobuf_json']).default('compact_json');

/** Assumption: A-88. */
export function requireCompact(wanted: z.output<typeof encodingField>): void {
  if (wanted !== 'compact_json') throw new Problem(400, 'daml_value_encoding: only compact_json is supported');
}

export function offsetsAfter(ledger: LedgerView, { after, page_size }: z.output<typeof page>): readonly number[] {
  const head = ledger.state.offset;
  const migration = after?.after_migration_id ?? MIGRATION;
  if (migration > MIGRATION) return [];
  const from =
    after && migration === MIGRATION ? Math.min(ledger.history.recordedUntil(after.after_record_time), head) : 0;
  return Array.from({ length: Math.min(page_size, head - from) }, (_, i) => from + 1 + i);
}

export function offsetOfUpdate(text: string, ledger: LedgerView): number {
  const id = updateIdOf(text);
  const offset = id === null ? null : ledger.history.offsetOf(id);
  return foundOr404(offset !== null && offset <= ledger.state.offset ? offset : null, 'update', text);
}
