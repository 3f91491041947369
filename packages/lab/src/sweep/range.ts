import type { Parameter } from './schema.js';

export function settingAt({ values, linear, log, integer, decimals, unit }: Parameter, share: number): unknown {
  if (values) return values[Math.min(Math.floor(share * values.length), values.length - 1)];
  if (integer) {
    const { from, to } = integer;
    const whole = Math.min(from + Math.floor(share * (to - from + 1)), to);
    return unit === undefined ? whole : `${whole}${unit}`;
  }
  const number = linear ? linear.from + share * (linear.to - linear.from) : between(log ?? { from: 1, to: 1 }, share);
  return decimals === undefined ? number : number.toFixed(decimals);
}

function between({ from, to }: { readonly from: number; readonly to: number }, share: number): number {
  if (share === 0) return from;
  return share === 1 ? to : from * (to / from) ** share;
}

export function rangeFault(
  parameter: Parameter,
  demands: 'values' | 'range' | 'nothing',
): { readonly field: string | null; readonly reason: string } | null {
  const { values, linear, log, integer, decimals, unit } = parameter;
  const given = Object.entries({ values, linear, log, integer }).flatMap(([kind, range]) => (range ? [kind] : []));
  if (given.length > 1)
    return { field: given[1] ?? null, reason: `got ${given.join(' and ')}, expected exactly one of them` };
  const [kind] = given;
  if (demands === 'values' && kind !== 'values')
    return { field: kind ?? null, reason: `got ${kind ?? 'none'}, expected values, which a grid needs` };
  if (demands === 'range' && kind === undefined)
    return { field: null, reason: 'got none, expected exactly one of values, linear, log, integer' };
  for (const [name, range] of Object.entries({ linear, log, integer }))
    if (range && !(range.from < range.to))
      return { field: name, reason: `got ${range.from} to ${range.to}, expected "from" below "to"` };
  if (log && log.from <= 0) return { field: 'log', reason: `got ${log.from}, expected numbers above zero` };
  if (integer && !(Number.isSafeInteger(integer.from) && Number.isSafeInteger(integer.to)))
    return { field: 'integer', reason: `got ${integer.from} to ${integer.to}, expected whole numbers` };
  if (decimals !== undefined && !linear && !log)
    return { field: 'decimals', reason: `got ${decimals} with ${kind ?? 'no range'}, expected linear or log` };
  if (unit !== undefined && !integer)
    return { field: 'unit', reason: `got "${unit}" with ${kind ?? 'no range'}, expected integer` };
  return null;
}
