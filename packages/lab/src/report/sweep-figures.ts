import type { Interval } from '@coinlab/sim';
import { METRICS } from '@coinlab/sim';
import { settingText } from '../sweep/sweep.js';
import { intervalAt, settingsByPoint, type SweepRuns } from '../sweep/tables.js';
import { slug, type Figure } from './figure.js';
import type { KeyEntry } from './key.js';
import { GRID, lookOf } from './look.js';
import { shortNumber, tickNumber } from './numbers.js';
import { loadPlotter } from './plotter.js';

interface Cell {
  readonly x: string;
  readonly series: string;
  readonly interval: Interval;
}

export async function sweepFigures(
  runs: SweepRuns,
  over: readonly [number, number | null],
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [metric, { name }] of runs.heading.metrics.entries())
    for (const [others, cells] of panelsOf(runs, metric, over)) {
      const title = others === '' ? name : `${name}, ${others}`;
      const axes = axesOf(runs, over, name);
      figures.push(await lines(title, cells, axes));
      if (over[1] !== null) figures.push(await heatMap(title, cells, axes));
    }
  return figures;
}

interface Axes {
  readonly x: string;
  readonly series: string;
  readonly metric: string;
  readonly unit: string;
}

function axesOf({ heading }: SweepRuns, [first, second]: readonly [number, number | null], metric: string): Axes {
  const nameOf = (parameter: number | null): string =>
    parameter === null ? '' : (heading.definition.parameters[parameter]?.name ?? '');
  const own = metric.slice(metric.indexOf('/') + 1);
  const unit = METRICS.find(({ name }) => name === own)?.unit ?? '';
  return { x: nameOf(first), series: nameOf(second), metric, unit: own === unit ? metric : `${metric}, ${unit}` };
}

function panelsOf(
  runs: SweepRuns,
  metric: number,
  [first, second]: readonly [number, number | null],
): ReadonlyMap<string, readonly Cell[]> {
  const panels = new Map<string, Cell[]>();
  const told = (setting: unknown): string =>
    setting === undefined || setting === null ? 'unset' : settingText(setting);
  settingsByPoint(runs).forEach((settings, point) => {
    const interval = intervalAt(runs, point, metric);
    if (!interval) return;
    const others = runs.heading.definition.parameters
      .flatMap(({ name }, i) => (i === first || i === second ? [] : [`${name} ${told(settings[i])}`]))
      .join(', ');
    const cell = { x: told(settings[first]), series: second === null ? '' : told(settings[second]), interval };
    panels.set(others, [...(panels.get(others) ?? []), cell]);
  });
  return panels;
}

async function lines(title: string, cells: readonly Cell[], { x, series, unit }: Axes): Promise<Figure> {
  const { plot, draw } = await loadPlotter();
  const names = [...new Set(cells.map((cell) => cell.series))];
  const key = names.map((label, i): KeyEntry => ({ label: `${series} ${label}`, kind: 'dot', ...lookOf(i) }));
  // Points of one setting lie side by side, so that their intervals stay apart.
  const shift = (name: string): number => (names.indexOf(name) - (names.length - 1) / 2) * 6;
  const marks = names.flatMap((name, i) => {
    const { colour, dash, symbol } = lookOf(i);
    const own = cells
      .filter((cell) => cell.series === name)
      .map(({ x: at, interval: { mean, low, high } }) => ({
        x: at,
        y: mean,
        y1: low ?? mean,
        y2: high ?? mean,
        title: shortNumber(mean),
      }));
    const dx = shift(name);
    return [
      plot.line(own, { x: 'x', y: 'y', stroke: colour, strokeDasharray: dash, dx }),
      plot.ruleX(own, { x: 'x', y1: 'y1', y2: 'y2', stroke: colour, strokeOpacity: 0.6, dx }),
      plot.dot(own, { x: 'x', y: 'y', fill: colour, symbol, r: 4.5, title: 'title', dx }),
    ];
  });
  const svg = draw(`${title} over ${x}`, {
    key: series === '' ? [] : key,
    above: unit,
    marginLeft: 64,
    x: { type: 'point', domain: [...new Set(cells.map((cell) => cell.x))], label: x, padding: 0.5 },
    y: { zero: true, nice: true, ticks: 6, tickFormat: tickNumber },
    marks: [plot.gridY({ stroke: GRID, strokeOpacity: 1, ticks: 6 }), ...marks],
    color: { type: 'identity' },
  });
  return {
    id: slug(`lines ${title}`),
    title: `${title} over ${x}`,
    caption: 'Lines through points are 95 % intervals.',
    svg,
  };
}

async function heatMap(title: string, cells: readonly Cell[], { x, series, unit }: Axes): Promise<Figure> {
  const { plot, draw } = await loadPlotter();
  const values = cells.map(({ interval }) => interval.mean);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const drawn = cells.map(({ x: at, series: row, interval: { mean, halfWidth } }) => {
    const share = most === least ? 0 : (mean - least) / (most - least);
    const half = halfWidth === null || halfWidth === 0 ? '' : ` ± ${shortNumber(Number(halfWidth.toPrecision(2)))}`;
    return { x: at, row, share: 0.08 + 0.42 * share, text: shortNumber(Number(mean.toPrecision(3))), half };
  });
  const rows = [...new Set(cells.map((cell) => cell.series))];
  const svg = draw(`${title}: heat map over ${x} and ${series}`, {
    above: `${series} (rows), ${unit}`,
    height: 80 + 44 * rows.length,
    marginLeft: 24 + 7 * Math.max(...rows.map((row) => row.length)),
    x: { type: 'band', domain: [...new Set(cells.map((cell) => cell.x))], label: x, padding: 0.03 },
    y: { type: 'band', domain: rows, tickSize: 0, padding: 0.05 },
    marks: [
      plot.cell(drawn, { x: 'x', y: 'row', fill: lookOf(0).colour, fillOpacity: 'share' }),
      plot.text(drawn, { x: 'x', y: 'row', text: 'text', dy: -7 }),
      plot.text(drawn, { x: 'x', y: 'row', text: 'half', dy: 9 }),
    ],
    color: { type: 'identity' },
    opacity: { type: 'identity' },
  });
  const caption = 'Darker is more. The second line of a cell is the half-width of the 95 % interval.';
  return { id: slug(`heat map ${title}`), title: `${title} over ${x} and ${series}`, caption, svg };
}
