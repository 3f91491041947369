import type { Instant, LedgerState } from '@coinlab/core';
import { z } from '@hono/zod-openapi';
import { Problem } from '../../problem.js';
import { lastOffsetUntil, type LedgerView } from '../../history/ledger-view.js';
import { dateTime, MIGRATION, rfc3339, timeText } from '../../wire/values.js';

export const snapshotFields = {
  migration_id: z.number().int(),
  record_time: dateTime,
  record_time_match: z.enum(['exact', 'at_or_before']).default('exact'),
};

export const snapshotPlace = { record_time: timeText, migration_id: z.number().int() };

export interface Snapshot {
  readonly recordTime: Instant;
  readonly state: LedgerState;
}

/** Every update has a snapshot at its record time. Source: specification of the API §4.2. Assumption: A-87. */
export function snapshotOf(
  ledger: LedgerView,
  wanted: {
    readonly migration_id: number;
    readonly record_time: Instant;
    readonly record_time_match: 'exact' | 'at_or_before';
  },
): Snapshot {
  const { history } = ledger;
  const offset = wanted.migration_id === MIGRATION ? lastOffsetUntil(ledger, wanted.record_time) : 0;
  if (offset === 0 || (wanted.record_time_match === 'exact' && !isTimeOf(ledger, wanted.record_time)))
    throw new Problem(404, `no snapshot of migration ${wanted.migration_id} at ${rfc3339(wanted.record_time)}`);
  const recordTime = wanted.record_time_match === 'exact' ? wanted.record_time : history.timeAt(offset);
  return { recordTime, state: history.stateAt(offset) };
}

function isTimeOf(ledger: LedgerView, time: Instant): boolean {
  const { history } = ledger;
  const recorded = Math.min(history.recordedUntil(time), ledger.state.offset);
  return (
    history.timeAt(lastOffsetUntil(ledger, time)) === time || (recorded > 0 && history.recordTimeAt(recorded) === time)
  );
}

export function placeOf({ recordTime }: Snapshot): { record_time: string; migration_id: number } {
  return { record_time: rfc3339(recordTime), migration_id: MIGRATION };
}
