/*
 * The arithmetic of the specification, implemented a second time on plain bigints of 10⁻¹⁰, so that the auditor shares
 * no rule with the ledger.
 */

const ONE: bigint = 10_000_000_000n;
const LARGEST: bigint = 10n ** 38n - 1n;
const MICROS_PER_DAY = 86_400_000_000n;

/** Source: specification §2.1. */
export function times(a: bigint, b: bigint): bigint {
  return halfEven(a * b, ONE);
}

/** Source: specification §2.1. */
export function over(a: bigint, b: bigint): bigint {
  return halfEven(a * ONE, b);
}

export function whole(count: bigint | number): bigint {
  return BigInt(count) * ONE;
}

/** Source: specification §2.1. */
export function inDays(micros: bigint): bigint {
  return halfEven(micros * ONE, MICROS_PER_DAY);
}

export function fits(value: bigint): boolean {
  return value <= LARGEST && value >= -LARGEST;
}

export function ceiling(value: bigint): bigint {
  return value / ONE + (value % ONE > 0n ? 1n : 0n);
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const down = numerator / denominator;
  const rest = numerator - down * denominator;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const size = denominator < 0n ? -denominator : denominator;
  if (twice < size || (twice === size && down % 2n === 0n)) return down;
  return numerator < 0n === denominator < 0n ? down + 1n : down - 1n;
}
