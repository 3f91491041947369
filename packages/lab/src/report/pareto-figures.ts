import type { Markish } from '@observablehq/plot';
import { type Interval } from '@coinlab/sim';
import { slug, type Figure } from './figure.js';
import type { KeyEntry } from './key.js';
import { GRID, GROUND, lookOf } from './look.js';
import { shortNumber, tickNumber } from './numbers.js';
import { openPen, type Pen } from './pen.js';

/** One setting that was tried: what it costs, and what it gains. */
export interface ParetoPoint {
  /** What it is called, as `merge above 10`. */
  readonly label: string;
  /** What it belongs to, as the selection policy; points of one family have one colour. */
  readonly family: string;
  /** Mean UTXOs per party: less is better. */
  readonly utxos: Interval;
  readonly merges: Interval;
  readonly trafficBytes: Interval;
}

const WIDTH = 640;
const LEFT = 64;

/**
 * What fewer UTXOs cost: merges, and traffic. The line joins the settings of which no other is better in one and as good in the other
 * of the two that are drawn; those are labelled, the others tell their names to a pointer.
 */
export async function paretoFigures(points: readonly ParetoPoint[], label: string): Promise<readonly Figure[]> {
  if (points.length < 2) return [];
  return [
    await paretoFigure(points, 'merges', 'merges', label),
    await paretoFigure(points, 'trafficBytes', 'bytes of traffic', label),
  ];
}

/** The points of which no other is better in one figure and at least as good in the other, by rising UTXOs. */
export function frontierOf(points: readonly ParetoPoint[], cost: 'merges' | 'trafficBytes'): readonly ParetoPoint[] {
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
  cost: 'merges' | 'trafficBytes',
  costLabel: string,
  label: string,
): Promise<Figure> {
  const { plot, draw } = await openPen();
  const families = [...new Set(points.map(({ family }) => family))];
  const entries = families.map((family, i): KeyEntry => ({ label: family, kind: 'dot', colour: lookOf(i).colour }));
  const drawn = points.map((point) => ({
    x: point.utxos.mean,
    y: point[cost].mean,
    x1: point.utxos.low ?? point.utxos.mean,
    x2: point.utxos.high ?? point.utxos.mean,
    y1: point[cost].low ?? point[cost].mean,
    y2: point[cost].high ?? point[cost].mean,
    colour: lookOf(families.indexOf(point.family)).colour,
    title: `${point.family}, ${point.label}: ${shortNumber(point.utxos.mean)} UTXOs per party, ${shortNumber(point[cost].mean)} ${costLabel}`,
  }));
  const frontier = frontierOf(points, cost);
  const title = `What fewer UTXOs cost: ${costLabel}`;
  const [width, height] = [WIDTH, 400];
  const svg = draw(`${title}, ${label}`, {
    width,
    height,
    // Where every point is a family of its own, its label says it.
    key: points.every(({ label, family }) => label === family) ? [] : entries,
    above: costLabel,
    marginLeft: LEFT,
    inset: 8,
    x: { label: 'mean UTXOs per party', zero: true, nice: true },
    y: { zero: true, nice: true, tickFormat: tickNumber },
    marks: [
      plot.gridX({ stroke: GRID, strokeOpacity: 1 }),
      plot.gridY({ stroke: GRID, strokeOpacity: 1 }),
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
      plot.dot(drawn, { x: 'x', y: 'y', fill: 'colour', r: 4.5, title: 'title' }),
      ...labels(plot, apart(frontier, cost, points), cost, Math.max(...drawn.map(({ x2 }) => x2))),
    ],
    color: { type: 'identity' },
  });
  const caption =
    'Lower left is better. The dashed line joins the settings that no other beats in both; lines through points are 95 % intervals.';
  return { id: slug(`pareto ${cost} ${label}`), title, caption, svg };
}

/** Names of points: on their right, and of those far to the right on their left. */
function labels(
  plot: Pen['plot'],
  points: readonly ParetoPoint[],
  cost: 'merges' | 'trafficBytes',
  largest: number,
): readonly Markish[] {
  const isRight = ({ utxos }: ParetoPoint): boolean => utxos.mean > 0.7 * largest;
  return (['start', 'end'] as const).map((textAnchor) =>
    plot.text(
      points.filter((point) => isRight(point) === (textAnchor === 'end')),
      {
        x: ({ utxos }: ParetoPoint) => utxos.mean,
        y: (point: ParetoPoint) => point[cost].mean,
        text: 'label',
        textAnchor,
        dx: textAnchor === 'end' ? -8 : 8,
        dy: -9,
        stroke: GROUND,
        strokeWidth: 3,
        fill: 'currentColor',
      },
    ),
  );
}

/** Of points whose labels would lie on each other only the first. */
function apart(
  frontier: readonly ParetoPoint[],
  cost: 'merges' | 'trafficBytes',
  all: readonly ParetoPoint[],
): readonly ParetoPoint[] {
  const most = {
    x: Math.max(...all.map(({ utxos }) => utxos.mean)),
    y: Math.max(...all.map((point) => point[cost].mean)),
  };
  const place = (point: ParetoPoint): { x: number; y: number } => ({
    x: (point.utxos.mean / (most.x || 1)) * (WIDTH - LEFT),
    y: (point[cost].mean / (most.y || 1)) * 320,
  });
  const kept: ParetoPoint[] = [];
  for (const point of frontier) {
    const { x, y } = place(point);
    const isFree = kept.every((other) => {
      const taken = place(other);
      return Math.abs(taken.y - y) > 15 || Math.abs(taken.x - x) > 7 * Math.max(other.label.length, point.label.length);
    });
    if (isFree) kept.push(point);
  }
  return kept;
}
