import { Instant } from '@coinlab/core';

const SECOND = 1_000_000n;

export function instantOf(text: string): Instant | null {
  const read = Instant.parse(text);
  return read.ok ? read.value : null;
}

export function shownTime(instant: Instant): string {
  return Instant.format(instant).slice(0, 19).replace('T', ' ');
}

const UNITS: readonly (readonly [seconds: bigint, name: string])[] = [
  [86_400n * 365n, 'y'],
  [86_400n, 'd'],
  [3_600n, 'h'],
  [60n, 'min'],
  [1n, 's'],
];

export function shownSpan(micros: bigint): string {
  let rest = (micros < 0n ? -micros : micros) / SECOND;
  const parts: string[] = [];
  for (const [seconds, name] of UNITS) {
    const count = rest / seconds;
    rest -= count * seconds;
    if (count > 0n) parts.push(`${count} ${name}`);
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

export function relativeTime(instant: Instant, now: Instant): string {
  const span = shownSpan(instant - now);
  if (span === '0 s') return 'now';
  return instant > now ? `in ${span}` : `${span} ago`;
}

export function typedTime(text: string): Instant | null {
  const [, day, minutes, seconds = ':00'] =
    /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?Z?\s*$/.exec(text) ?? [];
  return day === undefined || minutes === undefined ? null : instantOf(`${day}T${minutes}${seconds}Z`);
}
