/** Units of a coin or of a dollar. */
export const SCALE: bigint = 10n ** 10n;

/** Rounds a quotient to the nearest integer, ties to even. */
export function rounded(above: bigint, below: bigint): bigint {
  const quotient = above / below;
  const rest = 2n * (above - quotient * below);
  return rest > below || (rest === below && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
