import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Draws a uniform integer from 0 to `below` − 1. */
export type Draw = (below: number) => number;

/** A use of random numbers. Each concern has its own stream, so an extra draw in one does not shift the others. Append only. */
export type Concern = (typeof CONCERNS)[number];

const CONCERNS = ['policy'] as const;

/** The largest seed: 2³² − 1. */
export const LARGEST_SEED: number = 0xffff_ffff;

/** Returns the draws of one concern; they depend on the seed alone. */
export function drawsFor(concern: Concern, seed: number): Draw {
  const generator = xoroshiro128plus(seed);
  for (let jumps = 0; jumps <= CONCERNS.indexOf(concern); jumps++) generator.jump();
  return (below) => uniformInt(generator, 0, below - 1);
}
