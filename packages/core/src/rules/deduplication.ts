import { Duration } from '../kernel/time.js';

/** The longest de-duplication period. Assumption: A-131. */
export const DEDUPLICATION_PERIOD: Duration = Duration.hours(24);
