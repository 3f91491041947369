import { Amount } from '@coinlab/core';
import {
  ALL,
  completionOf,
  doubtText,
  failuresOf,
  intervalOf,
  judge,
  METRICS,
  momentsOf,
  numberOf,
  TOLERANCE,
  verdictOfRuns,
  type RunResult,
  type ThresholdResult,
} from '@coinlab/sim';
import { intervalText } from '../interval-text.js';
import { isStarved, refusedText, starvedText } from './completion-text.js';
import { grouped, table } from '../table.js';
import { warmupText } from './warmup-text.js';

export function runText(
  results: readonly RunResult[],
  thresholds: readonly ThresholdResult[],
  minCompleted: number,
): string {
  const [first] = results;
  if (!first) return '';
  const { scenario, summary } = first;
  const shown = METRICS.filter(({ name }) => summary.has(name));
  type Row = (typeof shown)[number];
  const column = (title: string, prefix: string): { readonly title: string; readonly cell: (row: Row) => string } => ({
    title,
    cell: ({ name }) => figure(results, `${prefix}${name}`),
  });
  const columns = [
    { title: 'metric', cell: ({ name }: Row) => name },
    column(ALL, ''),
    ...scenario.groups.map(({ name }) => column(name, `${name}/`)),
    { title: 'unit', cell: ({ unit }: Row) => unit },
  ];
  const completion = completionOf(results);
  const failures = failuresOf(results);
  const starved = isStarved(completion, minCompleted);
  const mark = (holds: boolean): string => (holds ? '✓' : '✗');
  const demands = thresholds.map(
    ({ metric, demand, found, holds }) =>
      `${starved ? '–' : mark(holds)} ${metric} ${demand}: ${found ?? 'no such metric'}${starved ? ', not judged' : ''}\n`,
  );
  const asked = results.reduce((sum, { summary: own }) => sum + numberOf(own.get('payments.asked') ?? 0), 0);
  return [
    `${head(results)}\n\n${table(columns, shown)}\n`,
    oneHistoryText(results),
    refusedText(failures, asked),
    starved ? `✗ ${starvedText(completion, failures, minCompleted)}\n` : '',
    ...demands,
    starved ? '' : `${verdictLines(results)}${warmupText(results)}`,
    tail(results),
  ].join('');
}

export function oneHistoryText(results: readonly RunResult[]): string {
  const groups = (results[0]?.scenario.groups ?? []).filter(({ name }) => isIdentical(results, name));
  if (groups.length === 0) return '';
  return `All replicates of ${groups.map(({ name }) => name).join(', ')} are identical: there is one history without random draws, so there is no interval. Resample
recorded payments with operators: [{ bootstrap: { block: 200 } }], or run one replicate.\n`;
}

function isIdentical(results: readonly RunResult[], group: string): boolean {
  if (!results.every(({ summary }) => Number(summary.get(`${group}/payments.asked`)) > 0)) return false;
  const [first, ...others] = results.map(({ summary }) =>
    [...summary].filter(([metric]) => metric.startsWith(`${group}/`)).join(';'),
  );
  return others.length > 0 && others.every((other) => other === first);
}

export function judgedOnMeans(results: readonly RunResult[]): readonly ThresholdResult[] {
  const [first] = results;
  if (!first || results.length === 1) return first?.thresholds ?? [];
  const means = new Map<string, number>();
  for (const metric of first.summary.keys())
    means.set(metric, intervalOf(results.map(({ summary }) => numberOf(summary.get(metric) ?? 0))).mean);
  return judge(first.scenario.thresholds, means);
}

function head(results: readonly RunResult[]): string {
  const [first] = results;
  if (!first) return '';
  const { scenario, replicate, rounds, log } = first;
  const run = `${scenario.name}, seed ${scenario.seed}`;
  if (results.length === 1)
    return `${run}, replicate ${replicate}: ${grouped(rounds)} rounds, ${grouped(log.updates)} updates`;
  return `${run}: ${results.length} replicates, means ± half-width of the 95 % interval, [low, high] if skewed`;
}

function figure(results: readonly RunResult[], metric: string): string {
  const values = results.flatMap(({ summary }) => summary.get(metric) ?? []);
  const [first] = values;
  if (first === undefined) return '';
  if (values.length > 1) return intervalText(intervalOf(values.map(numberOf)));
  if (typeof first === 'bigint') return grouped(Amount.short(first));
  return grouped(Number.isInteger(first) ? first : first.toFixed(3));
}

/**
 * Returns one verdict per group. A verdict over all groups would hide that the payers are stable when a payee keeps
 * every coin.
 */
function verdictLines(results: readonly RunResult[]): string {
  const lines = (results[0]?.scenario.groups ?? []).map(({ name }) => {
    const verdict = verdictOfRuns(results.map(({ series }) => momentsOf(series, name)));
    if (verdict === null) return '';
    const why = doubtText(verdict) ?? `stable is within ±${TOLERANCE}`;
    return `UTXOs of ${name} ${verdict.trend}: ${intervalText(verdict.slope)} per party and day (${why})\n`;
  });
  return lines.join('');
}

function tail(results: readonly RunResult[]): string {
  const [first] = results;
  return results.length === 1 && first ? `log ${first.log.hash}\nstate ${first.stateHash}\n` : '';
}
