import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Draws a whole number from 0 to `below` less one, all equally likely. */
export type Draw = (below: number) => number;

/** What chance is used for. Each concern has a stream of its own, so that one more draw here changes nothing there; append only. */
export type Concern = (typeof CONCERNS)[number];

const CONCERNS = ['policy'] as const;

/** The largest seed. */
export const LARGEST_SEED: number = 0xffff_ffff;

/** The draws of one concern: they follow from the seed alone. */
export function drawsFor(concern: Concern, seed: number): Draw {
  const generator = xoroshiro128plus(seed);
  for (let jumps = 0; jumps <= CONCERNS.indexOf(concern); jumps++) generator.jump();
  return (below) => uniformInt(generator, 0, below - 1);
}
