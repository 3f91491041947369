import { at } from '@coinlab/core/workflows';
import type { Stream } from '@coinlab/sim';
import { isWithin, type Rows, type StreamLimits } from './limits.js';

const TRIES = 64;

/** Returns a slightly changed stream within the limits, or the stream itself when no attempt succeeds. */
export function neighbour(rows: Rows, limits: StreamLimits, draws: Stream): Rows {
  for (let tries = 0; tries < TRIES; tries++) {
    const changed = change(rows, limits, draws);
    if (isWithin(changed, limits)) return changed;
  }
  return rows;
}

function change(rows: Rows, { amounts: { least, most } }: StreamLimits, draws: Stream): Rows {
  const [i, j] = [draws.below(rows.length), draws.below(rows.length)];
  const [one, other] = [at(rows, i), at(rows, j)];
  const sign = Math.sign(one);
  switch (draws.below(7)) {
    case 0:
      return rows.with(i, sign * (least + draws.below(most - least + 1)));
    case 1:
      return rows.with(i, sign * (draws.chance(0.5) ? least : most));
    case 2:
      return rows.with(i, one + (draws.chance(0.5) ? 1 : -1));
    case 3:
      return rows.with(i, -one);
    case 4:
      return rows.with(i, other);
    case 5:
      return rows.with(i, other).with(j, one);
    default:
      // Moves a row; the rows between shift by one.
      return rows.toSpliced(i, 1).toSpliced(j, 0, one);
  }
}
