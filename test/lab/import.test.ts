import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Amount } from '@coinlab/core';
import {
  importPayments,
  parseMap,
  type Imported,
  type ImportOptions,
  type NetworkLine,
  type Rejected,
} from '@coinlab/lab';
import { DEFAULT_SETTINGS, replayNetwork } from '@coinlab/sim';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-import-'));

function written(content: string | Uint8Array, name: string = 'payments.csv'): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function imported(content: string | Uint8Array, options: ImportOptions = {}): Promise<Imported> {
  const found = await importPayments(written(content), options);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

async function refusal(content: string | Uint8Array, options: ImportOptions = {}): Promise<string> {
  const found = await importPayments(written(content), options);
  return found.ok ? 'accepted' : found.error;
}

/** The rows of a network without its openings, as `round from to amount`. */
function rowsOf({ lines }: Imported): readonly string[] {
  return [...lines()].map(
    ({ round, from, to, amount }: NetworkLine) => `${round} ${from} ${to} ${Amount.short(amount)}`,
  );
}

/** Imports one row of amount and time, and returns `amount micros` or the reason of its rejection. */
async function read(amount: string, time: string, options: ImportOptions = {}): Promise<string> {
  const faults: Rejected[] = [];
  const found = await importPayments(written(`from\tto\tamount\ttime\na\tb\t${amount}\t${time}\n`), {
    openings: 'none',
    ...options,
    onReject: (rejected) => faults.push(rejected),
  });
  const [fault] = faults;
  if (fault) return `${fault.field} ${fault.reason}`;
  if (!found.ok) return found.error;
  const { sum, period } = found.value.summary;
  return `${Amount.short(sum)} ${period === null ? '' : new Date(period.first / 1000).toISOString()}`;
}

const NOON = '2026-01-31T12:00:00Z';

describe('an amount', () => {
  it.each([
    ['12', '12.0'],
    ['12.5', '12.5'],
    ['.5', '0.5'],
    ['5.', '5.0'],
    ['+3', '3.0'],
    ['1,234.56', '1234.56'],
    ['1 234 567', '1234567.0'],
    ["1'234.5", '1234.5'],
    ['1_000', '1000.0'],
    ['1.5e3', '1500.0'],
    ['25E-1', '2.5'],
    ['$4.20', '4.2'],
    ['4.20 USD', '4.2'],
    ['CC 7', '7.0'],
    ['0.00000000015', '0.0000000002'],
    ['0.00000000025', '0.0000000002'],
    ['9'.repeat(28), `${'9'.repeat(28)}.0`],
  ])('of %s is %s', async (text, expected) => {
    expect(await read(text, NOON)).toBe(`${expected} 2026-01-31T12:00:00.000Z`);
  });

  it.each([
    ['', 'is empty'],
    ['twelve', 'expected a number such as 1,234.56'],
    ['12x4', 'expected a number'],
    ['1,23', 'expected a number'],
    ['1.234,56', 'expected a number'],
    ['1,2,3', 'expected a number'],
    ['0', 'is zero'],
    ['0.00000000001', 'is less than 0.0000000001 coin'],
    ['-5', 'is negative'],
    ['9'.repeat(29), 'exceeds 38 digits'],
    ['9'.repeat(61), 'more than 60 digits'],
    ['1e999', 'exponent out of range'],
  ])('of the text %s is rejected', async (text, expected) => {
    const found = await read(text, NOON);
    expect(found).toMatch(/^amount /);
    expect(found).toContain(expected);
  });

  it('with a decimal comma is parsed when the import has the option for it', async () => {
    expect(await read('1.234,56', NOON, { decimal: 'comma' })).toMatch(/^1234\.56 /);
    expect(await read('1,234.56', NOON, { decimal: 'comma' })).toContain('expected a number such as 1.234,56');
    expect(await read('1,234.56', NOON, { decimal: 'comma' })).toContain('with --decimal point it is a number');
    expect(await read('1.234,56', NOON)).toContain(
      'expected a number such as 1,234.56; with --decimal comma it is a number',
    );
    expect(await read('twelve', NOON)).not.toContain('--decimal');
  });

  it('is multiplied by the unit, exactly', async () => {
    expect(await read('1999', NOON, { unit: '0.01' })).toMatch(/^19\.99 /);
    expect(await read('123456789012345678901', NOON, { unit: '0.000000000000000001' })).toMatch(/^123\.4567890123 /);
    expect(await read('3', NOON, { unit: '1000' })).toMatch(/^3000\.0 /);
  });

  it('in another currency than the first is rejected', async () => {
    const faults: Rejected[] = [];
    const table = 'from,to,amount\na,b,1 EUR\na,b,2\na,b,3 USD\n';
    await imported(table, { onReject: (rejected) => faults.push(rejected) });
    expect(faults).toEqual([
      { line: 4, field: 'amount', value: '3 USD', reason: 'has another unit than the rows before (EUR)' },
    ]);
  });
});

describe('a time', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '12:00:00.000'],
    ['2026-01-31T12:00:00.123456Z', '12:00:00.123'],
    ['2026-01-31 12:00', '12:00:00.000'],
    ['2026-01-31 13:00:00 +01:00', '12:00:00.000'],
    ['2026-01-31T13:00:00+0100', '12:00:00.000'],
    ['2026-01-31 12:00:00 UTC', '12:00:00.000'],
    ['2026/1/31 12:00', '12:00:00.000'],
    ['31.01.2026 12:00', '12:00:00.000'],
    ['2026-01-31', '00:00:00.000'],
    ['2026-01-31, 12:30 PM', '12:30:00.000'],
    ['2026-01-31 12:30 am', '00:30:00.000'],
    ['1769860800', '12:00:00.000'],
    ['1769860800.5', '12:00:00.500'],
    ['1769860800123', '12:00:00.123'],
    ['1769860800123456', '12:00:00.123'],
    ['1769860800123456789', '12:00:00.123'],
  ])('of the text %s is parsed', async (text, clock) => {
    expect(await read('1', text)).toBe(`1.0 2026-01-31T${clock}Z`);
  });

  it.each([
    ['', 'is empty'],
    ['yesterday', 'expected a time such as'],
    ['2026-02-29', 'is no day of the calendar'],
    ['2026-13-01', 'is no day of the calendar'],
    ['2026-01-31 24:00', 'is no time of the day'],
    ['2026-01-31 13:00 pm', 'is no time of the day'],
    ['2026-01-31 12:00 +99:00', 'has an unknown time zone'],
    ['03/04/2026', 'give dates: dmy or mdy'],
  ])('of the text %s is rejected', async (text, expected) => {
    const found = await read('1', text);
    expect(found).toMatch(/^time /);
    expect(found).toContain(expected);
  });

  it('without a zone is read in the zone of the import', async () => {
    expect(await read('1', '2026-01-31 12:00', { zone: '+02:00' })).toContain('T10:00');
    expect(await read('1', '2026-01-31 12:00', { zone: '-05:30' })).toContain('T17:30');
    expect(await read('1', '2026-01-31 12:00', { zone: 'Europe/Berlin' })).toContain('T11:00');
    expect(await read('1', '2026-07-31 12:00', { zone: 'Europe/Berlin' })).toContain('T10:00');
    expect(await read('1', '2026-07-31T12:00Z', { zone: 'Europe/Berlin' })).toContain('T12:00');
  });

  it('that daylight saving skips is rejected, and a time that occurs twice is the earlier one', async () => {
    expect(await read('1', '2026-03-29 02:30', { zone: 'Europe/Berlin' })).toContain('the clocks skipped it');
    expect(await read('1', '2026-10-25 02:30', { zone: 'Europe/Berlin' })).toContain('2026-10-25T00:30');
  });

  it('is parsed with the order of day and month that the import sets', async () => {
    expect(await read('1', '03/04/2026', { dates: 'dmy' })).toContain('2026-04-03');
    expect(await read('1', '03/04/2026', { dates: 'mdy' })).toContain('2026-03-04');
  });
});

describe('the columns of a table', () => {
  it('are guessed from common names', async () => {
    const { summary } = await imported('ID,Sender Name,Payee,Value,Date,Time\n1,a,b,2,2026-01-31,12:00\n');
    expect(summary.columns).toEqual([
      { field: 'from', columns: ['Sender Name'], isGuessed: true },
      { field: 'to', columns: ['Payee'], isGuessed: true },
      { field: 'amount', columns: ['Value'], isGuessed: true },
      { field: 'time', columns: ['Date', 'Time'], isGuessed: true },
    ]);
    expect(summary.period?.first).toBe(Date.parse('2026-01-31T12:00Z') * 1000);
  });

  it.each(['Amount (EUR)', 'amount [CC]', 'Value (in coin)'])('are guessed without the unit of %s', async (name) => {
    const { summary } = await imported(`From,To,${name}\na,b,2\n`);
    expect(summary.columns[2]).toEqual({ field: 'amount', columns: [name], isGuessed: true });
    const both = await imported(`From,To,${name},Amount\na,b,2,3\n`);
    expect(both.summary.columns[2]?.columns).toEqual(['Amount']);
  });

  it('are taken from the column map, in upper or lower case', async () => {
    const map = parseMap('from=who, paid,to=whom,amount=Sum in CC,time=day+clock');
    if (!map.ok) return expect.unreachable();
    const { summary } = await imported('"who, paid",Whom,Sum in CC,day,clock\na,b,2,2026-01-31,12:00\n', {
      map: map.value,
    });
    expect(summary.columns.map(({ columns }) => columns.join('+'))).toEqual([
      'who, paid',
      'Whom',
      'Sum in CC',
      'day+clock',
    ]);
  });

  it.each([
    ['from=Sendr', 'map: from: got the column "Sendr", expected one of Sender, To, Value; the nearest is Sender'],
    ['to=Sender', 'map: to: the column "Sender" already gives another field'],
  ])('are refused for the map %s', async (text, expected) => {
    const map = parseMap(text);
    if (!map.ok) return expect.unreachable();
    expect(await refusal('Sender,To,Value\na,b,1\n', { map: map.value })).toContain(expected);
  });

  it('without a column for the amount are refused, and the error names the nearest column', async () => {
    expect(await refusal('from,to,amunt\na,b,1\n')).toContain('map: amount: no column has a common name');
    expect(await refusal('from,to,amunt\na,b,1\n')).toContain('the nearest is amunt');
  });

  it('of a statement describe one wallet: negative amounts are payments of that wallet', async () => {
    const found = await imported('Date,Text,Amount\n2026-01-01,salary,+100\n2026-01-02,rent,-70\n');
    expect(rowsOf(found)).toEqual(['1 null wallet 100.0', '145 wallet outside 70.0']);
  });
});

describe('a row', () => {
  it('may have quoted fields with separators, quotes and line breaks', async () => {
    const table = 'from;to;amount\n"Anna; ""A"" Ltd";"two\nlines";"1"\nb;c;2\nx;y;bad\n';
    const faults: Rejected[] = [];
    const { names, parties } = await imported(table, { onReject: (rejected) => faults.push(rejected) });
    expect(names).toEqual(['Anna; "A" Ltd', 'two\nlines', 'b', 'c']);
    expect(parties).toEqual(['Anna-A-Ltd', 'two-lines', 'b', 'c']);
    // The second row takes two lines.
    expect(faults.map(({ line }) => line)).toEqual([5]);
  });

  it('with several faults is rejected once, with each of them', async () => {
    const faults: Rejected[] = [];
    const table =
      'from,to,amount,time\na,b,1,2026-01-01\n,unknown,x,never\na,b,1\na,b,1,2026-01-01,more\n\nc,d,1,2026-01-01,\n';
    const { summary } = await imported(table, { onReject: (rejected) => faults.push(rejected) });
    expect(faults.map(({ line, field, value }) => [line, field, value])).toEqual([
      [3, 'from', ''],
      [3, 'amount', 'x'],
      [3, 'time', 'never'],
      [4, 'row', 'a,b,1'],
      [5, 'row', 'a,b,1,2026-01-01,more'],
    ]);
    expect([summary.rows, summary.payments, summary.rejected]).toEqual([5, 2, 3]);
    expect(summary.reasons.map(({ rows }) => rows)).toEqual([1, 1, 1, 1, 1]);
  });

  it('whose quote is not closed is rejected', async () => {
    const faults: Rejected[] = [];
    await imported('from,to,amount\na,b,1\n"c,d,2\ne,f,3\n', { onReject: (rejected) => faults.push(rejected) });
    expect(faults).toMatchObject([
      { line: 3, field: 'row', reason: 'has a quote that is not closed, or text after a closing quote' },
    ]);
  });

  it('from an unknown sender mints coin, and to an unknown recipient pays the party outside', async () => {
    const found = await imported('from,to,amount\n,a,5\nN/A,a,1\nExchange,a,2\na,unknown,8\n', {
      outside: ['exchange'],
    });
    expect(rowsOf(found)).toEqual(['1 null a 5.0', '1 null a 1.0', '1 null a 2.0', '1 a outside 8.0']);
    expect(found.summary).toMatchObject({ fromOutside: 3, toOutside: 1 });
  });

  it('is sorted by its time, and rows with equal times keep their order', async () => {
    const found = await imported(
      'from,to,amount,time\na,b,1,2026-01-01T02:00Z\na,b,2,2026-01-01T00:00Z\na,b,3,2026-01-01T00:00Z\n',
      {
        openings: 'none',
      },
    );
    expect(rowsOf(found)).toEqual(['1 a b 2.0', '1 a b 3.0', '13 a b 1.0']);
    expect(found.summary.outOfOrder).toBe(1);
  });
});

describe('the name of a party', () => {
  it('becomes a valid party, and different names become different parties', async () => {
    const { parties, names } = await imported('from,to,amount\nJosé Ä,Jose A,1\n株式会社,銀行,1\nDSO,"  x  ",1\n');
    expect(parties).toEqual(['Jose-A', 'Jose-A-2', 'party', 'party-2', 'DSO-2', 'x']);
    expect(names).toEqual(['José Ä', 'Jose A', '株式会社', '銀行', 'DSO', 'x']);
  });
});

describe('the format of a file', () => {
  const expected = ['1 a b 1.5', '7 b c 0.25'];

  it.each([
    ['CSV', 'from,to,amount,time\na,b,1.5,2026-01-01T00:00Z\nb,c,.25,2026-01-01T01:00Z\n'],
    [
      'CSV with a mark and Windows line ends',
      '\uFEFFfrom,to,amount,time\r\na,b,1.5,2026-01-01T00:00Z\r\nb,c,.25,2026-01-01T01:00Z\r\n',
    ],
    ['TSV', 'from\tto\tamount\ttime\na\tb\t1.5\t2026-01-01T00:00Z\nb\tc\t.25\t2026-01-01T01:00Z'],
    [
      'UTF-16',
      Buffer.from(
        '\uFEFFfrom\tto\tamount\ttime\na\tb\t1.5\t2026-01-01T00:00Z\nb\tc\t.25\t2026-01-01T01:00Z\n',
        'utf16le',
      ),
    ],
    [
      'JSON lines',
      '{"from":"a","to":"b","amount":1.5,"time":"2026-01-01T00:00Z"}\n{"from":"b","to":"c","amount":"0.25","time":1767229200}\n',
    ],
  ])('%s is recognised', async (_, content) => {
    expect(rowsOf(await imported(content, { openings: 'none' }))).toEqual(expected);
  });

  it('JSON lines may have nested fields, and malformed lines are rejected', async () => {
    const faults: Rejected[] = [];
    const table =
      '{"from":{"id":"a"},"to":{"id":"b"},"amount":1}\n[1]\nno json\n{"from":{"id":"a"},"to":{"id":"b"},"amount":9007199254740993}\n';
    const found = await imported(table, {
      map: { from: 'from.id', to: 'to.id' },
      openings: 'none',
      onReject: (rejected) => faults.push(rejected),
    });
    expect(rowsOf(found)).toEqual(['1 a b 1.0']);
    expect(faults.map(({ line, field }) => [line, field])).toEqual([
      [2, 'row'],
      [3, 'row'],
      [4, 'amount'],
    ]);
  });

  it.each(['UNCOMPRESSED', 'SNAPPY'] as const)('Parquet has exact decimals and times: %s', async (codec) => {
    const micros = 1_767_225_600_000_000n;
    const bytes = parquetWriteBuffer({
      codec,
      schema: [
        { name: 'root', num_children: 4 },
        { name: 'sender', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        { name: 'receiver', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
        {
          name: 'amount',
          type: 'INT64',
          converted_type: 'DECIMAL',
          precision: 18,
          scale: 2,
          repetition_type: 'OPTIONAL',
        },
        {
          name: 'at',
          type: 'INT64',
          repetition_type: 'OPTIONAL',
          converted_type: 'TIMESTAMP_MICROS',
        },
      ],
      columnData: [
        { name: 'sender', data: ['a', 'b', null] },
        { name: 'receiver', data: ['b', 'c', 'a'] },
        { name: 'amount', data: [12_345_678_901_234_567n, 25n, 100n] },
        { name: 'at', data: [micros, micros + 3_600_000_000n, micros] },
      ],
      rowGroupSize: 2,
    });
    const found = await imported(new Uint8Array(bytes), { map: { time: 'at' }, openings: 'none' });
    expect(found.summary.kind).toBe('Parquet');
    expect(rowsOf(found)).toEqual(['1 a b 123456789012345.67', '1 null a 1.0', '7 b c 0.25']);
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['a header alone', 'from,to,amount\n', 'has no rows after its header'],
    ['no header', '1,2,3\n4,5,6\n', 'line 1: got "1,2,3", expected a header with column names'],
    ['gzip', gzipSync('from,to,amount\n'), 'is compressed with gzip'],
    ['a JSON array', '[{"from":"a"}]', 'jq -c'],
    ['a broken Parquet file', Buffer.from('PAR1 and no more'), 'is no complete Parquet file'],
    [
      'only bad rows',
      'from,to,amount\na,b,x\na,b,y\n',
      'all 2 rows were rejected; the most frequent reason (2): amount expected a number',
    ],
  ])('with %s is refused', async (_, content, expected_) => {
    expect(await refusal(content)).toContain(expected_);
  });
});

describe('the settings of an import', () => {
  it.each([
    [{ unit: '0' }, 'unit: got "0", expected a number above zero'],
    [{ unit: 'cent' }, 'unit: got "cent"'],
    [{ zone: 'Europe/Berln' }, 'zone: got "Europe/Berln", expected UTC, an offset'],
    [{ roundMinutes: 0 }, 'round: got 0, expected minutes above zero'],
    [{ openings: { file: join(folder, 'missing.csv') } }, 'openings: '],
  ] satisfies readonly (readonly [ImportOptions, string])[])('%j are refused', async (options, expected) => {
    expect(await refusal('from,to,amount\na,b,1\n', options)).toContain(expected);
  });

  it('refuse times that are too far apart, with their lines', async () => {
    const table = 'from,to,amount,time\na,b,1,1970-01-02\na,b,1,2026-01-01\n';
    expect(await refusal(table)).toContain('the times of lines 2 and 3 are');
    expect(await refusal(table, { roundMinutes: 1440 })).toBe('accepted');
  });
});

describe('the coin that parties hold at first', () => {
  const table = 'from,to,amount\na,b,5\nb,a,3\na,b,6\nb,c,1\n';

  it('is the smallest amount that lets the parties make every payment', async () => {
    const { summary, lines } = await imported(table);
    expect([...lines()].slice(0, 1)).toMatchObject([{ from: null, to: 'a', amount: Amount.of('8') }]);
    expect(summary.funding).toEqual({ coins: 1, parties: 1, coin: Amount.of('8'), payments: 0, missing: 0n });
  });

  it('is estimated in coins of the size that the party usually receives', async () => {
    const found = await imported(table, { openings: 'estimate' });
    expect(rowsOf(found).slice(0, 3)).toEqual(['1 null a 3.0', '1 null a 3.0', '1 null a 2.0']);
  });

  it('is read from a table, and payments above the balance are counted', async () => {
    const openings = written('Party,Amount\na,5\na,1\n"New one",2\n', 'openings.csv');
    const found = await imported(table, { openings: { file: openings } });
    expect(rowsOf(found).slice(0, 3)).toEqual(['1 null a 5.0', '1 null a 1.0', '1 null New-one 2.0']);
    expect(found.summary.funding).toMatchObject({ coins: 3, payments: 1, missing: Amount.of('2') });
    expect(replayNetwork(found.network(), DEFAULT_SETTINGS, null).report).toMatchObject({ payments: 3, failed: 1 });
  });

  it.each([
    ['party,amount\na,x\n', 'line 2: amount: got "x": expected a number'],
    ['party,amount\n,1\n', 'line 2: party: is empty'],
    ['party,amount\na,-1\n', 'line 2: amount: got "-1", expected an amount above zero'],
    ['a,b\n1,2\n', 'got the columns a, b, expected party and amount'],
  ])('is refused when its table is %j', async (content, expected) => {
    expect(await refusal(table, { openings: { file: written(content, 'openings.csv') } })).toContain(expected);
  });

  it('lets a replay make every payment, but not with one unit less', async () => {
    const party = fc.constantFrom('a', 'b', 'c', 'd', '');
    const row = fc.record({
      from: party,
      to: party,
      cents: fc.integer({ min: 1, max: 5000 }),
      hour: fc.integer({ min: 0, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const known = rows.filter(({ from, to }) => from !== '' || to !== '');
        fc.pre(known.length > 0);
        const text = known
          .map(({ from, to, cents, hour }) => `${from},${to},${cents},${1_767_225_600 + hour * 3600}\n`)
          .join('');
        const found = await imported(`from,to,amount,time\n${text}`, { unit: '0.01' });
        const network = found.network();
        const { report } = replayNetwork(network, DEFAULT_SETTINGS, null);
        expect([report.failed, report.transfers]).toEqual([0, known.filter(({ from }) => from !== '').length]);
        const least = network.rows.findIndex(({ from }, i) => from === null && i < found.summary.funding.coins);
        if (least < 0) return;
        const poorer = network.rows.map((each, i) =>
          i === least ? { ...each, amount: Amount.ofUnits(each.amount - 1n) } : each,
        );
        expect(
          replayNetwork({ ...network, rows: poorer.filter(({ amount }) => amount > 0n) }, DEFAULT_SETTINGS, null).report
            .failed,
        ).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
