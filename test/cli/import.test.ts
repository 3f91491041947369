import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { describe, expect, it } from 'vitest';
import { coinlab } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-import-'));
const at = (name: string): string => join(folder, name);

const BANK = `Date,Time,Sender,Recipient,Value
2026-01-05,09:00,"Anna Ltd, Berlin",Bo,"1,200.50 CC"
2026-01-05,09:07,Bo,Café Luna,3.20 CC
2026-01-05,09:31,,Bo,50 CC
2026-01-05,10:02,Bo,Café Luna,four
2026-01-06,10:02,Café Luna,Bo,1 CC
`;
writeFileSync(at('bank.csv'), BANK);

const lines = (name: string): readonly string[] => readFileSync(at(name), 'utf8').trimEnd().split('\n');

describe('coinlab import', () => {
  it('writes a network that coinlab replay accepts, the names of its parties and the rejected rows', async () => {
    const { code, out } = await coinlab('import', at('bank.csv'), '--out', at('trace.csv'));
    expect(code).toBe(EXIT.ok);
    expect(out).toContain('CSV separated by commas, 5 rows');
    expect(out).toMatch(/^time +Date \+ Time +guessed from its name$/m);
    expect(out).toContain('payments  4, 2026-01-05T09:00:00Z to 2026-01-06T10:02:00Z; 151 rounds of 10 minutes');
    expect(out).toContain('5 times without a zone read as UTC');
    expect(out).toContain(
      'funding   smallest: 1,200.5 coin, one coin each of 1 party at the start; every payment can be made',
    );
    expect(out).toContain('1 × amount expected a number such as 1,234.56');
    expect(lines('trace.csv').slice(0, 3)).toEqual([
      'seq,round,kind,from,to,amount',
      '1,1,mint,,Anna-Ltd-Berlin,1200.5',
      '2,1,transfer,Anna-Ltd-Berlin,Bo,1200.5',
    ]);
    expect(lines('trace.parties.csv')).toEqual([
      'party,name',
      'Anna-Ltd-Berlin,"Anna Ltd, Berlin"',
      'Bo,Bo',
      'Cafe-Luna,Café Luna',
    ]);
    expect(lines('trace.rejects.csv')).toEqual([
      'line,field,value,reason',
      '5,amount,four,"expected a number such as 1,234.56"',
    ]);
    const { out: replayed } = await coinlab('replay', at('trace.csv'), '--json');
    expect(JSON.parse(replayed)).toMatchObject({ rows: 5, payments: 3, failed: 0, minted: '1250.5000000000' });
  });

  it('replaces earlier files only with --overwrite', async () => {
    const again = ['import', at('bank.csv'), '--out', at('again.csv')];
    expect((await coinlab(...again)).code).toBe(EXIT.ok);
    const refused = await coinlab(...again);
    expect(refused).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(refused.err).toContain('again.csv exists; choose another file, or replace it with --overwrite');
    expect((await coinlab(...again, '--overwrite')).code).toBe(EXIT.ok);
  });

  it('prints the summary as JSON with exact amounts', async () => {
    const { out } = await coinlab('import', at('bank.csv'), '--out', at('json.csv'), '--json', '--round', '60');
    expect(JSON.parse(out)).toMatchObject({
      rows: 5,
      payments: 4,
      rejected: 1,
      rounds: 26,
      sum: '1254.7000000000',
      funding: { coin: '1200.5000000000', payments: 0 },
      reasons: [{ field: 'amount', rows: 1 }],
    });
  });

  it('writes nothing when the table is unreadable', async () => {
    writeFileSync(at('bad.csv'), 'from,to,amount\na,b,x\n');
    const { code, out, err } = await coinlab('import', at('bad.csv'), '--out', at('none.csv'));
    expect({ code, out }).toEqual({ code: EXIT.badInput, out: '' });
    expect(err).toContain('bad.csv: all 1 rows were rejected');
    expect(
      ['none.csv', 'none.parties.csv', 'none.rejects.csv', 'none.rejects.csv.part'].filter((name) =>
        existsSync(at(name)),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      ['--map', 'form=Sender'],
      '--map: got the field "form", expected one of from, to, amount, time, party; the nearest is from',
    ],
    [['--map', 'from=Sendr'], 'map: from: got the column "Sendr"'],
    [['--map', 'from'], '--map: from: got no column, expected from=COLUMN'],
    [['--zone', 'Mars'], 'zone: got "Mars", expected UTC'],
    [['--unit', 'cents'], 'unit: got "cents"'],
    [['--openings', 'nowhere.csv'], 'openings: nowhere.csv: cannot be read'],
    [['--round', '0'], 'Expected an integer from 1'],
    [['--dates', 'ydm'], 'Allowed choices are dmy, mdy'],
  ])('refuses %j', async (flags, expected) => {
    const { code, out, err } = await coinlab('import', at('bank.csv'), '--out', at('refused.csv'), ...flags);
    expect({ code, out }).toEqual({ code: EXIT.badInput, out: '' });
    expect(err).toContain(expected);
    expect(existsSync(at('refused.csv'))).toBe(false);
  });
});
