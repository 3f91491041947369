import type { Interval } from '@coinlab/sim';
import { grouped } from './table.js';

export function intervalText({ mean, low, high, halfWidth, method }: Interval): string {
  if (low === null || high === null || halfWidth === null) return plain(mean);
  // Equal observations say nothing about the spread.
  if (halfWidth === 0) return plain(mean);
  const places = Math.min(10, Math.max(0, 1 - Math.floor(Math.log10(halfWidth))));
  const text = (value: number): string => grouped(value.toFixed(places));
  return method === 't' ? `${text(mean)} ± ${text(halfWidth)}` : `${text(mean)} [${text(low)}, ${text(high)}]`;
}

function plain(value: number): string {
  return grouped(Number.isInteger(value) ? value : value.toFixed(3));
}

export function simultaneousText(intervals: number): string {
  return intervals === 1 ? '' : `; the ${intervals} intervals of a column hold together with 95 %`;
}
