import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { intervalOf, pairedDifference, simultaneousLevel, type Interval } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { coinlab, root } from './coinlab.ts';

const page = readFileSync(join(root, 'docs/guides/under-ten-utxos.md'), 'utf8');
const sweep = join(root, 'packages/lab/examples/real-thresholds.yaml');

/** Values per replicate, by policy, merge habit and metric. */
const found = new Map<string, number[]>();
const [head = '', ...rows] = readFileSync(join(root, 'docs/guides/under-ten/results.csv'), 'utf8')
  .trimEnd()
  .split('\n');
const runs = rows.map((row) => {
  const cells = row.split(',');
  return Object.fromEntries(head.split(',').map((name, i) => [name, cells[i] ?? '']));
});
for (const { select, merge, metric, value } of runs) {
  const name = `${select}, ${merge} ${metric}`;
  found.set(name, [...(found.get(name) ?? []), Number(value)]);
}

function of(policy: string, metric: string): readonly number[] {
  return found.get(`${policy} users/${metric}`) ?? expect.unreachable(`no ${metric} of ${policy}`);
}

/** Returns the rows of a page's table whose header begins with a word: cells by column. */
function table(begin: string, nth = 0): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const heads = lines.flatMap((line, i) => (line.startsWith(`${begin} `) ? [i] : []));
  const at = heads[nth] ?? expect.unreachable(`no table begins with ${begin}`);
  const body = lines.slice(at, lines.indexOf('', at));
  return body.filter((line) => !/^(─|●|```)/.test(line)).map((line) => line.trim().split(/ {2,}/));
}

/** Returns whether a cell is the interval, rounded to the cell's digits. Skewed samples have the ends of their interval. */
function isRounded(cell: string, { mean, low, high, halfWidth, method }: Interval): boolean {
  const shown = method === 't' ? / ± (.+)/.exec(cell) : / \[(.+), (.+)\]/.exec(cell);
  const ends = method === 't' ? [halfWidth ?? 0] : [low ?? 0, high ?? 0];
  const [center] = cell.split(' ');
  return near(center, mean) && ends.every((end, i) => near(shown?.[i + 1], end));
}

function near(text = '', value: number): boolean {
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  return Math.abs(Number(text.replaceAll(',', '')) - value) <= 0.5001 * 10 ** -decimals;
}

/** The comparison has seven differences, whose intervals hold together. */
const LEVEL = simultaneousLevel(7);

/** Columns of a comparison that the sweep has too, with their units. */
const COMPARED: readonly (readonly [column: string, metric: string, unit: number])[] = [
  ['UTXOs per party', 'utxosPerParty.mean', 1],
  ['p95', 'utxosPerParty.p95', 1],
  ['share over 10', 'utxosPerParty.over10', 1],
  ['merges', 'merges', 1],
  ['traffic, MB', 'traffic.bytes', 1e6],
  ['traffic, coin', 'traffic.coin', 1],
];

describe('the tutorial', () => {
  it.each(['3.0', '5.7'])('quotes runs that can be reproduced: %s', async (name) => {
    const { code, out } = await coinlab('sweep', sweep, '--only', name);
    expect(code).toBe(EXIT.ok);
    const { metrics } = JSON.parse(out) as { readonly metrics: Readonly<Record<string, number | string>> };
    const [point, replicate] = name.split('.');
    const kept = runs.filter((row) => row['point'] === point && row['replicate'] === replicate);
    expect(Object.fromEntries(kept.map(({ metric, value }) => [metric, Number(value)]))).toEqual(
      Object.fromEntries(Object.entries(metrics).map(([metric, value]) => [metric, Number(value)])),
    );
    if (name === '3.0') expect(page).toContain(`--only 3.0\n${out}`);
  });

  it('quotes the means of all runs and the paired differences', () => {
    const policy = (choice: string): string =>
      choice.replace('merge 10', 'threshold 10').replace('merge never', 'never');
    const [means, differences] = [table('policy'), table('policy', 1)];
    const first = policy(means[1]?.[0] ?? '');
    expect([means.length, differences.length]).toEqual([9, 8]);
    for (const [column, metric, unit] of COMPARED) {
      const at = means[0]?.indexOf(column) ?? -1;
      const scaled = (values: readonly number[]): readonly number[] => values.map((value) => value / unit);
      for (const row of means.slice(1)) {
        const expected = intervalOf(scaled(of(policy(row[0] ?? ''), metric)));
        expect([row[0], column, row[at], isRounded(row[at] ?? '', expected)]).toEqual([row[0], column, row[at], true]);
      }
      for (const row of differences.slice(1)) {
        const expected = pairedDifference(scaled(of(policy(row[0] ?? ''), metric)), scaled(of(first, metric)), LEVEL);
        expect([row[0], column, row[at], isRounded(row[at] ?? '', expected)]).toEqual([row[0], column, row[at], true]);
      }
    }
  });

  it('judges thresholds on the means of all runs', () => {
    const [titles = [], ...points] = table('point');
    expect(points).toHaveLength(20);
    for (const row of points)
      for (const metric of ['utxosPerParty.mean', 'merges', 'traffic.coin']) {
        const cell = row[titles.indexOf(`users/${metric}`)] ?? '';
        expect([row, isRounded(cell, intervalOf(of(`${row[1]}, ${row[2]}`, metric)))]).toEqual([row, true]);
      }
  });

  it('states figures of its tables before the first heading', () => {
    const answer = page.slice(0, page.indexOf('\n## '));
    const told = ({ mean, halfWidth }: Interval, decimals: number, scale = 1): string =>
      [mean, halfWidth ?? 0].map((value) => (value * scale).toFixed(decimals)).join(' ± ');
    const [never, merging] = ['smallest-first, never', 'smallest-first, threshold 10'] as const;
    const cost = pairedDifference(of(merging, 'traffic.coin'), of(never, 'traffic.coin'), LEVEL);
    expect(answer).toContain(told(intervalOf(of(merging, 'utxosPerParty.mean')), 2));
    expect(answer).toContain(told(intervalOf(of(never, 'utxosPerParty.mean')), 1));
    expect(answer.replaceAll(',', '')).toContain(told(cost, 0));
    expect(answer).toContain(`${((100 * cost.mean) / intervalOf(of(never, 'traffic.coin')).mean).toFixed(1)} % of`);
    expect(answer).toContain(`${told(intervalOf(of(never, 'utxosPerParty.over10')), 1, 100)} %`);
  });
});
