import { shareOf, type Cell, type Interval, type Table } from '@coinlab/sim';
import type { ParetoPoint } from '../report/pareto-figures.js';
import { isNonDominated } from './pareto.js';
import { settingText } from './sweep.js';
import { intervalAt, outcomeAt, parameterColumns, settingCell, settingsByPoint, type SweepRuns } from './tables.js';

/** A point of a sweep with its objectives. */
export interface WeighedPoint {
  /** Number in the sweep, from 1. */
  readonly point: number;
  readonly settings: readonly unknown[];
  /** Interval of each objective; null without a successful replicate. */
  readonly intervals: readonly (Interval | null)[];
  /** Whether no other point dominates this one; never for a starved point. */
  readonly isBest: boolean;
  readonly requested: number;
  readonly completed: number;
  readonly failed: number;
  /** Whether too few payments were completed, so that the objectives describe payments that were not made. */
  readonly isStarved: boolean;
}

/** Returns the points with their objectives; empty if the sweep has fewer than two objectives. */
export function weighedPoints(runs: SweepRuns): readonly WeighedPoint[] {
  const { objectives, metrics, definition } = runs.heading;
  if (objectives.length < 2) return [];
  const at = objectives.map((objective) => metrics.findIndex(({ name }) => name === objective));
  const points = settingsByPoint(runs).map((settings, point) => {
    const intervals = at.map((metric) => intervalAt(runs, point, metric));
    const outcome = outcomeAt(runs, point);
    const isStarved = shareOf(outcome) < definition.minCompleted;
    return { point: point + 1, settings, intervals, ...outcome, isStarved };
  });
  const judged = points.filter(({ isStarved, intervals }) => !isStarved && intervals.every((interval) => interval));
  const best = isNonDominated(judged.map(({ intervals }) => intervals.flatMap((interval) => interval?.mean ?? [])));
  return points.map((point) => ({ ...point, isBest: best[judged.indexOf(point)] ?? false }));
}

export function paretoTable(runs: SweepRuns, points: readonly WeighedPoint[]): Table {
  const columns = parameterColumns(runs);
  return {
    columns: [
      { name: 'point', kind: 'count' },
      ...columns,
      ...runs.heading.objectives.map((name) => ({ name, kind: 'ratio' as const })),
      { name: 'isBest', kind: 'text' },
      { name: 'isStarved', kind: 'text' },
    ],
    rows: points.map(({ point, settings, intervals, isBest, isStarved }): Cell[] => [
      point,
      ...settings.map((setting, i) => settingCell(setting, columns[i]?.kind)),
      ...intervals.map((interval) => interval?.mean ?? null),
      String(isBest),
      String(isStarved),
    ]),
  };
}

/** A family is the set of textual settings, for example the policy; labels show the other settings. */
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

function plottedMetrics(names: readonly string[]): readonly number[] | null {
  const groups = new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1)));
  for (const group of ['', ...groups]) {
    const places = ['utxosPerParty.mean', 'merges', 'traffic.bytes'].map((name) => names.indexOf(`${group}${name}`));
    if (places.every((place) => place >= 0)) return places;
  }
  return null;
}
