import { Amount } from '@coinlab/core';
import { bad, good, isEmpty, textOf, type ForeignCell, type Read } from './cell.js';

/** `digits` × 10^-`places`. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** The sign between whole and fractional part. */
export type DecimalSign = 'point' | 'comma';

const LEDGER_PLACES = 10;
const MOST_DIGITS = 60;

const GROUPING = " \u00a0\u202f'’_";
const EXPECTED = {
  point: 'expected a number such as 1,234.56',
  comma: 'expected a number such as 1.234,56',
} as const;

const NUMBER = {
  point: number(',', '.'),
  comma: number('.', ','),
} as const;

function number(group: string, mark: string): RegExp {
  const grouping = `[${group}${GROUPING}]`;
  const whole = `(?:\\d{1,3}(?:${grouping}\\d{3})+|\\d+)`;
  const unit = '(\\p{Sc}|[A-Z]{2,5})?';
  return new RegExp(
    `^${unit}\\s*([+-]?)\\s*(${whole}|(?=[${mark}]))(?:[${mark}](\\d*))?(?:[eE]([+-]?\\d{1,3}))?\\s*${unit}$`,
    'u',
  );
}

export function decimalOf(text: string): Decimal | null {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  return whole === undefined ? null : { digits: BigInt(whole + fraction), places: fraction.length };
}

/** Reads amounts to ten places; further digits are rounded half-even. */
export class AmountReader {
  rounded = 0;
  currency: string | null = null;
  readonly #unit: Decimal;
  readonly #sign: DecimalSign;

  constructor(unit: Decimal, sign: DecimalSign) {
    this.#unit = unit;
    this.#sign = sign;
  }

  read(cell: ForeignCell): Read<Amount> {
    if (isEmpty(cell)) return bad('is empty, expected an amount');
    if (typeof cell === 'number' && !(Number.isFinite(cell) && Math.abs(cell) <= Number.MAX_SAFE_INTEGER))
      return bad('is a number beyond 2^53, which is not exact; write it as text');
    const [, before, minus, whole = '', fraction = '', exponent = '0', after] =
      NUMBER[this.#sign].exec(textOf(cell)) ?? [];
    if (minus === undefined || whole + fraction === '') return bad(this.#expectation(textOf(cell)));
    const currency = before ?? after;
    if (currency !== undefined) {
      this.currency ??= currency;
      if (currency !== this.currency) return bad(`has another unit than the rows before (${this.currency})`);
    }
    const text = whole.replaceAll(/\D/g, '') + fraction;
    if (text.length > MOST_DIGITS) return bad('has more than 60 digits');
    const places = fraction.length - Number(exponent) + this.#unit.places - LEDGER_PLACES;
    if (places > 2 * MOST_DIGITS || places < -MOST_DIGITS) return bad('has an exponent out of range');
    const digits = BigInt(text) * this.#unit.digits;
    const isWhole = places <= 0;
    const units = isWhole ? digits * 10n ** BigInt(-places) : halfEven(digits, 10n ** BigInt(places));
    if (!Amount.inRange(units)) return bad('exceeds 38 digits of coin');
    if (units === 0n) return bad(digits === 0n ? 'is zero, expected an amount' : 'is less than 0.0000000001 coin');
    if (!isWhole && units * 10n ** BigInt(places) !== digits) this.rounded += 1;
    return good(Amount.ofUnits(minus === '-' ? -units : units));
  }

  #expectation(text: string): string {
    const other = this.#sign === 'point' ? 'comma' : 'point';
    const hint = NUMBER[other].test(text) ? `; with --decimal ${other} it is a number` : '';
    return `${EXPECTED[this.#sign]}${hint}`;
  }
}

function halfEven(digits: bigint, divisor: bigint): bigint {
  const [quotient, twice] = [digits / divisor, (digits % divisor) * 2n];
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
