import type { Instant, LedgerState } from '@coinlab/core';
import { z } from '@hono/zod-openapi';
import { Problem } from '../../gates/problem.js';
import { stateOf, type ServerContext } from '../../server-context.js';
import { dateTime, MIGRATION, rfc3339, timeText } from '../../wire/values.js';

/** Which snapshot a request asks for. Source: specification of the API §4.2. */
export const snapshotFields = {
  migration_id: z.number().int(),
  record_time: dateTime,
  record_time_match: z.enum(['exact', 'at_or_before']).default('exact'),
};

/** Where a snapshot stands, as answers tell it. */
export const snapshotPlace = { record_time: timeText, migration_id: z.number().int() };

/** A state of the past with the record time that names it. */
export interface Snapshot {
  readonly recordTime: Instant;
  readonly state: LedgerState;
}

/**
 * The snapshot that a request asks for: there is one at the record time of every update. 404 when there is none.
 * Source: specification of the API §4.2. Assumption: A-87.
 */
export function snapshotOf(
  server: ServerContext,
  wanted: {
    readonly migration_id: number;
    readonly record_time: Instant;
    readonly record_time_match: 'exact' | 'at_or_before';
  },
): Snapshot {
  const { history } = server;
  const offset = wanted.migration_id === MIGRATION ? lastOffsetUntil(server, wanted.record_time) : 0;
  if (offset === 0 || (wanted.record_time_match === 'exact' && !isTimeOf(server, wanted.record_time)))
    throw new Problem(404, `no snapshot of migration ${wanted.migration_id} at ${rfc3339(wanted.record_time)}`);
  const recordTime = wanted.record_time_match === 'exact' ? wanted.record_time : history.timeAt(offset);
  return { recordTime, state: history.stateAt(offset) };
}

/** Whether something happened at just that time, or was recorded then. */
function isTimeOf(server: ServerContext, time: Instant): boolean {
  const { history } = server;
  const recorded = Math.min(history.recordedUntil(time), stateOf(server).offset);
  return (
    history.timeAt(lastOffsetUntil(server, time)) === time || (recorded > 0 && history.recordTimeAt(recorded) === time)
  );
}

/** Offset of the last visible update at or before a time; 0 when there is none. */
export function lastOffsetUntil(server: ServerContext, time: Instant): number {
  // A ledger that was reverted may be behind what its history remembers.
  return Math.min(server.history.offsetAt(time), stateOf(server).offset);
}

/** The record time and the migration of a snapshot. */
export function placeOf({ recordTime }: Snapshot): { record_time: string; migration_id: number } {
  return { record_time: rfc3339(recordTime), migration_id: MIGRATION };
}
