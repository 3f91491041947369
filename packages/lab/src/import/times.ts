import { bad, good, isEmpty, isTypedTime, textOf, type ForeignCell, type Read } from './cell.js';
import { offsetOf, type Zone } from './zone.js';

/** The order of day, month and year in dates such as 03/04/2026. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const CLOCK = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?\s*([AaPp][Mm])?`;
const REST = String.raw`(?:(?:[Tt]|,?\s+)${CLOCK})?\s*(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${REST}$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${REST}$`);
const EPOCH = /^(-?\d{9,19})(?:\.(\d{1,9}))?$/;

/** Microseconds per unit of an epoch time, by the number of its digits: the first entry with more digits applies. */
const EPOCH_UNITS: readonly (readonly [digits: number, micros: number])[] = [
  [11, 1e6],
  [14, 1e3],
  [17, 1],
  [20, 1e-3],
];

const EXPECTED =
  'expected a time such as 2026-01-31T12:00:00Z, 2026-01-31 12:00:00, or seconds, milliseconds or microseconds since 1970';

export class TimeReader {
  withoutZone = 0;
  readonly #zone: Zone;
  readonly #order: DateOrder | null;

  constructor(zone: Zone, order: DateOrder | null) {
    this.#zone = zone;
    this.#order = order;
  }

  /**
   * Returns microseconds since 1970 in UTC.
   * @param cells date and time, or one cell with both
   */
  read(cells: readonly ForeignCell[]): Read<number> {
    const [first] = cells;
    if (cells.length === 1 && isTypedTime(first)) return first.isLocal ? this.#local(first.micros) : good(first.micros);
    if (cells.some(isEmpty)) return bad('is empty, expected a time');
    const text = cells.length === 1 ? textOf(first) : cells.map(datePart).join(' ');
    const epoch = EPOCH.exec(text);
    if (epoch) return epochTime(epoch[1] ?? '', epoch[2] ?? '');
    const yearFirst = YEAR_FIRST.exec(text);
    if (yearFirst) return this.#calendar(yearFirst[1], yearFirst[3], yearFirst[4], yearFirst.slice(5));
    const yearLast = YEAR_LAST.exec(text);
    if (!yearLast) return bad(EXPECTED);
    const [, a, sign, b, year, ...rest] = yearLast;
    const order = this.#order ?? (sign === '.' ? 'dmy' : null);
    if (order === null || order === 'ymd')
      return bad('does not say whether the day or the month is first; give dates: dmy or mdy');
    return order === 'dmy' ? this.#calendar(year, b, a, rest) : this.#calendar(year, a, b, rest);
  }

  #calendar(
    year: string | undefined,
    month: string | undefined,
    day: string | undefined,
    [hour = '0', minute = '0', second = '0', fraction = '', half, zone]: readonly (string | undefined)[],
  ): Read<number> {
    const [y, m, d] = [Number(year), Number(month), Number(day)];
    if (m < 1 || m > 12 || d < 1 || (d > 28 && d > new Date(Date.UTC(y, m, 0)).getUTCDate()))
      return bad('is no day of the calendar');
    const isHalf = half !== undefined;
    const h = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
    if (h > 23 || Number(minute) > 59 || Number(second) > 59 || (isHalf && (Number(hour) < 1 || Number(hour) > 12)))
      return bad('is no time of the day');
    const millis = Date.UTC(y, m - 1, d, h, Number(minute), Number(second));
    const micros = millis * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
    if (zone === undefined) return this.#local(micros);
    const offset = offsetOf(zone);
    return offset === null ? bad('has an unknown time zone') : good(micros - offset);
  }

  #local(micros: number): Read<number> {
    const utc = this.#zone(micros);
    if (utc === null) return bad('does not exist in the time zone: the clocks skipped it');
    this.withoutZone += 1;
    return good(utc);
  }
}

function datePart(cell: ForeignCell, place: number): string {
  if (!isTypedTime(cell)) return textOf(cell);
  const iso = new Date(cell.micros / 1000).toISOString();
  return place === 0 ? iso.slice(0, 10) : iso.slice(11, 23);
}

function epochTime(whole: string, fraction: string): Read<number> {
  const digits = whole.replace('-', '').length;
  const micros = EPOCH_UNITS.find(([most]) => digits < most)?.[1] ?? 1e-3;
  const scaled = BigInt(whole) * BigInt(Math.max(1, micros));
  const value = micros < 1 ? Number(BigInt(whole) / 1000n) : Number(scaled);
  const part = micros < 1 ? 0 : Math.trunc(Number(`0.${fraction === '' ? '0' : fraction}`) * micros);
  return good(value + part);
}
