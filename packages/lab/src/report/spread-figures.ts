import type { Histogram } from '@coinlab/sim';
import { logTicks } from './axis.js';
import type { Figure } from './figure.js';
import type { KeyEntry } from './key.js';
import { COLOURS, GRID, lookOf } from './look.js';
import { loadPlotter } from './plotter.js';
import { shortNumber, tickNumber } from './numbers.js';

interface Named {
  readonly id: string;
  readonly title: string;
  readonly run: string;
  readonly unit: string;
  readonly of: string;
}

const BARS = 60;

/** Values above the 99.5 % quantile are reported in a note, so that outliers do not compress the plot. */
export async function histogramFigure(histogram: Histogram, { id, title, run, unit, of }: Named): Promise<Figure> {
  const plotter = await loadPlotter();
  const { plot } = plotter;
  const largest = histogram.max <= 2 * BARS ? histogram.max : histogram.quantile(0.995);
  const width = Math.ceil((largest + 1) / BARS);
  const bars = Array.from({ length: Math.ceil((largest + 1) / width) }, (_, bar) => ({
    from: bar * width - 0.5,
    to: (bar + 1) * width - 0.5,
    share: shareBetween(histogram, bar * width, (bar + 1) * width),
  }));
  const end = (bars.at(-1)?.to ?? 0.5) + 0.5;
  const above = histogram.shareAbove(end - 1);
  const note =
    above === 0
      ? ''
      : `${shortNumber(Number((above * 100).toPrecision(2)))} % above ${shortNumber(end - 1)}, up to ${shortNumber(histogram.max)} →`;
  const svg = plotter.draw(`${title}, ${run}`, {
    above: `% of ${of}`,
    x: { label: unit, domain: [-0.5, end - 0.5], ticks: Math.min(12, end), tickFormat: tickNumber },
    y: { percent: true, nice: true, zero: true },
    marks: [
      plot.gridY({ stroke: GRID, strokeOpacity: 1 }),
      plot.rectY(bars, {
        x1: 'from',
        x2: 'to',
        y: 'share',
        fill: COLOURS[0],
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      plot.ruleY([0]),
      note === '' ? null : plot.text([note], { frameAnchor: 'top-right', dy: 4 }),
    ],
  });
  const caption = `${shortNumber(histogram.samples)} observations, mean ${shortNumber(histogram.mean)}, median ${shortNumber(histogram.quantile(0.5))}, 95 % at most ${shortNumber(histogram.quantile(0.95))}, largest ${shortNumber(histogram.max)}.${width > 1 ? ` One bar is ${width} values.` : ''}`;
  return { id, title, caption, svg };
}

export async function ecdfFigure(
  lines: readonly { readonly label: string; readonly histogram: Histogram }[],
  { id, title, run, unit, of }: Named,
): Promise<Figure> {
  const plotter = await loadPlotter();
  const { plot } = plotter;
  const largest = Math.max(1, ...lines.map(({ histogram }) => histogram.max));
  // A logarithmic axis has no zero: the line begins at 1 with the share at or below it.
  const isWide = largest > 50;
  const start = isWide ? 1 : 0;
  const entries = lines.map(({ label }, i): KeyEntry => ({ label, kind: 'line', ...lookOf(i) }));
  const svg = plotter.draw(`${title}, ${run}`, {
    key: entries,
    above: `% of ${of} at or below`,
    x: {
      type: isWide ? 'log' : 'linear',
      label: unit,
      domain: [start, largest],
      ...(isWide
        ? { ticks: logTicks(1, largest), tickFormat: tickNumber }
        : { ticks: Math.min(12, largest), tickFormat: tickNumber }),
    },
    y: { percent: true, domain: [0, 100], ticks: 5 },
    marks: [
      plot.gridY({ stroke: GRID, strokeOpacity: 1 }),
      ...lines.map(({ histogram }, i) => {
        const { colour, dash } = lookOf(i);
        return plot.lineY(cumulative(histogram, start, largest), {
          x: 'value',
          y: 'share',
          curve: 'step-after',
          stroke: colour,
          strokeWidth: 2,
          strokeDasharray: dash,
        });
      }),
      plot.ruleY([0]),
    ],
  });
  const caption = `The vertical axis is the share of ${of} at or below a value.${isWide ? ' The axis is logarithmic.' : ''}`;
  return { id, title, caption, svg };
}

function cumulative(
  histogram: Histogram,
  start: number,
  largest: number,
): readonly { readonly value: number; readonly share: number }[] {
  if (histogram.samples === 0) return [];
  const steps: { value: number; share: number }[] = [{ value: start, share: 1 - histogram.shareAbove(start) }];
  let seen = 0;
  histogram.counts.forEach((times, value) => {
    seen += times;
    if (times > 0 && value > start) steps.push({ value, share: seen / histogram.samples });
  });
  steps.push({ value: largest, share: 1 });
  return steps;
}

function shareBetween({ counts, samples }: Histogram, from: number, to: number): number {
  let times = 0;
  for (let value = from; value < to; value++) times += counts[value] ?? 0;
  return samples === 0 ? 0 : times / samples;
}
