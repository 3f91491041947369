import {
  type Cost,
  differencesOf,
  isPaired,
  sensitivitiesOf,
  settingText,
  type Shard,
  shardText,
  type SweepRuns,
  weighedPoints,
} from '@coinlab/lab';
import { percent } from '../run/completion-text.js';
import { intervalText, simultaneousText } from '../interval-text.js';
import { type Column, grouped, table } from '../table.js';

const SHOWN = 40;

export function sweepText(runs: SweepRuns): string {
  const { definition, points } = runs.heading;
  const { replicates, name } = definition;
  const head = `${name}: ${grouped(points)} points × ${grouped(replicates)} replicates = ${grouped(runs.rows.length)} runs\n`;
  return `${head}\n${paretoText(runs)}${differencesText(runs)}${sensitivityText(runs)}`;
}

type Definition = SweepRuns['heading']['definition'];

interface Point {
  readonly settings: ReturnType<typeof weighedPoints>[number]['settings'];
}

function settingColumns({ parameters }: Definition): readonly Column<Point>[] {
  return parameters.map(({ name }, i) => ({
    title: name,
    cell: ({ settings }) => (settings[i] === undefined || settings[i] === null ? '' : settingText(settings[i])),
  }));
}

function paretoText(runs: SweepRuns): string {
  const { objectives, definition } = runs.heading;
  const points = weighedPoints(runs);
  if (points.length === 0) return '';
  const shown = points.length > SHOWN ? points.filter(({ isBest }) => isBest).slice(0, SHOWN) : points;
  const columns: readonly Column<(typeof points)[number]>[] = [
    { title: 'point', cell: ({ point }) => point },
    ...settingColumns(definition),
    ...objectives.map((objective, i) => ({
      title: objective,
      cell: ({ intervals }: (typeof points)[number]) => (intervals[i] ? intervalText(intervals[i]) : ''),
    })),
    { title: 'requested', cell: ({ requested }) => requested },
    { title: 'completed', cell: ({ completed }) => completed },
    ...(points.some(({ failed }) => failed > 0)
      ? [
          {
            title: 'runs',
            cell: ({ failed }: (typeof points)[number]) =>
              `${definition.replicates - failed} of ${definition.replicates}`,
          },
        ]
      : []),
    { title: 'best', cell: ({ isBest, isStarved }) => (isStarved ? 'starved' : isBest ? '●' : '') },
  ];
  const best = points.filter(({ isBest }) => isBest).length;
  const left = shown.length < points.length ? `, ${shown.length} of them shown` : '';
  const starved = points.filter(({ isStarved }) => isStarved).length;
  const note =
    starved === 0
      ? ''
      : `starved: fewer than ${percent(definition.minCompleted)} of the payments of a group were completed, so ${starved} of ${points.length} points have no verdict\n`;
  return `${table(columns, shown)}● not dominated by another point: ${best} of ${points.length} points${left}\n${note}\n`;
}

function differencesText(runs: SweepRuns): string {
  const { objectives, metrics, definition } = runs.heading;
  const points = isPaired(runs) ? differencesOf(runs) : [];
  if (points.length === 0 || points.length > SHOWN || objectives.length === 0) return '';
  const columns: readonly Column<(typeof points)[number]>[] = [
    { title: 'point', cell: ({ point }) => point },
    ...settingColumns(definition),
    ...objectives.map((objective) => ({
      title: objective,
      cell: ({ intervals }: (typeof points)[number]) => {
        const interval = intervals[metrics.findIndex(({ name }) => name === objective)];
        return interval ? intervalText(interval) : '';
      },
    })),
  ];
  return `difference to point 1 per replicate${simultaneousText(points.length)}\n\n${table(columns, points)}\n`;
}

function sensitivityText(runs: SweepRuns): string {
  const all = sensitivitiesOf(runs);
  const { objectives, metrics } = runs.heading;
  const wanted = objectives.length > 0 ? objectives : metrics.slice(0, 3).map(({ name }) => name);
  const indices = runs.heading.definition.design.morris
    ? (['size', 'effect', 'deviation'] as const)
    : (['first', 'total'] as const);
  const rows = all.filter(({ metric, index }) => wanted.includes(metric) && index === indices[0]);
  if (rows.length === 0) return '';
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'metric', cell: ({ metric }) => metric },
    { title: 'parameter', cell: ({ parameter }) => parameter },
    ...indices.map((index) => ({
      title: index,
      cell: (row: (typeof rows)[number]) => {
        const found = all.find(
          (one) => one.metric === row.metric && one.parameter === row.parameter && one.index === index,
        );
        if (!found) return '';
        const interval = found.low === null ? '' : ` [${figure(found.low)}, ${figure(found.high ?? NaN)}]`;
        return `${figure(found.value)}${interval}`;
      },
    })),
  ];
  return `${table(columns, rows)}\n`;
}

function figure(value: number): string {
  return grouped(Number(value.toPrecision(3)));
}

export function costText(
  { points, replicates, runs, toPlay, secondsPerRun, seconds, workers }: Cost,
  shard: Shard,
): string {
  const whole = `${grouped(points)} points × ${grouped(replicates)} replicates = ${grouped(runs)} runs`;
  const own =
    toPlay === runs
      ? ''
      : shard.of > 1
        ? `, ${grouped(toPlay)} of them here (shard ${shardText(shard)})`
        : `, ${grouped(toPlay)} of them still to run`;
  if (toPlay === 0) return `${whole}; all of them${shard.of > 1 ? ` of shard ${shardText(shard)}` : ''} are complete\n`;
  const each = secondsPerRun < 10 ? secondsPerRun.toFixed(2) : grouped(Math.round(secondsPerRun));
  return `${whole}${own}; about ${spanText(seconds)} with ${workers} ${workers === 1 ? 'worker' : 'workers'}, from trial runs of ${each} s\n`;
}

function spanText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${(seconds / 3_600).toFixed(1)} hours`;
}
