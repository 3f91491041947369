import type { Cell, Interval, Table } from '@coinlab/sim';
import type { ParetoPoint } from '../report/pareto-figures.js';
import { isNonDominated } from './pareto.js';
import { settingText } from './sweep.js';
import { intervalAt, parameterColumns, settingCell, settingsByPoint, type SweepRuns } from './tables.js';

/** A point of a sweep with what it costs. */
export interface WeighedPoint {
  /** Its number in the sweep, from 1. */
  readonly point: number;
  readonly settings: readonly unknown[];
  /** Of each objective, in their order, over the replicates that ran. */
  readonly intervals: readonly Interval[];
  /** Whether no other point is at least as good in every objective and better in one. */
  readonly isBest: boolean;
}

/** The points of a sweep weighed against each other; those of which no replicate ran are left out. Empty with fewer than two objectives. */
export function weighedPoints(runs: SweepRuns): readonly WeighedPoint[] {
  const { objectives, metrics } = runs.heading;
  if (objectives.length < 2) return [];
  const at = objectives.map((objective) => metrics.findIndex(({ name }) => name === objective));
  const points = settingsByPoint(runs).flatMap((settings, point) => {
    const intervals = at.map((metric) => intervalAt(runs, point, metric)).filter((interval) => interval !== null);
    return intervals.length === at.length ? [{ point: point + 1, settings, intervals }] : [];
  });
  const best = isNonDominated(points.map(({ intervals }) => intervals.map(({ mean }) => mean)));
  return points.map((point, i) => ({ ...point, isBest: best[i] ?? false }));
}

/** A row per point: what is set, the mean of each objective, and whether another point dominates it. */
export function paretoTable(runs: SweepRuns, points: readonly WeighedPoint[]): Table {
  const columns = parameterColumns(runs);
  return {
    columns: [
      { name: 'point', kind: 'count' },
      ...columns,
      ...runs.heading.objectives.map((name) => ({ name, kind: 'ratio' as const })),
      { name: 'isBest', kind: 'text' },
    ],
    rows: points.map(({ point, settings, intervals, isBest }): Cell[] => [
      point,
      ...settings.map((setting, i) => settingCell(setting, columns[i]?.kind)),
      ...intervals.map(({ mean }) => mean),
      String(isBest),
    ]),
  };
}

/** The points for the report's plots: a family per policy (what is set in words), labelled with the rest. Empty without their metrics. */
export function plottedPoints(runs: SweepRuns): readonly ParetoPoint[] {
  const { heading } = runs;
  const metrics = plottedMetrics(heading.metrics.map(({ name }) => name));
  if (!metrics) return [];
  const points = settingsByPoint(runs);
  const told = (settings: readonly unknown[], inWords: boolean): string =>
    heading.definition.parameters
      .flatMap(({ name }, i) => {
        const setting = settings[i];
        const isWord = points.every((point) => typeof (point[i] ?? '') === 'string');
        if (isWord !== inWords || setting === undefined || setting === null) return [];
        return [typeof setting === 'number' ? `${name} ${setting}` : settingText(setting)];
      })
      .join(', ');
  return points.flatMap((settings, point): ParetoPoint[] => {
    const [utxos, merges, trafficBytes] = metrics.map((metric) => intervalAt(runs, point, metric));
    if (!utxos || !merges || !trafficBytes) return [];
    const family = told(settings, true);
    const label = told(settings, false);
    return [
      {
        label: label || family || `point ${point + 1}`,
        family: family && label ? family : heading.definition.name,
        utxos,
        merges,
        trafficBytes,
      },
    ];
  });
}

/** Places of what is plotted among the metrics that were kept: of the network, else of the first group that has all three. */
function plottedMetrics(names: readonly string[]): readonly number[] | null {
  const groups = new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1)));
  for (const group of ['', ...groups]) {
    const places = ['utxosPerParty.mean', 'merges', 'traffic.bytes'].map((name) => names.indexOf(`${group}${name}`));
    if (places.every((place) => place >= 0)) return places;
  }
  return null;
}
