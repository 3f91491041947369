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
  const at = (wanted: string): number => heading.metrics.findIndex(({ name }) => name === wanted);
  const [utxos, merges, traffic] = [at('utxosPerParty.mean'), at('merges'), at('traffic.bytes')];
  if (utxos < 0 || merges < 0 || traffic < 0) return [];
  const columns = parameterColumns(runs);
  return settingsByPoint(runs).flatMap((settings, point): ParetoPoint[] => {
    const found = [utxos, merges, traffic].map((metric) => intervalAt(runs, point, metric));
    const [utxosAt, mergesAt, trafficAt] = found;
    if (!utxosAt || !mergesAt || !trafficAt) return [];
    const told = (isWord: boolean): string =>
      columns
        .flatMap(({ name, kind }, i) =>
          (kind === 'text') === isWord && settings[i] !== undefined && settings[i] !== null
            ? [isWord ? settingText(settings[i]) : `${name} ${settingText(settings[i])}`]
            : [],
        )
        .join(', ');
    const family = told(true);
    const label = told(false);
    return [
      {
        label: label || family || `point ${point + 1}`,
        family: family && label ? family : heading.definition.name,
        utxos: utxosAt,
        merges: mergesAt,
        trafficBytes: trafficAt,
      },
    ];
  });
}
