import { lookOf, loadPlotter, svgFile } from '@coinlab/lab';
import { grouped, type Values } from './figure.js';
import type { Pair, Speed } from './speed.js';

interface Curve {
  readonly label: string;
  /** Points of the curve, by x. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

interface Picture {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** The first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  readonly curves: readonly Curve[];
}

/**
 * Returns a plot of the time per transfer by number of coins. A cost that grows like the bound's is parallel to the bound's
 * line.
 */
export async function growthPlot(speeds: readonly Speed[]): Promise<string> {
  const curve = (label: string, pairs: readonly Pair[], of: (pair: Pair) => number): Curve => ({
    label,
    points: pairs.map((pair) => [pair.size, of(pair)]),
  });
  return drawn({
    title: 'Time per transfer over the number of coins',
    x: 'coins',
    y: 'nanoseconds per transfer',
    ticks: [100, 1_000, 10_000, 100_000],
    curves: [
      curve('bound', speeds[0]?.pairs ?? [], ({ bound }) => bound),
      ...speeds.map(({ label, pairs }) => curve(label, pairs, ({ ours }) => ours)),
    ],
  });
}

/** Returns plots of the time and the memory of M7 by number of parties. */
export async function partiesPlots(
  points: readonly Values[],
): Promise<{ readonly time: string; readonly memory: string }> {
  const value = (values: Values, name: string): number => values[name] ?? Number.NaN;
  const curve = (label: string, of: (values: Values) => number): Curve => ({
    label,
    points: points.map((values) => [value(values, 'parties'), of(values)]),
  });
  const time = await drawn({
    title: 'Time over the number of parties',
    x: 'parties',
    y: 'seconds',
    ticks: [0.1, 1, 10, 100, 1_000],
    curves: [
      curve('founding', (values) => value(values, 'founding')),
      curve('two payments per party', (values) => value(values, 'elapsed') - value(values, 'founding')),
    ],
  });
  const memory = await drawn({
    title: 'Memory over the number of parties',
    x: 'parties',
    y: 'MiB, the most that was resident',
    ticks: [100, 1_000, 10_000, 100_000],
    curves: [curve('memory', (values) => value(values, 'mebibytes'))],
  });
  return { time, memory };
}

/** Both axes are logarithmic. */
async function drawn({ title, x, y, ticks, curves }: Picture): Promise<string> {
  const { plot, draw } = await loadPlotter();
  const places = curves[0]?.points.map(([at]) => at) ?? [];
  return svgFile(
    draw(title, {
      key: curves.map(({ label }, i) => ({ label, kind: 'line', ...lookOf(i) })),
      above: y,
      marginLeft: 72,
      marginRight: 44,
      x: { type: 'log', label: x, ticks: places, tickFormat: grouped },
      y: { type: 'log', ticks, tickFormat: grouped, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 1] },
      marks: curves.flatMap(({ points }, i) => {
        const { colour, dash } = lookOf(i);
        return [
          plot.lineY(points, {
            x: '0',
            y: '1',
            stroke: colour,
            strokeWidth: 2,
            ...(dash ? { strokeDasharray: dash } : {}),
          }),
          plot.dot(points, { x: '0', y: '1', fill: colour, r: 3 }),
        ];
      }),
    }),
  );
}
