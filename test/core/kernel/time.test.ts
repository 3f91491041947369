import { Duration, Instant, Round } from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';

const instants = fc
  .oneof(
    fc.bigInt({ min: Instant.earliest, max: Instant.latest }),
    // Days around the turns of months, years and centuries: where calendars go wrong.
    fc
      .tuple(fc.integer({ min: 2, max: 9998 }), fc.constantFrom(0, 1, 2, 11), fc.integer({ min: -1, max: 1 }))
      .map(([year, month, day]) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month, 1 + day);
        return BigInt(date.getTime()) * 1000n;
      }),
  )
  .map((micros) => Instant.ofMicros(micros));

describe('an instant', () => {
  it('is written as the proleptic Gregorian calendar gives it, over the years 1 to 9999', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const micros = ((instant % 1_000_000n) + 1_000_000n) % 1_000_000n;
        const seconds = Number((instant - micros) / 1_000_000n);
        const oracle = new Date(seconds * 1000).toISOString().replace('.000Z', '');
        expect(Instant.format(instant)).toBe(`${oracle}.${String(micros).padStart(6, '0')}Z`);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('is equal after it is written as text and read back', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(Instant.parse(Instant.format(instant))).toEqual({ ok: true, value: instant });
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    ['0001-01-01T00:00:00Z', Instant.earliest],
    ['9999-12-31T23:59:59.999999Z', Instant.latest],
    ['1970-01-01T00:00:00Z', 0n],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['2000-02-29T12:00:00.5Z', 951_825_600_500_000n],
    ['2026-04-28T14:12:22.491706Z', 1_777_385_542_491_706n],
  ])('is read from the text %s', (text, micros) => {
    expect(Instant.parse(text)).toEqual({ ok: true, value: micros });
    expect(Instant.format(Instant.ofMicros(micros)).slice(0, 19)).toBe(text.slice(0, 19));
  });

  it.each([
    ['year 0', '0000-12-31T23:59:59Z'],
    ['a year of five digits', '10000-01-01T00:00:00Z'],
    ['a negative year', '-0001-01-01T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['day 31 of April', '2026-04-31T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of 1900', '1900-02-29T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second', '2026-06-30T23:59:60Z'],
    ['seven fraction digits', '2026-01-01T00:00:00.0000001Z'],
    ['an empty fraction', '2026-01-01T00:00:00.Z'],
    ['no zone', '2026-01-01T00:00:00'],
    ['another zone', '2026-01-01T00:00:00+01:00'],
    ['a small z', '2026-01-01T00:00:00z'],
    ['a space for the T', '2026-01-01 00:00:00Z'],
    ['a date alone', '2026-01-01'],
    ['a line break after it', '2026-01-01T00:00:00Z\n'],
    ['nothing', ''],
    ['a number', 1_767_225_600],
    ['a list of one time', ['2026-01-01T00:00:00Z']],
    ['null', null],
  ])('is not read from a text with %s', (_, value) => {
    expect(Instant.parse(value, 'executeBefore')).toEqual({
      ok: false,
      error: { field: 'executeBefore', value: JSON.stringify(value), expected: expect.stringContaining('UTC') },
    });
  });

  it('moves by spans and stays between the years 1 and 9999', () => {
    const start = Instant.of('2026-01-01T00:00:00Z');
    expect(Instant.format(Instant.plus(start, Duration.days(31)))).toBe('2026-02-01T00:00:00.000000Z');
    expect(Instant.format(Instant.plus(start, Duration.seconds(-1)))).toBe('2025-12-31T23:59:59.000000Z');
    expect(Instant.plus(start, Duration.ofMicros(10n ** 30n))).toBe(Instant.latest);
    expect(Instant.plus(start, Duration.ofMicros(-(10n ** 30n)))).toBe(Instant.earliest);
    expect(Instant.between(start, Instant.plus(start, Duration.hours(7)))).toBe(Duration.minutes(420));
    for (const end of [Instant.earliest, Instant.latest]) expect(Instant.ofMicros(end)).toBe(end);
    expect(() => Instant.ofMicros(Instant.latest + 1n)).toThrow('years 1 to 9999');
    expect(() => Instant.ofMicros(Instant.earliest - 1n)).toThrow('years 1 to 9999');
    expect(() => Instant.of('tomorrow')).toThrow('tomorrow');
  });
});

describe('a duration', () => {
  it('is equal after it is written as microseconds and read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n - 1n), max: 10n ** 18n - 1n }), (micros) => {
        const span = Duration.ofMicros(micros);
        expect(Duration.parse(Duration.format(span))).toEqual({ ok: true, value: span });
      }),
    );
  });

  it.each([['1.5'], ['10 s'], [''], ['-'], ['1'.repeat(19)], [600], [null]])(
    'is not read from the value %j',
    (value) => {
      expect(Duration.parse(value, 'tickDuration')).toMatchObject({
        ok: false,
        error: {
          field: 'tickDuration',
          value: JSON.stringify(value),
          expected: expect.stringContaining('microseconds'),
        },
      });
    },
  );

  it.each([
    ['90s', 90],
    ['10m', 600],
    ['1h', 3600],
    ['2d', 172_800],
    ['1h30m', 5400],
    ['1d2h3m4s', 93_784],
    ['0s', 0],
    ['999999999d', 86_399_999_913_600],
  ])('%s is %d seconds', (text, seconds) => {
    expect(Duration.of(text)).toBe(Duration.seconds(seconds));
    expect(Duration.of(Duration.seconds(seconds))).toBe(Duration.seconds(seconds));
  });

  it.each([[''], ['1'], ['h'], ['1.5h'], ['-1h'], ['1 h'], ['30m1h'], ['1h1h'], ['1w'], ['1H'], ['1h\n']])(
    'refuses %j as a span',
    (text) => {
      expect(() => Duration.of(text)).toThrow(TypeError);
      expect(() => Duration.of(text)).toThrow(`duration: got ${JSON.stringify(text)}, expected a span such as 90s`);
    },
  );
});

describe('a round', () => {
  it.each([
    [0, 0],
    ['0', 0],
    ['42', 42],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('is parsed from %j', (value, round) => {
    expect(Round.parse(value)).toEqual({ ok: true, value: round });
  });

  it.each([
    [-1],
    [1.5],
    [Number.MAX_SAFE_INTEGER + 1],
    ['9007199254740992'],
    ['-1'],
    ['1.0'],
    [''],
    [['1']],
    [Number.NaN],
    [null],
  ])('%j is refused', (value) => {
    expect(Round.parse(value, 'initialRound')).toMatchObject({
      ok: false,
      error: { field: 'initialRound', expected: expect.stringContaining('whole number') },
    });
  });

  it('that a program creates is a whole number from 0', () => {
    expect(Round.plus(Round.of(7), 2)).toBe(9);
    expect(() => Round.of(-1)).toThrow('round number');
    expect(() => Round.of(0.5)).toThrow('round number');
  });
});
