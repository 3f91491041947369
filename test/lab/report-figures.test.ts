import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOf, type ReportRun } from '@coinlab/lab';
import { METRICS } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

/*
 * Reports of made-up results, so that a change of the simulator changes none of them. When a figure changes on purpose, look at it
 * and accept it with `COINLAB_ACCEPT=1 npx vitest run test/lab/report-figures.test.ts`.
 */
const KNOWN = join(import.meta.dirname, 'report-figures.json');
const GROUPS = ['all', 'payers', 'shops'];

type Row = ReportRun['series'][number];

function madeUp(label: string, factor: number, groups: readonly string[], share: number): ReportRun {
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

async function figuresOf(name: string, runs: readonly ReportRun[]): Promise<readonly (readonly [string, string])[]> {
  const { html, svgs } = await reportOf(runs);
  // The citation has the version of the program.
  const text = html.replaceAll(/<svg[\s\S]*?<\/svg>/g, '').replace(/<h2[^>]*>To cite[\s\S]*/, '');
  return [
    [`${name}: text`, hashOf(text)],
    ...[...svgs].map(([file, svg]) => [`${name}: ${file}`, hashOf(svg)] as const),
  ];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

describe('the figures and tables of a report', () => {
  it('are the known ones for one run, for one group, and for runs of different sizes with long names', async () => {
    const found = Object.fromEntries([
      ...(await figuresOf('one run', [madeUp('one', 1, GROUPS, 1)])),
      ...(await figuresOf('one group', [madeUp('group', 0.4, ['all'], 1)])),
      ...(await figuresOf('many runs', [
        madeUp('smallest-first', 1, GROUPS, 1),
        madeUp('largest-first above a threshold of ten coins', 30, GROUPS, 0.5),
        madeUp('oldest-first', 0.2, GROUPS, 1),
        madeUp('never', 31, GROUPS, 1),
      ])),
    ]);
    if (process.env['COINLAB_ACCEPT'] !== undefined) writeFileSync(KNOWN, `${JSON.stringify(found, null, 2)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(KNOWN, 'utf8')));
  });
});
