import { Duration } from '../kernel/time.js';

/** How long the record of a submitted command is kept: the longest de-duplication period. Assumption: A-131. */
export const DEDUPLICATION_PERIOD: Duration = Duration.hours(24);
