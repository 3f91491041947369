import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount } from '@coinlab/core';
import { importPayments, type Imported, type ImportOptions, type Rejected } from '@coinlab/lab';
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-import-'));

function written(content: string, name: string = 'payments.csv'): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function imported(content: string, options: ImportOptions = {}): Promise<Imported> {
  const found = await importPayments(written(content), options);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

async function refusal(content: string, options: ImportOptions = {}): Promise<string> {
  const found = await importPayments(written(content), options);
  return found.ok ? 'accepted' : found.error;
}

/** Returns the coins that each party holds at first. */
function openingsOf({ lines, summary }: Imported): readonly string[] {
  return [...lines()].slice(0, summary.funding.coins).map(({ to, amount }) => `${to} ${Amount.short(amount)}`);
}

/** Reads one time, as ISO text or the reason of its rejection. */
async function timeOf(time: string, options: ImportOptions = {}): Promise<string> {
  const faults: Rejected[] = [];
  const found = await importPayments(written(`from\tto\tamount\ttime\na\tb\t1\t${time}\n`), {
    openings: 'none',
    ...options,
    onReject: (rejected) => faults.push(rejected),
  });
  const [fault] = faults;
  if (fault) return fault.reason;
  return found.ok ? new Date((found.value.summary.period?.first ?? 0) / 1000).toISOString() : found.error;
}

describe('the summary of an import', () => {
  it('counts rows, payments, parties, rounds and the coin paid', async () => {
    const table = [
      'from,to,amount,time',
      'a,b,1.5,2026-01-01 00:05',
      'b,Ç,0.00000000015,2026-01-01T00:25Z',
      ',a,2,2026-01-01 00:15',
      'a,unknown,3,2026-01-01 01:00',
      'a,b,x,2026-01-01 01:00',
      '',
    ].join('\n');
    const { summary } = await imported(table, { openings: 'none' });
    expect(summary).toMatchObject({
      rows: 5,
      payments: 4,
      parties: 4,
      renamed: 1,
      fromOutside: 1,
      toOutside: 1,
      withoutZone: 4,
      outOfOrder: 1,
      sum: Amount.of('6.5000000002'),
      rounded: 1,
      rejected: 1,
    });
    // From minute 5 to minute 60, in rounds of ten minutes.
    expect(summary.rounds).toBe(6);
    expect(summary.period).toEqual({
      first: Date.UTC(2026, 0, 1, 0, 5) * 1000,
      last: Date.UTC(2026, 0, 1, 1) * 1000,
    });
  });

  it('counts as rounded only amounts that lose digits', async () => {
    const rounded = async (amount: string, options: ImportOptions = {}): Promise<number> =>
      (await imported(`from,to,amount\na,b,${amount}\n`, options)).summary.rounded;
    expect(await rounded('0.12345678900')).toBe(0);
    expect(await rounded('0.12345678901')).toBe(1);
    expect(await rounded('0.1234567890')).toBe(0);
    expect(await rounded('1', { unit: '0.00000000001' }).catch(() => 'refused')).toBe('refused');
    expect(await rounded('15', { unit: '0.00000000001' })).toBe(1);
    expect(await rounded('20', { unit: '0.00000000001' })).toBe(0);
  });

  it('rounds the half to the even unit', async () => {
    const sum = async (amount: string): Promise<bigint> =>
      (await imported(`from,to,amount\na,b,${amount}\n`)).summary.sum;
    expect(await sum('0.00000000005').catch(() => 0n)).toBe(0n);
    expect(await sum('0.00000000015')).toBe(2n);
    expect(await sum('0.00000000025')).toBe(2n);
    expect(await sum('0.000000000250001')).toBe(3n);
    expect(await sum('0.000000000249999')).toBe(2n);
  });

  it('lists reasons of rejected rows by their number, with the first eighty characters of the value', async () => {
    const faults: Rejected[] = [];
    const long = 'x'.repeat(200);
    const table = `from,to,amount\na,b,1\na,b,0\na,b,${long}\na,b,y\n`;
    const { summary } = await imported(table, { onReject: (rejected) => faults.push(rejected) });
    expect(summary.reasons.map(({ field, rows }) => [field, rows])).toEqual([
      ['amount', 2],
      ['amount', 1],
    ]);
    expect(faults.map(({ value }) => value.length)).toEqual([1, 80, 1]);
  });
});

describe('the columns of a table', () => {
  it('may have a plus sign in their name, and upper and lower case may tell them apart', async () => {
    const table = 'from,to,amount,Date+Time\na,b,1,2026-01-01T06:00Z\n';
    const found = await imported(table, { map: { time: 'Date+Time' } });
    expect(found.summary.columns.at(-1)).toEqual({ field: 'time', columns: ['Date+Time'], isGuessed: false });
    expect(found.summary.period?.first).toBe(Date.UTC(2026, 0, 1, 6) * 1000);
    const cased = await imported('From,to,Sum,SUM\na,b,1,2\n', { map: { amount: 'SUM' } });
    expect(cased.summary.sum).toBe(Amount.of('2'));
    expect(await refusal('From,to,Sum,SUM\na,b,1,2\n', { map: { amount: 'sum' } })).toContain(
      'map: amount: got the column "sum", expected one of From, to, Sum, SUM',
    );
  });
});

describe('JSON lines', () => {
  it('may have empty lines, whose numbers count', async () => {
    const faults: Rejected[] = [];
    const row = '{"from":"a","to":"b","amount":"1"}';
    const { summary } = await imported(`${row}\n\n  \n${row}\n[]\n${row}`, {
      onReject: (rejected) => faults.push(rejected),
    });
    expect(summary).toMatchObject({ kind: 'JSON lines', rows: 4, payments: 3, rejected: 1 });
    expect(faults).toMatchObject([{ line: 5, field: 'row', value: '[]', reason: 'is no JSON object' }]);
  });
});

describe('times of Parquet', () => {
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const;
  const column = (unit: 'MILLIS' | 'MICROS' | 'NANOS', isAdjustedToUTC: boolean): SchemaElement => ({
    name: 'time',
    type: 'INT64',
    repetition_type: 'REQUIRED',
    logical_type: { type: 'TIMESTAMP', unit, isAdjustedToUTC },
  });
  const start = Date.UTC(2026, 0, 1, 12) * 1000;
  const readTime = async (time: SchemaElement, value: bigint | number): Promise<readonly [number, number]> => {
    const bytes = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 4 },
        { name: 'from', ...text },
        { name: 'to', ...text },
        { name: 'amount', ...text },
        time,
      ],
      columnData: [
        { name: 'from', data: ['a'] },
        { name: 'to', data: ['b'] },
        { name: 'amount', data: ['1'] },
        { name: 'time', data: [value] },
      ],
    });
    writeFileSync(join(folder, 'times.parquet'), new Uint8Array(bytes));
    const found = await importPayments(join(folder, 'times.parquet'), { zone: '+02:00' });
    if (!found.ok) throw new Error(found.error);
    const { period, withoutZone } = found.value.summary;
    return [(period?.first ?? 0) - start, withoutZone];
  };

  it('are exact in milliseconds, microseconds and nanoseconds', async () => {
    expect(await readTime(column('MILLIS', true), BigInt(start / 1000 + 7))).toEqual([7_000, 0]);
    expect(await readTime(column('MICROS', true), BigInt(start + 7))).toEqual([7, 0]);
    expect(await readTime(column('NANOS', true), BigInt(start) * 1000n + 7_999n)).toEqual([7, 0]);
  });

  it('are in the zone of the import when they are not in UTC', async () => {
    expect(await readTime(column('MICROS', false), BigInt(start))).toEqual([-2 * 3.6e9, 1]);
    expect(await readTime(column('MILLIS', false), BigInt(start / 1000))).toEqual([-2 * 3.6e9, 1]);
  });
});

describe('a table with some of the columns', () => {
  it.each([
    ['a sender alone', 'from,amount\na,1\n', 'map: to: no column'],
    ['a recipient alone', 'to,amount\na,1\n', 'map: from: no column'],
    ['no amount', 'from,to,cost\na,b,1\n', 'map: amount: no column'],
    ['neither sender nor amount', 'time,cost\n2026-01-01,1\n', 'map: amount: no column'],
  ])('with %s is refused, and the error names the missing one', async (_, content, expected) => {
    expect(await refusal(content)).toContain(expected);
  });

  it('without times keeps the order of its rows in one round', async () => {
    const { summary } = await imported('from,to,amount\na,b,1\nb,a,2\n');
    expect(summary).toMatchObject({ period: null, rounds: 1, withoutZone: 0, outOfOrder: 0 });
  });
});

describe('the limits of a time', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-12-31 23:59:59', '2026-12-31T23:59:59.000Z'],
    ['2026-01-01 00:00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-04-30', '2026-04-30T00:00:00.000Z'],
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-01-31 12:00 am', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31 1:05 PM', '2026-01-31T13:05:00.000Z'],
    ['2026-01-31 12:00:00,25', '2026-01-31T12:00:00.250Z'],
    ['2026-01-31 12:00 -01:30', '2026-01-31T13:30:00.000Z'],
    ['2026-01-31 12:00 +14:00', '2026-01-30T22:00:00.000Z'],
    ['1769860800.000999', '2026-01-31T12:00:00.000Z'],
    ['1769860800.25', '2026-01-31T12:00:00.250Z'],
    ['1769860800123.9', '2026-01-31T12:00:00.123Z'],
    ['-999999999', '1938-04-24T22:13:21.000Z'],
  ])('%s is valid', async (text, expected) => {
    expect(await timeOf(text)).toBe(expected);
  });

  it.each([
    ['2026-02-29', 'calendar'],
    ['2026-04-31', 'calendar'],
    ['2026-00-10', 'calendar'],
    ['2026-13-10', 'calendar'],
    ['2026-01-00', 'calendar'],
    ['2026-01-32', 'calendar'],
    ['2026-01-31 24:00', 'time of the day'],
    ['2026-01-31 12:60', 'time of the day'],
    ['2026-01-31 12:00:60', 'time of the day'],
    ['2026-01-31 0:30 am', 'time of the day'],
    ['2026-01-31 13:30 pm', 'time of the day'],
    ['2026-01-31 12:00 +15:00', 'time zone'],
    ['2026-01-31 12:00 +01:60', 'time zone'],
  ])('%s is rejected', async (text, reason) => {
    expect(await timeOf(text)).toContain(reason);
  });

  it('keeps microseconds', async () => {
    const table =
      'from,to,amount,time\na,b,1,2026-01-01T00:00:00.000001Z\na,b,1,1767225600000009\na,b,1,1767225600.000042\n';
    const { summary } = await imported(table, { openings: 'none' });
    const start = Date.UTC(2026, 0, 1) * 1000;
    expect(summary.period).toEqual({ first: start + 1, last: start + 42 });
  });

  it('does not read dates with the year last as year first', async () => {
    expect(await timeOf('03/04/2026', { dates: 'ymd' })).toContain('dmy or mdy');
    expect(await timeOf('03.04.2026')).toContain('2026-04-03');
    expect(await timeOf('03.04.2026', { dates: 'mdy' })).toContain('2026-03-04');
    expect(await timeOf('03-04-2026')).toContain('dmy or mdy');
  });
});

describe('the estimated coin of a party', () => {
  it('is its need in coins of its median receipt, the upper one of two', async () => {
    // Receives 1, 2, 4 and 8 after it has paid 14: coins of 4, 4, 4 and 2.
    const table = 'from,to,amount\na,b,14\nx,a,8\nx,a,1\nx,a,4\nx,a,2\n';
    const openings = openingsOf(await imported(table, { openings: 'estimate' }));
    expect(openings.filter((coin) => coin.startsWith('a '))).toEqual(['a 4.0', 'a 4.0', 'a 4.0', 'a 2.0']);
  });

  it('has coins of the median payment when it receives nothing, and none when it needs none', async () => {
    const table = 'from,to,amount\na,b,3\na,b,5\na,b,3\nb,c,1\n';
    const openings = openingsOf(await imported(table, { openings: 'estimate' }));
    expect(openings).toEqual(['a 3.0', 'a 3.0', 'a 3.0', 'a 2.0']);
  });

  it('is at most a hundred coins, which then are equal except for the last', async () => {
    const openings = async (need: string): Promise<readonly string[]> =>
      openingsOf(await imported(`from,to,amount\na,b,${need}\nx,a,1\n`, { openings: 'estimate' })).filter((coin) =>
        coin.startsWith('a '),
      );
    expect(await openings('100')).toEqual(Array<string>(100).fill('a 1.0'));
    const more = await openings('250.5');
    expect(more).toHaveLength(100);
    expect(new Set(more)).toEqual(new Set(['a 2.505']));
    expect(await openings('99.5')).toEqual([...Array<string>(99).fill('a 1.0'), 'a 0.5']);
  });
});

describe('payments beyond the coin of a party', () => {
  it('are counted with the missing coin, and are not made', async () => {
    const openings = written('Party,Amount\na,5\nb,1\n', 'openings.csv');
    // a pays 5 and has 0; lacks 2; b has 6, pays 6, lacks 1; c pays what it has.
    const table = 'from,to,amount\na,b,5\na,b,2\nb,c,6\nb,c,1\nc,a,6\na,b,6\n';
    const { summary } = await imported(table, { openings: { file: openings } });
    expect(summary.funding).toEqual({
      coins: 2,
      parties: 2,
      coin: Amount.of('6'),
      payments: 2,
      missing: Amount.of('3'),
    });
  });

  it('are all payments of parties without coin', async () => {
    const { summary } = await imported('from,to,amount\na,b,5\nb,a,2\n,a,1\na,b,1\n', { openings: 'none' });
    expect(summary.funding).toEqual({ coins: 0, parties: 0, coin: 0n, payments: 2, missing: Amount.of('7') });
  });

  it('are refused with a row of the openings that cannot be split', async () => {
    const openings = written('Party,Amount\na,5\nb\n', 'openings.csv');
    expect(await refusal('from,to,amount\na,b,5\n', { openings: { file: openings } })).toMatch(/openings: .*line 3: /);
    const columns = written('Party,Cost\na,5\n', 'openings.csv');
    expect(await refusal('from,to,amount\na,b,5\n', { openings: { file: columns } })).toContain(
      'got the columns Party, Cost, expected party and amount',
    );
  });
});
