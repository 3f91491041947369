import fc from 'fast-check';
import { Amount, Instant, Duration, genesisConfig } from '@coinlab/core';
import { GENESIS_PRICE } from '@coinlab/core/rules';

/** The range of generated amounts. */
export interface AmountRange {
  /** Smallest amount, inclusive. Default: 10⁻¹⁰. */
  readonly least?: Amount;
  /** Largest amount, inclusive. Default: the largest Decimal. */
  readonly most?: Amount;
  /** The holding fee per round in coin; default: the fee at the genesis price. */
  readonly holdingFee?: Amount;
}

const GENESIS_FEE: Amount = Amount.div(genesisConfig('feeless').transferConfigUsd.holdingFee, GENESIS_PRICE);
// 2⁵³ units, the edge of exact doubles: a double cannot represent the next larger count.
const EXACT_IN_DOUBLES = 2n ** 53n;
const ORDINARY = Amount.ofWhole(1_000);

/**
 * Returns an arbitrary of coin amounts. Half of them are edges: 10⁻¹⁰ and its neighbours, exact multiples of
 * the holding fee (where a coin becomes dust) and their neighbours, the limit of exact doubles, the largest
 * amount. Failing amounts shrink to the smallest ordinary amount that still fails.
 */
export function amountArb({
  least = Amount.unit,
  most = Amount.max,
  holdingFee = GENESIS_FEE,
}: AmountRange = {}): fc.Arbitrary<Amount> {
  const within = (units: bigint): Amount => Amount.ofUnits(units < least ? least : units > most ? most : units);
  const offset = fc.constantFrom(0n, 0n, 1n, -1n);
  const ordinary = fc.bigInt({ min: least, max: Amount.max2(least, Amount.min(most, ORDINARY)) });
  const smallest = fc.constantFrom(0n, 1n, 2n).map((more) => least + more);
  const dusty = fc.tuple(fc.bigInt({ min: 1n, max: 200n }), offset).map(([n, off]) => holdingFee * n + off);
  const large = fc.tuple(fc.bigInt({ min: 0n, max: 12n }), offset).map(([n, off]) => EXACT_IN_DOUBLES * 2n ** n + off);
  const largest = fc.constantFrom(0n, 1n).map((less) => most - less);
  return fc
    .oneof(
      { withCrossShrink: true },
      { arbitrary: ordinary, weight: 4 },
      { arbitrary: smallest, weight: 1 },
      { arbitrary: dusty, weight: 1 },
      { arbitrary: large, weight: 1 },
      { arbitrary: largest, weight: 1 },
    )
    .map(within);
}

/**
 * Returns an arbitrary of positive amounts around a total: the total, the total plus or minus one unit, a
 * part of the total, or one unit.
 */
export function amountFromArb(available: Amount): fc.Arbitrary<Amount> {
  const part = fc.bigInt({ min: 1n, max: available < 1n ? 1n : available });
  const edges = fc.constantFrom(available, available + 1n, available - 1n, 1n);
  return fc.oneof({ withCrossShrink: true }, part, edges).map((units) => Amount.ofUnits(units < 1n ? 1n : units));
}

/**
 * Returns an arbitrary of times around a deadline: seconds to hours before it, one microsecond before it,
 * exactly at it, one microsecond after it, or long after it. Each case has the same probability. Failing
 * times shrink towards the deadline.
 */
export function timeAroundArb(deadline: Instant): fc.Arbitrary<Instant> {
  const far = fc.integer({ min: 1, max: 7_200 }).map((seconds) => Duration.seconds(seconds));
  const near = fc.constantFrom(0n, -1n, 1n);
  const shifted = fc.oneof(
    { withCrossShrink: true },
    { arbitrary: near, weight: 3 },
    { arbitrary: far.map((span) => -span), weight: 1 },
    { arbitrary: far, weight: 1 },
  );
  return shifted.map((micros) => Instant.plus(deadline, Duration.ofMicros(micros)));
}
