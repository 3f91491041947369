import { lookOf, loadPlotter, svgFile } from '@coinlab/lab';
import { counted } from './figure.js';
import { WAYS, type Point } from './speed.js';

/**
 * Returns a plot of the time per transfer by number of coins, both logarithmic. A cost that grows like the
 * bound's is parallel to the bound's line.
 */
export async function growthPlot(points: readonly Point[]): Promise<string> {
  const { plot, draw } = await loadPlotter();
  const lines = [
    { label: 'bound', of: ({ pairs }: Point): number => pairs.numbers.bound },
    ...WAYS.map(({ way, label }) => ({ label, of: ({ pairs }: Point): number => pairs[way].ours })),
  ];
  return svgFile(
    draw('Time per transfer over the number of coins', {
      key: lines.map(({ label }, i) => ({ label, kind: 'line', ...lookOf(i) })),
      above: 'nanoseconds per transfer',
      marginLeft: 72,
      marginRight: 44,
      x: { type: 'log', label: 'coins', ticks: points.map(({ size }) => size), tickFormat: counted },
      y: { type: 'log', ticks: [100, 1_000, 10_000, 100_000], tickFormat: counted, domain: [100, 100_000] },
      marks: lines.flatMap(({ of }, i) => {
        const { colour, dash } = lookOf(i);
        const data = points.map((point) => ({ size: point.size, nanos: of(point) }));
        return [
          plot.lineY(data, {
            x: 'size',
            y: 'nanos',
            stroke: colour,
            strokeWidth: 2,
            ...(dash ? { strokeDasharray: dash } : {}),
          }),
          plot.dot(data, { x: 'size', y: 'nanos', fill: colour, r: 3 }),
        ];
      }),
    }),
  );
}
