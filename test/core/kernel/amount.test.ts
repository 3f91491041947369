import { Amount } from '@coinlab/core';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';

const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_EVEN });
const LARGEST = 10n ** 38n - 1n;

/** Any Decimal of the network; small ones and ties are as frequent as huge ones. */
const decimals = fc
  .oneof(
    fc.bigInt({ min: -LARGEST, max: LARGEST }),
    fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
    fc.bigInt({ min: -2000n, max: 2000n }).map((n) => n * 5_000_000_000n),
    fc.integer({ min: -30, max: 30 }).map(BigInt),
  )
  .map((units) => Amount.ofUnits(units));

const exact = (amount: Amount): Decimal => new Exact(Amount.format(amount));
const ten = (value: Decimal): string => value.toFixed(10, Decimal.ROUND_HALF_EVEN).replace(/^-(0\.0{10})$/, '$1');

describe('Amount.parse', () => {
  it.each([
    ['0', 0n],
    ['1', 10_000_000_000n],
    ['1.0', 10_000_000_000n],
    ['0.0000000001', 1n],
    ['-0.0000000001', -1n],
    ['-0', 0n],
    ['007.5', 75_000_000_000n],
    ['0000000000000000000000000001', 10_000_000_000n],
    ['9999999999999999999999999999.9999999999', LARGEST],
    ['-9999999999999999999999999999.9999999999', -LARGEST],
  ])('accepts the text %s', (text, units) => {
    expect(Amount.parse(text)).toEqual({ ok: true, value: units });
  });

  it.each([
    ['nothing', '', '""'],
    ['a sign alone', '-', '"-"'],
    ['a plus sign', '+1', '"+1"'],
    ['two signs', '--1', '"--1"'],
    ['no digit before the point', '.5', '".5"'],
    ['no digit after the point', '1.', '"1."'],
    ['eleven places', '0.00000000001', '"0.00000000001"'],
    ['29 digits before the point', '10000000000000000000000000000', '"10000000000000000000000000000"'],
    ['29 digits with a leading zero', '00000000000000000000000000001', '"00000000000000000000000000001"'],
    ['an exponent', '1e3', '"1e3"'],
    ['a separator', '1,000', '"1,000"'],
    ['space around it', ' 1', '" 1"'],
    ['a line break after it', '1\n', '"1\\n"'],
    ['digits of another script', '١', '"١"'],
    ['a hexadecimal number', '0x10', '"0x10"'],
    ['infinity', 'Infinity', '"Infinity"'],
    ['a JSON number', 1, '1'],
    ['a bigint', 1n, '1'],
    ['null', null, 'null'],
    ['nothing at all', undefined, 'undefined'],
    ['a list', ['1'], '["1"]'],
  ])('refuses %s, and describes the accepted form', (_, text, value) => {
    expect(Amount.parse(text, 'price')).toEqual({
      ok: false,
      error: { field: 'price', value, expected: expect.stringContaining('28 digits') },
    });
  });

  it('shortens a long bad value in its message', () => {
    const parsed = Amount.parse('9'.repeat(10_000));
    expect(parsed).toMatchObject({ ok: false, error: { field: 'amount' } });
    if (!parsed.ok) expect(parsed.error.value.length).toBeLessThanOrEqual(120);
  });

  it('returns an equal amount for the text that format returned', () => {
    fc.assert(
      fc.property(decimals, (amount) => {
        expect(Amount.format(amount)).toMatch(/^-?\d+\.\d{10}$/);
        expect(Amount.parse(Amount.format(amount))).toEqual({ ok: true, value: amount });
        expect(Amount.parse(Amount.short(amount))).toEqual({ ok: true, value: amount });
        expect(Amount.short(amount)).toMatch(/^-?\d+\.(\d|\d*[1-9])$/);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('arithmetic of amounts', () => {
  it('multiplies with one rounding to ten places, ties to even', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const product = exact(a).times(exact(b));
        fc.pre(product.abs().lessThan('1e28'));
        expect(Amount.format(Amount.mul(a, b))).toBe(ten(product));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('divides with one rounding to ten places, ties to even', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        fc.pre(b !== 0n);
        // Decimal.js rounds the quotient to its precision first; 120 digits leave no second rounding in a ten-place result.
        const quotient = exact(a).div(exact(b));
        fc.pre(quotient.abs().lessThan('1e28'));
        expect(Amount.format(Amount.div(a, b))).toBe(ten(quotient));
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ['0.0000000001', '0.5', '0.0'],
    ['0.0000000003', '0.5', '0.0000000002'],
    ['0.0000000005', '0.5', '0.0000000002'],
    ['0.0000000007', '0.5', '0.0000000004'],
    ['-0.0000000001', '0.5', '0.0'],
    ['-0.0000000003', '0.5', '-0.0000000002'],
    ['0.0000000001', '0.5000000001', '0.0000000001'],
    ['0.0000000003', '-0.5', '-0.0000000002'],
  ])('computes %s × %s = %s', (a, b, product) => {
    expect(Amount.short(Amount.mul(Amount.of(a), Amount.of(b)))).toBe(product);
  });

  it.each([
    ['1', '3', '0.3333333333'],
    ['2', '3', '0.6666666667'],
    ['1', '0.15', '6.6666666667'],
    ['0.0000000001', '2', '0.0'],
    ['0.0000000003', '2', '0.0000000002'],
    ['-1', '3', '-0.3333333333'],
    ['1', '-0.15', '-6.6666666667'],
  ])('computes %s ÷ %s = %s', (a, b, quotient) => {
    expect(Amount.short(Amount.div(Amount.of(a), Amount.of(b)))).toBe(quotient);
  });

  it('rounds a quotient up when asked to', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        fc.pre(b > 0n);
        const quotient = exact(a).div(exact(b));
        fc.pre(quotient.abs().lessThan('1e28'));
        const up = quotient.toFixed(10, Decimal.ROUND_CEIL).replace(/^-(0\.0{10})$/, '$1');
        expect(Amount.format(Amount.divUp(a, b))).toBe(up);
      }),
    );
  });

  it('rounds to whole numbers: down, up and to the nearest, ties to even', () => {
    fc.assert(
      fc.property(decimals, (amount) => {
        const value = exact(amount);
        const whole = (rounding: Decimal.Rounding): bigint => BigInt(value.toDecimalPlaces(0, rounding).toFixed(0));
        expect(Amount.floor(amount)).toBe(whole(Decimal.ROUND_FLOOR));
        expect(Amount.ceil(amount)).toBe(whole(Decimal.ROUND_CEIL));
        expect(Amount.round(amount)).toBe(whole(Decimal.ROUND_HALF_EVEN));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('adds, subtracts and multiplies by counts exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.integer({ min: 0, max: 1000 }), (a, b, count) => {
        expect(Amount.add(a, b)).toBe(a + b);
        expect(Amount.sub(Amount.add(a, b), b)).toBe(a);
        expect(Amount.sum([a, b, a])).toBe(a + b + a);
        expect(Amount.times(a, count)).toBe(a * BigInt(count));
        expect(Amount.min(a, b) + Amount.max2(a, b)).toBe(a + b);
      }),
    );
  });

  it('accepts 38 digits and not 39', () => {
    expect(Amount.max).toBe(LARGEST);
    expect(Amount.inRange(LARGEST)).toBe(true);
    expect(Amount.inRange(LARGEST + 1n)).toBe(false);
    expect(Amount.inRange(-LARGEST)).toBe(true);
    expect(Amount.inRange(-LARGEST - 1n)).toBe(false);
    expect(Amount.ofUnits(LARGEST)).toBe(LARGEST);
    expect(Amount.ofUnits(-LARGEST)).toBe(-LARGEST);
    expect(() => Amount.ofUnits(LARGEST + 1n)).toThrow('38 digits');
    expect(() => Amount.ofUnits(-LARGEST - 1n)).toThrow('38 digits');
    expect(() => Amount.div(Amount.one, Amount.zero)).toThrow(
      'Amount.div(b): got 0, expected a divisor other than zero',
    );
    expect(() => Amount.divUp(Amount.one, Amount.zero)).toThrow('expected a divisor above zero');
    expect(() => Amount.divUp(Amount.one, Amount.ofUnits(-1n))).toThrow('expected a divisor above zero');
    expect(() => Amount.of('1.5 CC')).toThrow('1.5 CC');
  });
});
