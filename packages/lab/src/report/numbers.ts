import type { Interval } from '@coinlab/sim';

const ROUNDING = 1e-12;

export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return grouped(value.toFixed(0));
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return trimmed(value.toFixed(Math.min(10, decimals)));
}

export function withInterval({ mean, halfWidth, low, high, method }: Interval): string {
  if (halfWidth === null || low === null || high === null) return shortNumber(mean);
  // A metric that is always zero needs no interval. Differences of equal decimals differ by rounding.
  if (halfWidth <= Math.abs(mean) * ROUNDING) return mean === 0 ? '0' : `${shortNumber(mean)} ± 0`;
  const decimals = Math.min(10, Math.max(0, 1 - Math.floor(Math.log10(halfWidth))));
  const text = (value: number): string => grouped(value.toFixed(decimals));
  // A bootstrap interval is not symmetric about its mean.
  return method === 't' ? `${text(mean)} ± ${text(halfWidth)}` : `${text(mean)} (${text(low)} to ${text(high)})`;
}

export function tickNumber(value: number): string {
  for (const [size, letter] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const)
    if (Math.abs(value) >= size) return `${shortNumber(value / (letter === 'k' ? 1e3 : size))}${letter}`;
  // The library's tick values may carry rounding errors such as 0.30000000000000004.
  return shortNumber(Number(value.toPrecision(10)));
}

function trimmed(text: string): string {
  return grouped(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

function grouped(text: string): string {
  const [whole = '', ...rest] = text.replace(/^-/, '−').split('.');
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}
