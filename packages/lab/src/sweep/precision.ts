import { LEAST_REPLICATES, type WantedWidth } from '@coinlab/sim';
import { intervalAt, type SweepRuns } from './tables.js';

/**
 * Returns the number of replicates with which the intervals of all points are probably narrow enough. If they are
 * already, this is the number of the runs. A half-width shrinks with the square root of the number.
 */
export function replicatesFor(runs: SweepRuns, wanted: readonly WantedWidth[]): number {
  const { definition, metrics, points } = runs.heading;
  let most = Math.max(definition.replicates, LEAST_REPLICATES);
  for (const { metric, halfWidth, isRelative } of wanted) {
    const column = metrics.findIndex(({ name }) => name === metric);
    for (let point = 0; point < points; point++) {
      const found = intervalAt(runs, point, column);
      if (found === null || found.halfWidth === null) continue;
      const goal = halfWidth * (isRelative ? Math.abs(found.mean) : 1);
      if (found.halfWidth <= goal) continue;
      const needed = definition.replicates * (found.halfWidth / goal) ** 2;
      // A mean of zero has no relative width.
      most = Math.max(
        most,
        Number.isFinite(needed) ? Math.ceil(needed) : Number.MAX_SAFE_INTEGER,
        definition.replicates + 1,
      );
    }
  }
  return most;
}
