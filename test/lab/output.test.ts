import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount } from '@coinlab/core';
import { csvText, FORMATS, jsonLines, parquetBytes, rowsOfParquet, runTables, writeFiles } from '@coinlab/lab';
import { knownMetrics, METRICS, type Table } from '@coinlab/sim';
import { parquetMetadata } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from './runs.ts';

const LARGEST = '9999999999999999999999999999.9999999999';

const TABLE: Table = {
  columns: [
    { name: 'name', kind: 'text' },
    { name: 'count', kind: 'count' },
    { name: 'share', kind: 'ratio' },
    { name: 'fee.paid', kind: 'coin' },
    { name: 'price', kind: 'usd' },
  ],
  rows: [
    ['plain', 3, 0.1, Amount.of('0.0000000001'), Amount.of('12.5')],
    ['a "quoted", long\nname', Number.MAX_SAFE_INTEGER, -1e-9, Amount.of(LARGEST), Amount.of(`-${LARGEST}`)],
    [null, null, null, null, null],
  ],
};

const bytesOf = (pieces: Iterable<string>): string => [...pieces].join('');

it('a group has all metrics except the metrics that the reference marks as network only', () => {
  const ofNetwork = METRICS.filter(({ isNetworkOnly }) => isNetworkOnly);
  expect(ofNetwork.map(({ name }) => name)).toContain('supply');
  expect(METRICS.filter(({ formula }) => formula.startsWith('network only: '))).toEqual(ofNetwork);
  const known = knownMetrics([{ name: 'payers' }]);
  for (const { name, isNetworkOnly } of METRICS) expect(known.includes(`payers/${name}`)).toBe(!isNetworkOnly);
});

describe('a table export', () => {
  it('writes CSV with all decimals and quotes cells where necessary', () => {
    expect(bytesOf(csvText(TABLE))).toBe(
      `name,count,share,fee.paid,price\nplain,3,0.1,0.0000000001,12.5000000000\n` +
        `"a ""quoted"", long\nname",9007199254740991,-1e-9,${LARGEST},-${LARGEST}\n,,,,\n`,
    );
  });

  it('writes one JSON object per line, with amounts as strings', () => {
    const lines = bytesOf(jsonLines(TABLE)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { name: 'plain', count: 3, share: 0.1, 'fee.paid': '0.0000000001', price: '12.5000000000' },
      {
        name: 'a "quoted", long\nname',
        count: Number.MAX_SAFE_INTEGER,
        share: -1e-9,
        'fee.paid': LARGEST,
        price: `-${LARGEST}`,
      },
      { name: null, count: null, share: null, 'fee.paid': null, price: null },
    ]);
  });

  it('reads exact amounts back from Parquet', async () => {
    const lines = bytesOf(jsonLines(TABLE)).trimEnd().split('\n');
    expect(await rowsOfParquet(parquetBytes(TABLE))).toEqual(lines.map((line) => JSON.parse(line) as unknown));
  });

  it('stores the column types in Parquet', () => {
    const { schema, num_rows } = parquetMetadata(new Uint8Array(parquetBytes(TABLE)).buffer);
    expect(num_rows).toBe(3n);
    expect(
      schema
        .slice(1)
        .map(({ name, type, converted_type, precision, scale }) => [
          name,
          converted_type === 'DECIMAL' ? `DECIMAL(${precision},${scale})` : (converted_type ?? type),
        ]),
    ).toEqual([
      ['name', 'UTF8'],
      ['count', 'INT64'],
      ['share', 'DOUBLE'],
      ['fee.paid', 'DECIMAL(38,10)'],
      ['price', 'DECIMAL(38,10)'],
    ]);
  });

  it('writes the header of a table without rows', async () => {
    const empty = { ...TABLE, rows: [] };
    expect(bytesOf(csvText(empty))).toBe('name,count,share,fee.paid,price\n');
    expect(await rowsOfParquet(parquetBytes(empty))).toEqual([]);
  });
});

describe('run tables', () => {
  const tables = runTables(runs());
  const table = (name: string): Table => tables.get(name) as Table;
  const column = (name: string, of: string): readonly unknown[] => {
    const index = table(of).columns.findIndex((column) => column.name === name);
    return table(of).rows.map((row) => row[index]);
  };

  it('identify the run in each row and fill every column', () => {
    expect([...tables.keys()]).toEqual(['summary', 'totals', 'series', 'histograms', 'parties', 'thresholds']);
    for (const { columns, rows } of tables.values()) {
      expect(columns.slice(0, 3).map(({ name }) => name)).toEqual(['scenario', 'seed', 'replicate']);
      expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter((row) => row.length !== columns.length)).toEqual([]);
    }
  });

  it('have one row per replicate and group with a column per metric', () => {
    expect(table('summary').rows.map((row) => [row[2], row[3]])).toEqual([
      [0, 'payers'],
      [0, 'shops'],
      [1, 'payers'],
      [1, 'shops'],
    ]);
    expect(table('summary').columns.slice(5)).toEqual(METRICS.map(({ name, kind }) => ({ name, kind })));
    expect(column('supply', 'summary').map((cell) => cell === null)).toEqual([true, true, true, true]);
    expect(column('supply', 'totals').map((cell) => cell === null)).toEqual([false, false]);
  });

  it('count each party once in sums over the groups', () => {
    for (const metric of ['utxos.final', 'transfers', 'merges', 'payments.asked', 'payments.made']) {
      const sum = (of: string): number => column(metric, of).reduce<number>((all, cell) => all + Number(cell), 0);
      expect([metric, sum('summary')]).toEqual([metric, sum('totals')]);
    }
  });

  it('list each party’s UTXOs, with the network’s number as their sum', () => {
    const parties = column('utxos', 'parties').map(Number);
    const all = column('utxos.final', 'totals').map(Number);
    expect(parties.reduce((sum, count) => sum + count, 0)).toBe(all.reduce((sum, count) => sum + count, 0));
    expect(new Set(column('group', 'parties'))).toEqual(new Set(['payers', 'shops']));
  });

  it('omit the parties unless the scenario sets perParty', () => {
    const [first] = runs();
    if (!first) throw new Error('no run');
    const scenario = { ...first.scenario, metrics: { ...first.scenario.metrics, perParty: false } };
    expect([...runTables([{ ...first, scenario }]).keys()]).not.toContain('parties');
  });
});

describe('table files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
  const read = (): Map<string, string> =>
    new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
  beforeAll(() => writeFiles(folder, runTables(runs()), { formats: FORMATS, others: new Map([['note.txt', 'x']]) }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('exist in every format, without partial files', () => {
    const names = ['histograms', 'parties', 'series', 'summary', 'thresholds', 'totals'];
    const all = names.flatMap((name) => FORMATS.map((format) => `${name}.${format}`));
    expect([...read().keys()].toSorted()).toEqual([...all, 'note.txt'].toSorted());
  });

  it('have the same bytes when the same runs are written twice', () => {
    const before = read();
    writeFiles(folder, runTables(runs()), { formats: FORMATS, others: new Map([['note.txt', 'x']]) });
    expect(read()).toEqual(before);
  });

  it('keep their old content when one of them cannot be written', () => {
    const before = read();
    const broken = new Map([['nowhere/note.txt', 'y']]);
    expect(() => writeFiles(folder, new Map([['summary', TABLE]]), { formats: ['csv'], others: broken })).toThrow(
      /ENOENT/,
    );
    expect(read()).toEqual(before);
  });
});

describe('a CSV cell that looks like a formula', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+cmd|x', "'+cmd|x"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=a,b', `"'=a,b"`],
    ['\t=1', "'\t=1"],
    ['-1.5', '-1.5'],
    ['-1e-7', '-1e-7'],
    ['a=1', 'a=1'],
  ])('is escaped as text: %j', (cell, shown) => {
    const columns = [{ ...TABLE.columns[0], name: 'name', kind: 'text' as const }];
    expect(bytesOf(csvText({ ...TABLE, columns, rows: [[cell]] }))).toBe(`name\n${shown}\n`);
  });
});
