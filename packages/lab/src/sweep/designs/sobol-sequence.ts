import { at } from '@coinlab/core/workflows';
import type { Stream } from '@coinlab/sim';

/**
 * Degree, coefficients of the primitive polynomial and initial direction numbers of dimensions 2 to 60; dimension 1 needs none.
 * Source: Joe and Kuo, SIAM Journal on Scientific Computing 30 (2008) 2635, table new-joe-kuo-6.21201.
 */
const DIRECTIONS = `
1 0 1|2 1 1 3|3 1 1 3 1|3 2 1 1 1|4 1 1 1 3 3|4 4 1 3 5 13|5 2 1 1 5 5 17|5 4 1 1 5 5 5|5 7 1 1 7 11 19|5 11 1 1 5 1 1|5 13 1 1 1 3 11
5 14 1 3 5 5 31|6 1 1 3 3 9 7 49|6 13 1 1 1 15 21 21|6 16 1 3 1 13 27 49|6 19 1 1 1 15 7 5|6 22 1 3 1 15 13 25|6 25 1 1 5 5 19 61
7 1 1 3 7 11 23 15 103|7 4 1 3 7 13 13 15 69|7 7 1 1 3 13 7 35 63|7 8 1 3 5 9 1 25 53|7 14 1 3 1 13 9 35 107|7 19 1 3 1 5 27 61 31
7 21 1 1 5 11 19 41 61|7 28 1 3 5 3 3 13 69|7 31 1 1 7 13 1 19 1|7 32 1 3 7 5 13 19 59|7 37 1 1 3 9 25 29 41|7 41 1 3 5 13 23 1 55
7 42 1 3 7 3 13 59 17|7 50 1 3 1 3 5 53 69|7 55 1 1 5 5 23 33 13|7 56 1 1 7 7 1 61 123|7 59 1 1 7 9 13 61 49|7 62 1 3 3 5 3 55 33
8 14 1 3 1 15 31 13 49 245|8 21 1 3 5 15 31 59 63 97|8 22 1 3 1 11 11 11 77 249|8 38 1 3 1 11 27 43 71 9|8 47 1 1 7 15 21 11 81 45
8 49 1 3 7 3 25 31 65 79|8 50 1 3 1 1 19 11 3 205|8 52 1 1 5 9 19 21 29 157|8 56 1 3 7 11 1 33 89 185|8 67 1 3 3 3 15 9 79 71
8 70 1 3 7 11 15 39 119 27|8 84 1 1 3 1 11 31 97 225|8 97 1 1 1 3 23 43 57 177|8 103 1 3 7 7 17 17 37 71|8 115 1 3 1 5 27 63 123 213
8 122 1 1 3 5 11 43 53 133|9 8 1 3 5 5 29 17 47 173 479|9 13 1 3 3 11 3 1 109 9 69|9 16 1 1 1 5 17 39 23 5 343
9 22 1 3 1 5 25 15 31 103 499|9 25 1 1 1 11 11 17 63 105 183|9 44 1 1 5 11 9 29 97 231 363|9 47 1 1 5 15 19 45 41 7 383`
  .trim()
  .split(/[|\n]/);

/** Number of dimensions of the table. */
export const MOST_DIMENSIONS: number = DIRECTIONS.length + 1;

const BITS = 32;
const WHOLE = 2 ** BITS;

/**
 * Returns the first points of a dimension of the Sobol sequence, with all bits exclusive-or'ed with one random number of the
 * stream. The shift keeps the even spread of the sequence and makes its points depend on the seed.
 * @param dimension from 0
 */
export function sobolPoints(dimension: number, count: number, stream: Stream): readonly number[] {
  const directions = directionsOf(dimension);
  let bits = stream.below(WHOLE) >>> 0;
  return Array.from({ length: count }, (_, i) => {
    // The Gray codes of successive numbers differ in one bit.
    if (i > 0) bits = (bits ^ at(directions, 31 - Math.clz32(i & -i))) >>> 0;
    return bits / WHOLE;
  });
}

function directionsOf(dimension: number): readonly number[] {
  if (dimension === 0) return Array.from({ length: BITS }, (_, i) => 2 ** (BITS - 1 - i));
  const [degree = 0, coefficients = 0, ...initial] = at(DIRECTIONS, dimension - 1)
    .split(' ')
    .map(Number);
  const found = initial.map((m, i) => m * 2 ** (BITS - 1 - i));
  for (let i = degree; i < BITS; i++) {
    let direction = at(found, i - degree) ^ (at(found, i - degree) >>> degree);
    for (let k = 1; k < degree; k++) if ((coefficients >> (degree - 1 - k)) & 1) direction ^= at(found, i - k);
    found.push(direction >>> 0);
  }
  return found;
}
