import { intervalOf, METRICS } from '@coinlab/sim';
import { slug, type Figure } from './figure.js';
import { GRID, lookOf } from './look.js';
import { shortNumber, tickNumber } from './numbers.js';
import { loadPlotter } from './plotter.js';
import { foundOf, type ReportRun } from './run.js';

export const COMPARED_METRICS: readonly string[] = [
  'utxosPerParty.mean',
  'utxosPerParty.p95',
  'utxosPerParty.over10',
  'inputsPerTransfer.mean',
  'merges',
  'traffic.usd',
  'dust.expired',
];

const LONGEST = 28;

export async function comparisonFigures(runs: readonly ReportRun[]): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const metric of COMPARED_METRICS) {
    const figure = await comparisonFigure(runs, metric);
    if (figure) figures.push(figure);
  }
  return figures;
}

async function comparisonFigure(runs: readonly ReportRun[], metric: string): Promise<Figure | null> {
  const points = runs.flatMap((run, i) => {
    const found = foundOf(run, metric);
    if (found.length === 0) return [];
    const { mean, low, high } = intervalOf(found);
    const text = shortNumber(Number(mean.toPrecision(3)));
    return [
      {
        label: cut(run.label),
        colour: lookOf(i).colour,
        mean,
        low: Math.max(0, low ?? mean),
        high: high ?? mean,
        text,
      },
    ];
  });
  const unit = METRICS.find(({ name }) => name === metric)?.unit ?? '';
  if (points.every(({ mean }) => mean === 0)) return null;
  const { plot, draw } = await loadPlotter();
  const longest = Math.max(...points.map(({ label }) => label.length));
  const title = `${metric} of ${runs.length} runs`;
  const svg = draw(title, {
    height: 52 + 26 * points.length,
    marginLeft: 16 + longest * 7,
    marginTop: 6,
    marginRight: 72,
    marginBottom: 38,
    x: {
      label: metric === unit ? metric : `${metric}, ${unit}`,
      zero: true,
      nice: true,
      ticks: 5,
      tickFormat: tickNumber,
    },
    y: { type: 'band', domain: points.map(({ label }) => label), tickSize: 0 },
    marks: [
      plot.gridX({ stroke: GRID, strokeOpacity: 1, ticks: 5 }),
      plot.ruleY(points, { y: 'label', x1: 'low', x2: 'high', stroke: 'colour', strokeWidth: 5, strokeOpacity: 0.4 }),
      plot.dot(points, { y: 'label', x: 'mean', fill: 'colour', r: 4.5 }),
      plot.text(points, { y: 'label', x: 'high', text: 'text', textAnchor: 'start', dx: 9 }),
    ],
    color: { type: 'identity' },
  });
  return { id: slug(`beside ${metric}`), title: metric, caption: '', svg };
}

function cut(label: string): string {
  return label.length <= LONGEST ? label : `${label.slice(0, LONGEST - 1)}…`;
}
