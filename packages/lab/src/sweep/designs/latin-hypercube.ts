import { at } from '@coinlab/core/workflows';
import type { Streams } from '@coinlab/sim';
import { permutation } from './permutation.js';

/**
 * A Latin hypercube: of each parameter every one of as many equal strata as there are samples is hit exactly once, at a random place
 * within it. Each parameter has chance of its own, so one more leaves the others where they were.
 * @returns one row per sample; coordinates in [0, 1)
 */
export function latinHypercube(
  streams: Streams,
  name: string,
  parameters: readonly string[],
  samples: number,
): readonly (readonly number[])[] {
  const columns = parameters.map((parameter) => {
    const stream = streams.named(`lab/${name}/${parameter}`);
    return permutation(samples, stream).map((stratum) => (stratum + stream.unit()) / samples);
  });
  return Array.from({ length: samples }, (_, sample) => columns.map((column) => at(column, sample)));
}
