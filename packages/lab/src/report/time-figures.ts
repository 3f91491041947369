import { ALL, TARGET_UTXOS } from '@coinlab/sim';
import type { Figure } from './figure.js';
import { slug } from './figure.js';
import type { KeyEntry } from './key.js';
import { COLOURS, GRID, lookOf } from './look.js';
import { tickNumber } from './numbers.js';
import { overTime, type Moment } from './over-time.js';
import { loadPlotter, type Plotter } from './plotter.js';
import { groupsOf, replicatesOf, type ReportRun } from './run.js';

export async function utxoFigures(run: ReportRun): Promise<readonly Figure[]> {
  const plotter = await loadPlotter();
  const groups = groupsOf(run);
  return [ALL, ...(groups.length > 1 ? groups : [])].map((group) => utxoFigure(plotter, run, group));
}

function utxoFigure(plotter: Plotter, run: ReportRun, group: string): Figure {
  const { plot } = plotter;
  const utxos = (name: string): readonly Moment[] => overTime(run, `utxosPerParty.${name}`, group);
  const [low, high, median, mean] = [utxos('p05'), utxos('p95'), utxos('p50'), utxos('mean')];
  const band = low.map(({ day, mean }, i) => ({ day, low: mean, high: high[i]?.mean ?? mean }));
  const hasIntervals = replicatesOf(run) > 1;
  const [blue, orange] = COLOURS;
  const entries: readonly KeyEntry[] = [
    { label: 'mean', kind: 'line', colour: orange },
    ...(hasIntervals
      ? [{ label: '95 % interval of the mean', kind: 'band', colour: orange, opacity: 0.35 } as const]
      : []),
    { label: 'median', kind: 'line', colour: blue, dash: '6 3' },
    { label: '5 % to 95 % of parties', kind: 'band', colour: blue, opacity: 0.18 },
  ];
  const title = `UTXOs per party over time, ${group === ALL ? run.of : group}`;
  const reachesTarget = [...high, ...mean].some((moment) => moment.high >= TARGET_UTXOS);
  const svg = plotter.draw(`${title}, ${run.label}`, {
    key: entries,
    above: 'UTXOs per party',
    x: { label: 'days' },
    y: { zero: true, nice: true },
    marks: [
      plot.gridY({ stroke: GRID, strokeOpacity: 1 }),
      plot.areaY(band, { x: 'day', y1: 'low', y2: 'high', fill: blue, fillOpacity: 0.18 }),
      hasIntervals ? plot.areaY(mean, { x: 'day', y1: 'low', y2: 'high', fill: orange, fillOpacity: 0.35 }) : null,
      plot.lineY(median, { x: 'day', y: 'mean', stroke: blue, strokeWidth: 1.5, strokeDasharray: '6 3' }),
      plot.lineY(mean, { x: 'day', y: 'mean', stroke: orange, strokeWidth: 2 }),
      reachesTarget ? plot.ruleY([TARGET_UTXOS], { stroke: 'currentColor', strokeDasharray: '1 3' }) : null,
      plot.ruleY([0]),
    ],
  });
  return { id: slug(`utxos over time ${run.label} ${group}`), title, caption: utxoCaption(run), svg };
}

function utxoCaption(run: ReportRun): string {
  const replicates = replicatesOf(run);
  const target = `Dotted: the target of ${TARGET_UTXOS}, where it is reached.`;
  if (replicates === 1) return `Figures of the parties at the sampled rounds. ${target}`;
  return `Figures of the parties at the sampled rounds, each averaged over ${replicates} replicates. ${target}`;
}

export async function flowFigure(
  lines: readonly { readonly label: string; readonly run: ReportRun; readonly group: string }[],
  { column, title, of, unit, id }: { column: string; title: string; of: string; unit: string; id: string },
): Promise<Figure> {
  const plotter = await loadPlotter();
  const { plot } = plotter;
  const hasIntervals = lines.some(({ run }) => replicatesOf(run) > 1);
  const entries = lines.map(({ label }, i): KeyEntry => ({ label, kind: 'line', ...lookOf(i) }));
  const svg = plotter.draw(`${title}, ${of}`, {
    key: entries,
    above: unit,
    x: { label: 'days' },
    y: { zero: true, nice: true, tickFormat: tickNumber },
    marks: [
      plot.gridY({ stroke: GRID, strokeOpacity: 1 }),
      ...lines.flatMap(({ run, group }, i) => {
        const moments = overTime(run, column, group);
        const { colour, dash } = lookOf(i);
        return [
          plot.areaY(moments, { x: 'day', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.2 }),
          plot.lineY(moments, { x: 'day', y: 'mean', stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
        ];
      }),
      plot.ruleY([0]),
    ],
  });
  const caption = `Cumulative since the end of the warm-up.${hasIntervals ? ' Bands: 95 % interval of the mean over replicates.' : ''}`;
  return { id, title, caption, svg };
}
