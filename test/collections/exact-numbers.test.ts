import { bigOf, exactNumber } from '@coinlab/collections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../chance.ts';

const LIMIT = 2n ** 53n;
const EDGES = [0n, 2n ** 31n, 2n ** 32n, LIMIT, 2n ** 64n].flatMap((edge) => [edge - 1n, edge, edge + 1n]);

it('makes the big integers that BigInt makes, and throws for numbers that are not whole', () => {
  for (const number of [-1, -0, 2 ** 53, -(2 ** 60), 1e300, 2 ** 32 - 1, 2 ** 32])
    expect(bigOf(number)).toBe(BigInt(number));
  for (const number of [0.5, -0.5, 2 ** 51 + 0.5, 1e-300, NaN, Infinity, -Infinity])
    expect(() => bigOf(number), String(number)).toThrow(RangeError);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      if (Number.isInteger(number)) expect(bigOf(number)).toBe(BigInt(number));
      else expect(() => bigOf(number)).toThrow(RangeError);
    }),
    { numRuns: runs(1_000) },
  );
});

it('converts whole numbers below 2⁵³ exactly, and no others', () => {
  const value = fc.oneof(
    fc.constantFrom(...EDGES),
    fc.maxSafeInteger().map(BigInt),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  );
  fc.assert(
    fc.property(value, (big) => {
      const number = exactNumber(big);
      if (big < 0n) expect(number).toBe(-Infinity);
      else if (big >= LIMIT) expect(number).toBe(Infinity);
      else {
        expect(number).toBe(Number(big));
        expect(bigOf(number)).toBe(big);
      }
    }),
    { numRuns: runs(2_000) },
  );
});
