import { at } from '@coinlab/core/workflows';
import type { Streams } from '@coinlab/sim';
import { permutation } from './permutation.js';

/**
 * Draws a Latin hypercube: each parameter's range is divided into `samples` equal strata, each hit once at a random position.
 * Every parameter has its own random stream, so adding one leaves the others unchanged.
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
