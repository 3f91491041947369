const WIDE = 20;

export interface AxisOptions {
  readonly type: 'log' | 'linear';
  readonly nice?: boolean;
  readonly zero?: boolean;
  readonly ticks: readonly number[] | number;
}

export function axisFor(values: readonly number[]): AxisOptions {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least > 0 && most / least > WIDE) return { type: 'log', ticks: logTicks(least, most) };
  return { type: 'linear', nice: true, zero: least < most / 2, ticks: 6 };
}

export function logTicks(least: number, most: number): readonly number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power++)
    ticks.push(...[1, 2, 5].map((digit) => digit * 10 ** power));
  return ticks.filter((tick) => tick >= least && tick <= most);
}
