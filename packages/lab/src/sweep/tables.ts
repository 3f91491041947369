import { Amount } from '@coinlab/core';
import { intervalOf, numberOf, type Cell, type Interval, type Table, type TableColumn } from '@coinlab/sim';
import { runText, type Heading, type RunRow } from './part.js';
import type { Kept, Payments } from './play.js';
import { settingText } from './sweep.js';

/** The runs of a whole sweep, ordered by point and replicate. */
export interface SweepRuns {
  readonly heading: Heading;
  readonly rows: readonly RunRow[];
}

/**
 * `value` is the metric as a number; `amount` is exact for coin and USD. A failed run is one row with its error and the command
 * that repeats it.
 */
export function resultsTable({ heading, rows }: SweepRuns): Table {
  const columns: readonly TableColumn[] = [
    { name: 'point', kind: 'count' },
    { name: 'replicate', kind: 'count' },
    ...parameterColumns({ heading, rows }),
    { name: 'metric', kind: 'text' },
    { name: 'value', kind: 'ratio' },
    { name: 'amount', kind: 'coin' },
    { name: 'error', kind: 'text' },
    { name: 'rerun', kind: 'text' },
  ];
  const kinds = columns.slice(2).map(({ kind }) => kind);
  const { replicates } = heading.definition;
  return {
    columns,
    rows: rows.flatMap(({ run, settings, values, error }): Cell[][] => {
      const [point, replicate] = [Math.floor(run / replicates) + 1, run % replicates];
      const start = [point, replicate, ...settings.map((setting, i) => settingCell(setting, kinds[i]))];
      if (!values) return [[...start, null, null, null, error, rerunOf(heading, run)]];
      return heading.metrics.map(({ name }, i) => {
        const value = values[i] ?? null;
        return [...start, name, numberIn(value), typeof value === 'string' ? Amount.of(value) : null, null, null];
      });
    }),
  };
}

export function pointsTable(runs: SweepRuns): Table {
  const { heading } = runs;
  const columns = parameterColumns(runs);
  return {
    columns: [
      { name: 'point', kind: 'count' },
      ...columns,
      { name: 'metric', kind: 'text' },
      { name: 'mean', kind: 'ratio' },
      { name: 'low', kind: 'ratio' },
      { name: 'high', kind: 'ratio' },
      { name: 'replicates', kind: 'count' },
      { name: 'requested', kind: 'count' },
      { name: 'completed', kind: 'count' },
      { name: 'failed', kind: 'count' },
    ],
    rows: settingsByPoint(runs).flatMap((settings, point) => {
      const { failed, ...payments } = outcomeAt(runs, point);
      return heading.metrics.map(({ name }, metric): Cell[] => {
        const interval = intervalAt(runs, point, metric);
        return [
          point + 1,
          ...settings.map((setting, i) => settingCell(setting, columns[i]?.kind)),
          name,
          interval?.mean ?? null,
          interval?.low ?? null,
          interval?.high ?? null,
          interval?.observations ?? 0,
          payments.requested,
          payments.completed,
          failed,
        ];
      });
    }),
  };
}

export function outcomeAt({ heading, rows }: SweepRuns, point: number): Payments & { readonly failed: number } {
  const { replicates } = heading.definition;
  const own = rows.slice(point * replicates, (point + 1) * replicates);
  const sum = (field: keyof Payments): number => own.reduce((all, { payments }) => all + (payments?.[field] ?? 0), 0);
  return {
    requested: sum('requested'),
    completed: sum('completed'),
    failed: own.filter(({ error }) => error !== null).length,
  };
}

/** Returns the interval of a metric at a point over the successful replicates, or null when there are none. */
export function intervalAt({ heading, rows }: SweepRuns, point: number, metric: number): Interval | null {
  const { replicates } = heading.definition;
  const values = rows
    .slice(point * replicates, (point + 1) * replicates)
    .flatMap(({ values }) => numberIn(values?.[metric] ?? null) ?? []);
  return values.length === 0 ? null : intervalOf(values);
}

export function settingsByPoint({ heading, rows }: SweepRuns): readonly (readonly unknown[])[] {
  const { replicates } = heading.definition;
  return Array.from({ length: heading.points }, (_, point) => rows[point * replicates]?.settings ?? []);
}

export function parameterColumns(runs: SweepRuns): readonly TableColumn[] {
  const points = settingsByPoint(runs);
  return runs.heading.definition.parameters.map(({ name, decimals }, i) => {
    const given = points.flatMap((settings) => settings[i] ?? []);
    if (decimals !== undefined) return { name, kind: 'ratio' };
    if (given.length > 0 && given.every((setting) => typeof setting === 'number'))
      return { name, kind: given.every((setting) => Number.isSafeInteger(setting)) ? 'count' : 'ratio' };
    return { name, kind: 'text' };
  });
}

export function settingCell(setting: unknown, kind: TableColumn['kind'] | undefined): Cell {
  if (setting === undefined || setting === null) return null;
  return kind === 'text' ? settingText(setting) : Number(setting);
}

/** Returns the command that repeats a run. */
export function rerunOf(heading: Heading, run: number): string {
  const { file, flags } = heading;
  const { replicates } = heading.definition;
  const changed = flags === undefined ? file : `${file} ${flags}`;
  return `coinlab sweep ${changed} --only ${Math.floor(run / replicates) + 1}.${run % replicates}`;
}

/** Returns the failed runs with their errors, one per line. */
export function failuresText({ heading, rows }: SweepRuns): readonly string[] {
  return rows.flatMap(({ run, error }) => (error === null ? [] : [`${runText(heading, run)}: ${error}`]));
}

export function numberIn(value: Kept): number | null {
  return typeof value === 'string' ? numberOf(Amount.of(value)) : value;
}
