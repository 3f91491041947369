import type { Markish } from '@observablehq/plot';
import { type Interval } from '@coinlab/sim';
import { axisFor } from './axis.js';
import { slug, type Figure } from './figure.js';
import type { KeyEntry } from './key.js';
import { GRID, GROUND, lookOf } from './look.js';
import { shortNumber, tickNumber } from './numbers.js';
import { loadPlotter, type Plotter } from './plotter.js';

/** A setting with its costs and benefits. */
export interface ParetoPoint {
  /** Label of the setting, such as `merge above 10`. */
  readonly label: string;
  /** Series of the point, for example the selection policy; determines its colour. */
  readonly family: string;
  /** Mean UTXOs per party; lower is better. */
  readonly utxos: Interval;
  readonly merges: Interval;
  readonly trafficBytes: Interval;
}

const WIDTH = 640;
const HEIGHT = 400;

type Cost = 'merges' | 'trafficBytes';

/**
 * Plots merges and traffic against UTXOs. The line joins the non-dominated settings, which have labels; other points show theirs
 * on hover.
 */
export async function paretoFigures(points: readonly ParetoPoint[], label: string): Promise<readonly Figure[]> {
  if (points.length < 2) return [];
  return [
    await paretoFigure(points, 'merges', 'merges', label),
    await paretoFigure(points, 'trafficBytes', 'bytes of traffic', label),
  ];
}

/** Returns the non-dominated points by rising UTXOs: no other point is better in one figure and at least as good in the other. */
export function frontierOf(points: readonly ParetoPoint[], cost: Cost): readonly ParetoPoint[] {
  return points
    .filter(({ utxos, [cost]: mine }) =>
      points.every(
        (other) =>
          other.utxos.mean > utxos.mean ||
          other[cost].mean > mine.mean ||
          (other.utxos.mean === utxos.mean && other[cost].mean === mine.mean),
      ),
    )
    .toSorted((a, b) => a.utxos.mean - b.utxos.mean || a[cost].mean - b[cost].mean);
}

async function paretoFigure(
  points: readonly ParetoPoint[],
  cost: Cost,
  costLabel: string,
  label: string,
): Promise<Figure> {
  const { plot, draw } = await loadPlotter();
  const families = [...new Set(points.map(({ family }) => family))];
  const entries = families.map((family, i): KeyEntry => ({ label: family, kind: 'dot', ...lookOf(i) }));
  const drawn = points.map((point) => ({
    x: point.utxos.mean,
    y: point[cost].mean,
    x1: point.utxos.low ?? point.utxos.mean,
    x2: point.utxos.high ?? point.utxos.mean,
    y1: point[cost].low ?? point[cost].mean,
    y2: point[cost].high ?? point[cost].mean,
    family: point.family,
    colour: lookOf(families.indexOf(point.family)).colour,
    title: `${point.family}, ${point.label}: ${shortNumber(point.utxos.mean)} UTXOs per party, ${shortNumber(point[cost].mean)} ${costLabel}`,
  }));
  const frontier = frontierOf(points, cost);
  const title = `What fewer UTXOs cost: ${costLabel}`;
  const [xAxis, yAxis] = [axisFor(drawn.map(({ x }) => x)), axisFor(drawn.map(({ y }) => y))];
  const place = placing(drawn, cost);
  const svg = draw(`${title}, ${label}`, {
    width: WIDTH,
    height: HEIGHT,
    // When every point is its own family, its label already names it.
    key: points.every(({ label, family }) => label === family) ? [] : entries,
    above: costLabel,
    marginLeft: 64,
    inset: 8,
    insetBottom: 20,
    x: { label: 'mean UTXOs per party', tickFormat: tickNumber, ...xAxis },
    y: { tickFormat: tickNumber, ...yAxis },
    marks: [
      plot.gridX({ stroke: GRID, strokeOpacity: 1, ticks: xAxis.ticks }),
      plot.gridY({ stroke: GRID, strokeOpacity: 1, ticks: yAxis.ticks }),
      plot.line(frontier, {
        x: ({ utxos }: ParetoPoint) => utxos.mean,
        y: (point: ParetoPoint) => point[cost].mean,
        curve: 'step-after',
        stroke: 'currentColor',
        strokeOpacity: 0.5,
        strokeDasharray: '4 3',
      }),
      plot.ruleX(drawn, { x: 'x', y1: 'y1', y2: 'y2', stroke: 'colour', strokeOpacity: 0.6 }),
      plot.ruleY(drawn, { y: 'y', x1: 'x1', x2: 'x2', stroke: 'colour', strokeOpacity: 0.6 }),
      ...labels(plot, apart(frontier, place), place, cost),
      ...families.map((family, i) =>
        plot.dot(
          drawn.filter((point) => point.family === family),
          { x: 'x', y: 'y', fill: lookOf(i).colour, symbol: lookOf(i).symbol, r: 4.5, title: 'title' },
        ),
      ),
    ],
    color: { type: 'identity' },
  });
  const caption =
    'Lower left is better. The dashed line joins the non-dominated settings; lines through points are 95 % intervals.';
  return { id: slug(`pareto ${cost} ${label}`), title, caption, svg };
}

type Placing = (point: ParetoPoint) => { readonly x: number; readonly y: number };

function placing(drawn: readonly { readonly x: number; readonly y: number }[], cost: Cost): Placing {
  const share = (values: readonly number[]): ((value: number) => number) => {
    const { type, zero } = axisFor(values);
    const on = (value: number): number => (type === 'log' ? Math.log(value) : value);
    const least = on(zero ? 0 : Math.min(...values));
    const span = on(Math.max(...values)) - least || 1;
    return (value) => (on(value) - least) / span;
  };
  const [x, y] = [share(drawn.map((point) => point.x)), share(drawn.map((point) => point.y))];
  return (point) => ({ x: x(point.utxos.mean), y: y(point[cost].mean) });
}

/** The lower left of a frontier point is empty by definition. */
function labels(plot: Plotter['plot'], points: readonly ParetoPoint[], place: Placing, cost: Cost): readonly Markish[] {
  const isAtEdge = (point: ParetoPoint): boolean => place(point).x * WIDTH * 0.8 < point.label.length * 7 + 12;
  return (['start', 'end'] as const).map((textAnchor) =>
    plot.text(
      points.filter((point) => isAtEdge(point) === (textAnchor === 'start')),
      {
        x: ({ utxos }: ParetoPoint) => utxos.mean,
        y: (point: ParetoPoint) => point[cost].mean,
        text: 'label',
        textAnchor,
        dx: textAnchor === 'end' ? -6 : 2,
        dy: 14,
        stroke: GROUND,
        strokeWidth: 3,
        fill: 'currentColor',
      },
    ),
  );
}

function apart(points: readonly ParetoPoint[], place: Placing): readonly ParetoPoint[] {
  const kept: ParetoPoint[] = [];
  for (const point of points) {
    const { x, y } = place(point);
    const isFree = kept.every((other) => {
      const taken = place(other);
      const letters = Math.max(other.label.length, point.label.length);
      return Math.abs(taken.y - y) * HEIGHT > 22 || Math.abs(taken.x - x) * WIDTH > 8 * letters;
    });
    if (isFree) kept.push(point);
  }
  return kept;
}
