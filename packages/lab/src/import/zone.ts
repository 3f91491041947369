const DAY = 86_400_000_000;
const QUARTER_HOUR = 900_000_000;

export type Zone = (local: number) => number | null;

/**
 * `UTC`, an offset such as `+02:00`, or a name of the IANA database such as `Europe/Berlin`. A zone converts microseconds of
 * local time to UTC; a time that occurs twice is the earlier one, and a skipped one is null.
 */
export function zoneOf(name: string): Zone | null {
  const offset = offsetOf(name);
  if (offset !== null) return (local) => local - offset;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const offsetAt = (utc: number): number => wallTime(format, utc) - Math.floor(utc / 1e6) * 1e6;
  const known = new Map<number, number | null>();
  return (local) => {
    // Zones change their offset at a quarter of an hour.
    const quarter = Math.floor(local / QUARTER_HOUR) * QUARTER_HOUR;
    let found = known.get(quarter);
    if (found === undefined) {
      const possible = [offsetAt(quarter - DAY), offsetAt(quarter + DAY)];
      found = possible.find((candidate) => offsetAt(quarter - candidate) === candidate) ?? null;
      known.set(quarter, found);
    }
    return found === null ? null : local - found;
  };
}

export function offsetOf(text: string): number | null {
  if (/^(z|utc|gmt)$/i.test(text)) return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000_000;
}

function wallTime(format: Intl.DateTimeFormat, utc: number): number {
  const parts = new Map(format.formatToParts(utc / 1000).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) * 1000;
}
