import { join } from 'node:path';
import { rowsOfParquet } from '@coinlab/lab';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DUCKDB_IS_MISSING, duckDbRows } from '../duckdb.ts';
import { root } from './coinlab.ts';
import { playPage, type PlayedPage } from './guide-page.ts';

const TASKS = 'docs/guides/twenty-tasks.md';
/** Seconds that a task may take on a machine without other work. */
const MOST_SECONDS = 10;
/** Slowdown of a continuous-integration machine that runs other tests on every core. */
const LOADED_MACHINE = 3;

describe('a guide', () => {
  it.each(['your-own-payments', 'trust-a-run', 'recorded-payments'].map((name) => `docs/guides/${name}.md`))(
    '%s shows the output of its commands',
    async (page) => {
      const { text, played } = await playPage(page);
      expect(played.length).toBeGreaterThan(0);
      // npx vitest run test/cli/guides.test.ts -u writes the present output into the page.
      await expect(text).toMatchFileSnapshot(join(root, page));
    },
  );
});

describe('the twenty tasks', () => {
  let page: PlayedPage;
  const before = process.cwd();
  beforeAll(async () => {
    page = await playPage(TASKS);
    process.chdir(page.folder);
  });
  afterAll(() => process.chdir(before));

  const blockIn = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page.text)?.[1] ?? expect.unreachable();

  /** The mean merges of each threshold and policy, from the file that both tasks read. */
  const means = async (): Promise<readonly { threshold: unknown; policy: unknown; merges: number }[]> => {
    const rows = (await rowsOfParquet(readFileSync('results/results.parquet'))).filter(
      (row) => row['metric'] === 'merges',
    );
    const cells = new Map<string, typeof rows>();
    for (const row of rows) {
      const cell = `${String(row['threshold'])} ${String(row['policy'])}`;
      cells.set(cell, [...(cells.get(cell) ?? []), row]);
    }
    return [...cells.values()].map((own) => ({
      threshold: own[0]?.['threshold'],
      policy: own[0]?.['policy'],
      merges: own.reduce((sum, row) => sum + Number(row['value']), 0) / own.length,
    }));
  };

  it('print the output that the page shows', async () => {
    expect(page.text.match(/^### \d+\. /gm)).toHaveLength(20);
    await expect(page.text).toMatchFileSnapshot(join(root, TASKS));
  });

  it('take at most ten seconds each', () => {
    const slow = page.played.filter(({ seconds }) => seconds > MOST_SECONDS * LOADED_MACHINE);
    expect(slow).toEqual([]);
  });

  it('write a Parquet file with the columns that the DuckDB and pandas tasks read', async () => {
    const [sql, python] = [blockIn('sql'), blockIn('python')];
    const [, file = ''] = /FROM '([^']+)'/.exec(sql) ?? [];
    expect(python).toContain(`read_parquet('${file}')`);
    const [row] = await rowsOfParquet(readFileSync(file));
    const [, grouped = ''] = /GROUP BY (.*)/.exec(sql) ?? [];
    const named = [...(/pivot_table\((.*)\)/.exec(python)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name);
    expect(named).toHaveLength(4);
    expect(Object.keys(row ?? {})).toEqual(
      expect.arrayContaining([...grouped.split(', '), 'metric', 'value', ...named]),
    );
    expect(await means()).toHaveLength(6);
  });

  it.skipIf(DUCKDB_IS_MISSING)('have a query that DuckDB answers with the means of the file', async () => {
    const [rows = []] = await duckDbRows([blockIn('sql')]);
    const sorted = (await means()).toSorted((a, b) => a.merges - b.merges);
    expect(rows.map((row) => Object.values(row).map(String))).toEqual(
      sorted.map(({ threshold, policy, merges }) => [String(threshold), String(policy), String(merges)]),
    );
  });
});
