import type { ReportRun, SweepRuns } from '@coinlab/lab';
import { METRICS } from '@coinlab/sim';

type Row = ReportRun['series'][number];

export function madeUp(label: string, factor: number, groups: readonly string[], share: number): ReportRun {
  const rowsOf = (row: (replicate: number, group: string, i: number) => readonly Row[]): readonly Row[] =>
    [0, 1, 2].flatMap((replicate) => groups.flatMap((group, i) => row(replicate, group, i)));
  const level = (round: number, i: number, replicate: number): number =>
    factor * (4 + i) * (1 + round / 90) + ((round * 7 + replicate * 5 + i * 3) % 11) / 5;
  return {
    label,
    summary: rowsOf((replicate, group, i) => [
      {
        replicate,
        group,
        rounds: 120,
        ...Object.fromEntries(
          METRICS.map(({ name }, m) => [name, name === 'burned' ? null : factor * (m + 1) * (10 + i + replicate)]),
        ),
        'payments.asked': 100,
        'payments.made': group === 'shops' ? 100 * share : 100,
      },
    ]),
    series: rowsOf((replicate, group, i) =>
      Array.from({ length: 40 }, (_, step): Row => {
        const round = step * 3;
        const mean = level(round, i, replicate);
        return {
          replicate,
          round,
          group,
          parties: 10 * (i + 1),
          utxos: Math.round(mean * 10 * (i + 1)),
          'utxosPerParty.mean': mean,
          'utxosPerParty.p05': Math.floor(mean / 3),
          'utxosPerParty.p50': Math.round(mean),
          'utxosPerParty.p95': Math.ceil(mean * 2),
          'utxosPerParty.max': Math.ceil(mean * 3),
          'utxosPerParty.over10': mean > 10 ? (mean - 10) / mean : 0,
          locked: round % 5,
          pending: round % 4,
          transfers: step * (i + 1) * 3,
          merges: Math.floor(step * factor),
          mergeInputs: Math.floor(step * factor) * 9,
          'dust.expired': i === 2 ? null : step % 3,
          'dust.expiredValue': step / 10,
          'traffic.bytes': step * 9_200,
        };
      }),
    ),
    histograms: rowsOf((replicate, group, i) =>
      ['utxosPerParty', 'inputsPerTransfer'].flatMap((histogram, h) =>
        Array.from({ length: 25 }, (_, k) => ({
          replicate,
          group,
          histogram,
          value: k + 1 + h,
          times: Math.ceil((90 * factor * (i + 1)) / (k + 1)),
        })),
      ),
    ),
    thresholds: [0, 1, 2].flatMap((replicate) => [
      {
        replicate,
        metric: 'merges',
        demand: '>= 50',
        found: 40 + 10 * replicate,
        holds: replicate > 0 ? 'true' : 'false',
      },
      { replicate, metric: 'nothing', demand: '<= 1', found: null, holds: 'false' },
    ]),
    scenario: null,
    manifest: null,
    of: groups.length > 1 ? 'all parties' : 'payers',
  };
}

/** Settings of a point, and for each replicate the values of its metrics; null: the run failed. */
export interface MadeUpPoint {
  readonly settings: readonly unknown[];
  readonly values: readonly (readonly number[] | null)[];
  /** Completed payments of 100 in each replicate; default: all. */
  readonly completed?: number;
}

export function madeUpSweep(
  points: readonly MadeUpPoint[],
  {
    parameters,
    metrics,
    objectives = [],
  }: Record<'parameters' | 'metrics', readonly string[]> & { objectives?: readonly string[] },
): SweepRuns {
  const replicates = points[0]?.values.length ?? 0;
  return {
    heading: {
      coinlab: '1.2.3',
      sweep: 'abc',
      file: 'made-up.yaml',
      definition: {
        name: 'made-up',
        description: '',
        parameters: parameters.map((name) => ({ name, path: name, values: [] })),
        design: { list: [] },
        seed: 1,
        replicates,
        minCompleted: 0.95,
      },
      metrics: metrics.map((name) => ({ name, kind: 'ratio' })),
      objectives,
      points: points.length,
    },
    rows: points.flatMap(({ settings, values, completed = 100 }, point) =>
      values.map((found, replicate) => ({
        run: point * replicates + replicate,
        settings,
        values: found,
        payments: found && { requested: 100, completed },
        error: found ? null : 'failed',
      })),
    ),
  };
}
