import { happeningsOf } from '../log/batch.js';
import type { Update, UpdateKind, UpdateOf } from '../log/update.js';
import { UPDATE_SPECS } from '../register/register.js';
import type { Recorded } from '../rules/history.js';

/** Returns the records for histories in an update, including those of a batch's operations. Source: specification §7.8. */
export function recordedIn(update: Update): readonly Recorded[] {
  const own = ownRecordsOf(update);
  return update.kind === 'BatchExecuted' ? [...happeningsOf(update).flatMap(recordedIn), ...own] : own;
}

function ownRecordsOf<Kind extends UpdateKind>(update: UpdateOf<Kind>): readonly Recorded[] {
  return UPDATE_SPECS[update.kind].history?.(update) ?? [];
}
