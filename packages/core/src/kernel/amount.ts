import { bigOf } from '@coinlab/collections';
import type { Brand } from './brand.js';
import { orThrow, requireArgument } from './assert.js';
import { malformed, type Malformed } from './malformed.js';
import { ok, type Result } from './result.js';

// Casts: this file makes amounts. Sums and products of amounts are amounts; callers check the range where it can be left.

/**
 * A Decimal of the network: an integer count of 10⁻¹⁰ units, at most 38 digits.
 * Holds coin, USD, prices, rates and ratios alike; multiplication and division round each result to ten places.
 * Source: specification §2.1.
 */
export type Amount = Brand<bigint, 'Amount'>;

const ONE = 10_000_000_000n;
const UNITS = Number(ONE);
const HALF = ONE / 2n;
const LARGEST = 10n ** 38n - 1n;
const LEAST = -LARGEST;
const EXPECTED = "an Amount, such as Amount.of('2.5')";
const PLACES = 10;
const DECIMAL_TEXT = /^-?\d{1,28}(?:\.\d{1,10})?$/;

/** Exact arithmetic on {@link Amount}; every function that can lose a digit names its rounding. */
export const Amount = {
  zero: 0n as Amount,
  one: ONE as Amount,
  /** The smallest positive amount, 10⁻¹⁰. */
  unit: 1n as Amount,
  /** The largest Decimal, 38 nines. */
  max: LARGEST as Amount,

  /** Returns a count of 10⁻¹⁰ units as an amount. Throws a TypeError or a RangeError unless it is a bigint of at most 38 digits. */
  ofUnits(units: bigint): Amount {
    const fits = typeof units === 'bigint' && Amount.inRange(units);
    requireArgument(
      fits,
      'Amount.ofUnits(units)',
      units,
      'bigint',
      'a bigint of at most 38 digits, such as 25_000_000_000n',
    );
    return units;
  },

  /** Returns a whole number of coins (or dollars, or pieces) as an amount. Throws a TypeError or a RangeError for any other value. */
  ofWhole(whole: number | bigint): Amount {
    const fits = typeof whole === 'bigint' || Number.isInteger(whole);
    requireArgument(fits, 'Amount.ofWhole(whole)', whole, 'number', "a whole number; Amount.of('2.5') reads fractions");
    return Amount.ofUnits(BigInt(whole) * ONE);
  },

  /**
   * Reads a decimal text: optional sign, 1 to 28 digits, up to ten places.
   * @returns the amount, or the field, the value and what was expected
   */
  parse(text: unknown, field: string = 'amount'): Result<Amount, Malformed> {
    if (typeof text !== 'string' || !DECIMAL_TEXT.test(text))
      return malformed(field, text, 'a decimal text with at most 28 digits before and 10 after the point');
    const point = text.indexOf('.');
    const whole = point < 0 ? text : text.slice(0, point);
    const fraction = point < 0 ? '' : text.slice(point + 1);
    return ok(BigInt(whole + fraction.padEnd(PLACES, '0')) as Amount);
  },

  /** Reads a decimal text written in a program: `2.5`. Throws a TypeError for any other value, numbers included. */
  of(text: string): Amount {
    return orThrow(Amount.parse(text, 'Amount.of(text)'), "Amount.of('2.5')");
  },

  /** Returns the amount as text with exactly ten places: `100.0000000000`. */
  format(amount: Amount): string {
    requireAmount('format(amount)', amount);
    const text = (amount < 0n ? -amount : amount).toString();
    const sign = amount < 0n ? '-' : '';
    if (text.length <= 10) return `${sign}0.${text.padStart(10, '0')}`;
    return `${sign}${text.slice(0, -10)}.${text.slice(-10)}`;
  },

  /** Returns the amount as text with at least one decimal place and no further trailing zeros: `100.0`. */
  short(amount: Amount): string {
    return Amount.format(amount).replace(/(\.\d+?)0+$/, '$1');
  },

  /** Returns whether a count of units has at most 38 digits. */
  inRange(units: bigint): units is Amount {
    return units <= LARGEST && units >= LEAST;
  },

  add(a: Amount, b: Amount): Amount {
    requireAmount('add(a)', a);
    requireAmount('add(b)', b);
    return (a + b) as Amount;
  },

  sub(a: Amount, b: Amount): Amount {
    requireAmount('sub(a)', a);
    requireAmount('sub(b)', b);
    return (a - b) as Amount;
  },

  sum(amounts: Iterable<Amount>): Amount {
    let total = 0n;
    for (const amount of amounts) {
      requireAmount('sum(amounts)', amount);
      total += amount;
    }
    return total as Amount;
  },

  /** Returns the exact product with a whole number. Throws a RangeError for a fraction. */
  times(a: Amount, count: number | bigint): Amount {
    requireAmount('times(a)', a);
    if (typeof count !== 'bigint')
      requireArgument(Number.isInteger(count), 'Amount.times(count)', count, 'number', 'a whole number');
    return (a * BigInt(count)) as Amount;
  },

  /** Returns the product, rounded to ten places, ties to even (HALF_EVEN). */
  mul(a: Amount, b: Amount): Amount {
    requireAmount('mul(a)', a);
    requireAmount('mul(b)', b);
    return halfEven(a * b, ONE) as Amount;
  },

  /** Returns the quotient, rounded to ten places, ties to even (HALF_EVEN). Throws a RangeError if the divisor is zero. */
  div(a: Amount, b: Amount): Amount {
    requireAmount('div(a)', a);
    requireAmount('div(b)', b);
    requireArgument(b !== 0n, 'Amount.div(b)', b, 'bigint', 'a divisor other than zero');
    return halfEven(a * ONE, b) as Amount;
  },

  /** Returns the quotient, rounded up to ten places (towards +∞), as taps need it (§8.3). Throws a RangeError unless the divisor is positive. */
  divUp(a: Amount, b: Amount): Amount {
    requireAmount('divUp(a)', a);
    requireAmount('divUp(b)', b);
    requireArgument(b > 0n, 'Amount.divUp(b)', b, 'bigint', 'a divisor above zero');
    return ceiling(a * ONE, b) as Amount;
  },

  min(a: Amount, b: Amount): Amount {
    requireAmount('min(a)', a);
    requireAmount('min(b)', b);
    return a < b ? a : b;
  },

  max2(a: Amount, b: Amount): Amount {
    requireAmount('max2(a)', a);
    requireAmount('max2(b)', b);
    return a > b ? a : b;
  },

  floor(amount: Amount): bigint {
    requireAmount('floor(amount)', amount);
    return -ceiling(-amount, ONE);
  },

  ceil(amount: Amount): bigint {
    requireAmount('ceil(amount)', amount);
    return ceiling(amount, ONE);
  },

  /** Returns the nearest whole number, ties to even. */
  round(amount: Amount): bigint {
    requireAmount('round(amount)', amount);
    return halfEven(amount, ONE);
  },
};

/** @param fraction in units; both are whole and below 10¹⁵ */
export function amountOfParts(whole: number, fraction: number): Amount {
  const units = whole * UNITS + fraction;
  return (Number.isSafeInteger(units) ? bigOf(units) : BigInt(whole) * ONE + BigInt(fraction)) as Amount;
}

/** Plain JavaScript may pass other types: a text would be joined, and a number cannot be mixed with a bigint. */
function requireAmount(argument: string, amount: Amount): void {
  // The name is built for faults only: additions are frequent.
  if (typeof amount !== 'bigint') requireArgument(false, `Amount.${argument}`, amount, null, EXPECTED);
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator === ONE && numerator >= 0n) {
    // The common case of `mul`: one division and no sign to handle.
    const quotient = numerator / ONE;
    const rest = numerator - quotient * ONE;
    if (rest < HALF) return quotient;
    return rest > HALF || (quotient & 1n) === 1n ? quotient + 1n : quotient;
  }
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  let quotient = n / d;
  const twice = (n - quotient * d) * 2n;
  if (twice > d || (twice === d && (quotient & 1n) === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}

function ceiling(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator > quotient * denominator ? quotient + 1n : quotient;
}
