import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount } from '@coinlab/core';
import { describeFault, parseNetwork, parseOpening, parseStream, type FileFault } from '@coinlab/sim';
import { readInput } from '@coinlab/sim/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const header = 'seq,round,kind,from,to,amount';
const nines = '9'.repeat(28);

/** Returns the position of the fault, or `good`. */
function place(result: { readonly ok: true } | { readonly ok: false; readonly error: FileFault }): string {
  return result.ok ? 'good' : `${result.error.file}:${result.error.line}:${result.error.column}`;
}

describe('a payment stream', () => {
  it.each([
    ['no content', '', 'x.csv:1:1'],
    ['an empty line', '5\n\n-3\n', 'x.csv:2:1'],
    ['an empty last line', '5\n\n', 'x.csv:2:1'],
    ['a word', '5\nfive\n', 'x.csv:2:1'],
    ['a letter among digits', '5\n-12x4\n', 'x.csv:2:4'],
    ['a fraction', '1.5\n', 'x.csv:1:2'],
    ['an exponent', '1e9\n', 'x.csv:1:2'],
    ['a space before', ' 5\n', 'x.csv:1:1'],
    ['a space after', '5 \n', 'x.csv:1:2'],
    ['a plus sign', '+5\n', 'x.csv:1:1'],
    ['a lone sign', '-\n', 'x.csv:1:2'],
    ['two columns', '5,3\n', 'x.csv:1:2'],
    ['zero', '5\n0\n', 'x.csv:2:1'],
    ['minus zero', '-0\n', 'x.csv:1:1'],
    ['more than 38 digits', `${'9'.repeat(39)}\n`, 'x.csv:1:1'],
    ['a very long number', `${'9'.repeat(100_000)}\n`, 'x.csv:1:1'],
    ['more than 38 digits in total', `${nines}\n${nines}\n`, 'x.csv:2:1'],
  ])('with %s is refused with its position', (_, text, where) => {
    expect(place(parseStream(text, 'x.csv', Amount.one))).toBe(where);
  });

  it.each([
    ['a last line without a break', '5\n-3'],
    ['Windows line breaks', '5\r\n-3\r\n'],
    ['a byte order mark', '\uFEFF5\n-3\n'],
    ['leading zeros', '005\n-03\n'],
    ['the largest amount', `${nines}\n-${nines}\n`],
  ])('with %s is accepted', (_, text) => {
    expect(parseStream(text, 'x.csv', Amount.one)).toMatchObject({ ok: true });
  });

  it('is scaled exactly and refused when a row exceeds a Decimal at its unit', () => {
    expect(place(parseStream(`${'9'.repeat(20)}\n`, 'x.csv', Amount.ofWhole(1_000_000_000)))).toBe('x.csv:1:1');
    expect(parseStream('3\n', 'x.csv', Amount.of('0.0000000001'))).toMatchObject({ value: { rows: [3n] } });
  });
});

describe('an opening wallet', () => {
  it.each([
    ['a payment', '5\n-3\n', 'x.csv:2:1'],
    ['zero', '0\n', 'x.csv:1:1'],
    ['no content', '', 'x.csv:1:1'],
  ])('with %s is refused with its position', (_, text, where) => {
    expect(place(parseOpening(text, 'x.csv'))).toBe(where);
  });
});

describe('a network', () => {
  const rows = (...lines: readonly string[]): string => [header, ...lines, ''].join('\n');
  const mint = '1,1,mint,,a,5.0';

  it.each([
    ['no header', '1,1,mint,,a,5.0\n', 'x.csv:1:1'],
    ['a header in another order', 'seq,round,kind,to,from,amount\n', 'x.csv:1:1'],
    ['no rows', `${header}\n`, 'x.csv:2:1'],
    ['an empty line', rows(mint, ''), 'x.csv:3:1'],
    ['a column too few', rows('1,1,mint,,a'), 'x.csv:2:1'],
    ['a column too many', rows(`${mint},`), 'x.csv:2:1'],
    ['a skipped row number', rows(mint, '3,1,mint,,a,5.0'), 'x.csv:3:1'],
    ['round zero', rows('1,0,mint,,a,5.0'), 'x.csv:2:3'],
    ['a round that is not a number', rows('1,one,mint,,a,5.0'), 'x.csv:2:3'],
    ['a decreasing round', rows('1,2,mint,,a,5.0', '2,1,mint,,a,5.0'), 'x.csv:3:3'],
    ['a round too far in the future', rows(mint, '2,9000000,mint,,a,5.0'), 'x.csv:3:3'],
    ['an unknown kind', rows('1,1,tap,,a,5.0'), 'x.csv:2:5'],
    ['a mint with a sender', rows('1,1,mint,b,a,5.0'), 'x.csv:2:10'],
    ['a transfer without a sender', rows('1,1,transfer,,a,5.0'), 'x.csv:2:14'],
    ['a sender with a space', rows('1,1,transfer,b b,a,5.0'), 'x.csv:2:14'],
    ['a mint without a receiver', rows('1,1,mint,,,5.0'), 'x.csv:2:11'],
    ['a receiver that is half a party id', rows('1,1,mint,,a::12,5.0'), 'x.csv:2:11'],
    ['an amount of zero', rows('1,1,mint,,a,0.0'), 'x.csv:2:13'],
    ['an amount below zero', rows('1,1,mint,,a,-5'), 'x.csv:2:13'],
    ['eleven decimal places', rows('1,1,mint,,a,0.00000000001'), 'x.csv:2:13'],
    ['29 digits before the point', rows(`1,1,mint,,a,1${nines}`), 'x.csv:2:13'],
    ['more than 38 digits in total', rows(`1,1,mint,,a,${nines}`, `2,1,mint,,a,${nines}`), 'x.csv:3:13'],
  ])('with %s is refused with its position', (_, text, where) => {
    expect(place(parseNetwork(text, 'x.csv'))).toBe(where);
  });

  it('accepts hints and full party ids as names', () => {
    const whole = `bob::1220${'ab'.repeat(32)}`;
    const parsed = parseNetwork(rows(mint, `2,1,transfer,a,${whole},1`), 'x.csv');
    expect(parsed).toMatchObject({
      value: {
        parties: ['a', whole],
        rows: [
          { from: null, to: 0 },
          { from: 0, to: 1 },
        ],
      },
    });
  });
});

describe('reading a file', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'coinlab-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string): ReturnType<typeof readInput> => {
    const file = join(folder, 'x.csv');
    writeFileSync(file, text);
    return readInput(file);
  };

  it('distinguishes streams and networks by the first line', () => {
    expect(read('5\n-3\n')).toMatchObject({ value: { kind: 'stream' } });
    expect(read(`${header}\n1,1,mint,,a,5.0\n`)).toMatchObject({ value: { kind: 'network' } });
    expect(read(`\uFEFF${header}\r\n1,1,mint,,a,5.0\r\n`)).toMatchObject({ value: { kind: 'network' } });
  });

  it('refuses a first line that matches no format', () => {
    expect(read('amount\n5\n')).toMatchObject({ ok: false, error: { line: 1, column: 1 } });
  });

  it('reports an unreadable file without a line number', () => {
    const missing = readInput(join(folder, 'missing.csv'));
    expect(missing).toMatchObject({
      ok: false,
      error: { file: join(folder, 'missing.csv'), line: null, column: null },
    });
    expect(readInput(folder)).toMatchObject({ ok: false, error: { line: null } });
  });

  it('formats a fault in one line: file, line, column, reason', () => {
    expect(describeFault({ file: 'x.csv', line: 2, column: 4, reason: 'bad' })).toBe('x.csv:2:4: bad');
    expect(describeFault({ file: 'x.csv', line: null, column: null, reason: 'gone' })).toBe('x.csv: gone');
  });
});
