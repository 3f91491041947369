import { bigOf, exactNumber } from '@coinlab/collections';
import type { Brand } from './brand.js';
import { orThrow, requireArgument } from './assert.js';
import { malformed, type Malformed } from './malformed.js';
import { ok, type Result } from './result.js';

// Casts: this file makes times, spans and rounds, from values that it has just checked or computed.

/** A point of ledger time: microseconds since 1970-01-01T00:00:00Z, year 1 to 9999. Source: specification §2.1. */
export type Instant = Brand<bigint, 'Instant'>;

/** A span of time in microseconds (the network's RelTime). Source: specification §2.1. */
export type Duration = Brand<bigint, 'Duration'>;

/** Number of a mining round, from 0. Source: specification §6. */
export type Round = Brand<number, 'Round'>;

const EARLIEST = -62_135_596_800_000_000n;
const LATEST = 253_402_300_799_999_999n;
const LONGEST = 10n ** 18n - 1n;
/** Only checks the form. Reading the digits at their places takes a third of the time of reading its groups. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;
const DAY_SECONDS = 86_400;
const [FRACTION_AT, FRACTION_DIGITS] = [20, 6];
const ZERO = 0x30;
const SPAN = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

export const Instant = {
  earliest: EARLIEST as Instant,
  latest: LATEST as Instant,

  /**
   * Returns the instant of a count of microseconds since 1970-01-01T00:00:00Z. Throws a TypeError or a RangeError
   * unless the count is a bigint in the years 1 to 9999.
   */
  ofMicros(micros: bigint): Instant {
    const fits = typeof micros === 'bigint' && Instant.inRange(micros);
    requireArgument(fits, 'Instant.ofMicros(micros)', micros, 'bigint', 'a bigint in the years 1 to 9999');
    return micros;
  },

  /** Returns whether a count of microseconds since 1970 lies in the years 1 to 9999. */
  inRange(micros: bigint): micros is Instant {
    return micros >= EARLIEST && micros <= LATEST;
  },

  /** Reads RFC 3339 in UTC with at most six fraction digits: `2026-04-28T14:12:22.491706Z`. */
  parse(text: unknown, field: string = 'time'): Result<Instant, Malformed> {
    const expected = 'a UTC time like 2026-04-28T14:12:22.491706Z, year 0001 to 9999';
    if (typeof text !== 'string' || !ISO.test(text)) return malformed(field, text, expected);
    const year = 100 * pairAt(text, 0) + pairAt(text, 2);
    const month = pairAt(text, 5);
    const day = pairAt(text, 8);
    const hour = pairAt(text, 11);
    const minute = pairAt(text, 14);
    const second = pairAt(text, 17);
    const instant = instantOfParts(year, month, day, hour, minute, second, fractionOf(text));
    return instant === null ? malformed(field, text, expected) : ok(instant);
  },

  /** Reads a UTC time written in a program: `2026-01-01T00:00:00Z`. Throws a TypeError for any other value, Dates included. */
  of(text: string): Instant {
    return orThrow(Instant.parse(text, 'Instant.of(text)'), "Instant.of('2026-01-01T00:00:00Z')");
  },

  /** Returns the time in RFC 3339, UTC, with six fraction digits. */
  format(instant: Instant): string {
    const exact = exactNumber(instant);
    const isExact = Number.isFinite(exact);
    // Divided as a double, for the reason of `millisOf` in ids.ts.
    let seconds = isExact ? Math.floor(exact / 1e6) : Number(instant / 1_000_000n);
    let micros = isExact ? exact - seconds * 1e6 : Number(instant % 1_000_000n);
    if (micros < 0) {
      micros += 1_000_000;
      seconds -= 1;
    }
    // Not by `toISOString`, which takes three times as long.
    // oxlint-disable-next-line no-restricted-globals -- of a given time: reads no clock
    const at = new Date(seconds * 1000);
    const day = `${String(at.getUTCFullYear()).padStart(4, '0')}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
    const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
    return `${day}T${clock}.${String(micros).padStart(6, '0')}Z`;
  },

  /** Returns the instant a span later (earlier for a negative span), clamped to the range. */
  plus(instant: Instant, span: Duration): Instant {
    if (typeof span !== 'bigint') orThrow(malformed('Instant.plus(_, span)', span, 'a Duration'), "Duration.of('1h')");
    const moved = instant + span;
    return (moved > LATEST ? LATEST : moved < EARLIEST ? EARLIEST : moved) as Instant;
  },

  between(earlier: Instant, later: Instant): Duration {
    return (later - earlier) as Duration;
  },

  later(a: Instant, b: Instant): Instant {
    return a > b ? a : b;
  },
};

export const Duration = {
  /** The longest representable span: 18 digits, longer than the years 1 to 9999. */
  longest: LONGEST as Duration,

  ofMicros(micros: bigint): Duration {
    const expected = "a bigint; Duration.of('1h') reads a text";
    requireArgument(typeof micros === 'bigint', 'Duration.ofMicros(micros)', micros, 'bigint', expected);
    return micros as Duration;
  },

  /** Returns whether a count of microseconds has at most 18 digits. */
  inRange(micros: bigint): micros is Duration {
    return micros <= LONGEST && micros >= -LONGEST;
  },

  /** Returns a span of whole seconds. Throws a TypeError or a RangeError for any other value, as `minutes`, `hours` and `days` do. */
  seconds(seconds: number): Duration {
    return ofSeconds(seconds, 1, 'Duration.seconds(seconds)');
  },

  minutes(minutes: number): Duration {
    return ofSeconds(minutes, 60, 'Duration.minutes(minutes)');
  },

  hours(hours: number): Duration {
    return ofSeconds(hours, 3600, 'Duration.hours(hours)');
  },

  /** Returns a span of whole days of 24 hours. */
  days(days: number): Duration {
    return ofSeconds(days, 86_400, 'Duration.days(days)');
  },

  times(span: Duration, count: number | bigint): Duration {
    return (span * BigInt(count)) as Duration;
  },

  /**
   * Reads a span of days, hours, minutes and seconds in this order: `90s`, `1h`, `2d12h`. Returns a duration
   * unchanged. Throws a TypeError for any other value.
   */
  of(span: string | Duration): Duration {
    return typeof span === 'bigint' ? span : orThrow(readSpan(span));
  },

  /** Reads a count of microseconds as text, as the network writes a RelTime. */
  parse(text: unknown, field: string = 'duration'): Result<Duration, Malformed> {
    if (typeof text !== 'string' || !/^-?\d{1,18}$/.test(text))
      return malformed(field, text, 'microseconds as a text of at most 18 digits');
    return ok(BigInt(text) as Duration);
  },

  format(span: Duration): string {
    return span.toString();
  },
};

export const Round = {
  /** Returns a whole number as a round. Throws a TypeError or a RangeError for any other value. */
  of(number: number): Round {
    const fits = Number.isSafeInteger(number) && number >= 0;
    requireArgument(fits, 'Round.of(number)', number, 'number', 'a round number: a whole number from 0');
    return number as Round;
  },

  /** Reads a JSON number or a text of digits. */
  parse(value: unknown, field: string = 'round'): Result<Round, Malformed> {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
      return malformed(field, value, 'a round number: a whole number from 0');
    }
    return ok(number as Round);
  },

  plus(round: Round, count: number): Round {
    return (round + count) as Round;
  },
};

/** Returns null if the calendar has no such date or the day no such time. */
export function instantOfParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  micros: number,
): Instant | null {
  const valid =
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!valid) return null;
  const seconds = daysSinceEpoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
  const total = seconds * 1_000_000 + micros;
  return (Number.isSafeInteger(total) ? bigOf(total) : BigInt(seconds) * 1_000_000n + BigInt(micros)) as Instant;
}

function ofSeconds(count: number, unit: number, argument: string): Duration {
  const fits = typeof count === 'number' && Number.isInteger(count * unit);
  requireArgument(fits, argument, count, 'number', "a number of whole seconds; Duration.of('1h30m') reads a text");
  return (BigInt(count * unit) * 1_000_000n) as Duration;
}

function readSpan(text: string): Result<Duration, Malformed> {
  const match = typeof text === 'string' && text !== '' ? SPAN.exec(text) : null;
  if (!match) return malformed('duration', text, 'a span such as 90s, 10m, 1h30m or 2d');
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((digits) => Number(digits ?? 0));
  return ok(Duration.seconds(days * 86_400 + hours * 3600 + minutes * 60 + seconds));
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - ZERO;
}

function pairAt(text: string, at: number): number {
  return 10 * digitAt(text, at) + digitAt(text, at + 1);
}

/** Microseconds: missing places are zeros. */
function fractionOf(text: string): number {
  const end = text.length - 1;
  let micros = 0;
  for (let at = FRACTION_AT; at < FRACTION_AT + FRACTION_DIGITS; at++)
    micros = 10 * micros + (at < end ? digitAt(text, at) : 0);
  return micros;
}

function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`;
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

// Proleptic Gregorian calendar with years that start in March, so that a leap day is the last day of its year.
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
