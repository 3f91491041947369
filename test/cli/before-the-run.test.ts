import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import { EXIT } from 'coinlab';
import { describe, expect, it, vi } from 'vitest';
import { coinlab, root } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-before-'));
const at = (name: string): string => join(folder, name);

const SCENARIO = `name: small
duration: { rounds: 3 }
parties:
  - { name: payers, count: 2, payments: { arrivals: { poisson: { perDay: 90 } } } }
`;
writeFileSync(at('small.yaml'), SCENARIO);
writeFileSync(
  at('mine.mjs'),
  `export default { selection: { mine: (wallet, { amount }) => {
  const taken = [];
  let missing = amount;
  for (const coin of wallet.largest()) if (missing > 0n) { taken.push(coin); missing -= coin.amount; }
  return taken;
} } };\n`,
);
writeFileSync(at('a-file'), '');
writeFileSync(at('stream.csv'), '5\n-3\n');
writeFileSync(at('payments.csv'), 'Sender,To,Value\na,b,1\n');
mkdirSync(at('a-folder'));

/** Writes the scenario with a replaced text, and returns its path. */
function changed(name: string, find: string, replace: string): string {
  expect(SCENARIO).toContain(find);
  writeFileSync(at(name), SCENARIO.replace(find, replace));
  return at(name);
}

function sweep(fields: string): string {
  writeFileSync(
    at('sweep.yaml'),
    `name: sweep\nscenario: small.yaml\nparameters: [{ name: select, path: parties.payers.wallet.select, values: [largest-first] }]\ndesign: { grid: true }\n${fields}`,
  );
  return at('sweep.yaml');
}

/** Bad input: the command line, and parts of the message. Nothing runs, so nothing is printed. */
const REFUSED: readonly (readonly [what: string, args: () => readonly string[], ...told: readonly string[]])[] = [
  [
    'an unknown field of a group',
    () => ['run', changed('a.yaml', 'count: 2,', 'count: 2, walet: {},')],
    'a.yaml:4:38: parties.0.walet: got an unknown field, expected one of name, ',
    'the nearest is wallet',
  ],
  [
    'an unknown field of the scenario',
    () => ['run', changed('a.yaml', 'name: small', 'name: small\nsede: 3')],
    'a.yaml:2:7: sede: got an unknown field',
    'the nearest is seed',
  ],
  [
    'an unknown choice of a field',
    () => ['run', changed('a.yaml', 'count: 2,', 'count: 2, wallet: { merge: { treshold: 5 } },')],
    'parties.0.wallet.merge.treshold: got an unknown field, expected one of never, threshold,',
    'the nearest is threshold',
  ],
  [
    'an unknown temperament',
    () => ['run', changed('a.yaml', 'count: 2,', 'count: 2, temperament: merchnat,')],
    'got "merchnat", expected one of "payer", "merchant"',
    'the nearest is merchant',
  ],
  [
    'an unknown group as receiver',
    () => ['run', changed('a.yaml', 'payments: { ', 'payments: { to: { groups: [payrs] }, ')],
    'got "payrs", expected one of the groups payers; the nearest is payers',
  ],
  [
    'an unknown metric in a threshold',
    () => ['run', changed('a.yaml', 'parties:', 'thresholds: { "payers/merge": "<= 3" }\nparties:')],
    'a.yaml:3:31: thresholds.payers/merge: got no metric of this scenario',
    'the nearest is payers/merges',
  ],
  [
    'an unknown metric of a stop rule',
    () => ['run', at('small.yaml'), '--precision', 'utxosPerParty.men=0.1'],
    "--precision: got the metric 'utxosPerParty.men'",
    'the nearest is utxosPerParty.mean',
  ],
  ['an unknown policy', () => ['run', at('small.yaml'), '--policy', 'largest-frist'], 'the nearest is largest-first'],
  [
    'an unknown policy of a wallet',
    () => ['run', changed('a.yaml', 'count: 2,', 'count: 2, wallet: { select: smalest-first },')],
    'wallet.select: got "smalest-first"',
    'the nearest is smallest-first',
  ],
  [
    'an unknown last policy of a comparison',
    () => ['compare', at('small.yaml'), '--policy', 'largest-first', '--policy', 'oldest'],
    'got "oldest"',
    'the nearest is oldest-first',
  ],
  [
    'an unknown group of a comparison',
    () => ['compare', at('small.yaml'), '--group', 'payer'],
    '--group: got "payer", expected one of payers; the nearest is payers',
  ],
  ['an unknown group of a run', () => ['run', at('small.yaml'), '--group', 'payer', '--merge', '3'], 'is payers'],
  [
    'an unknown policy of a file',
    () => ['run', at('small.yaml'), '--policy', `${at('mine.mjs')}#mime`],
    'got "mime"',
    'the nearest is mine',
  ],
  [
    'an unknown metric of a sweep',
    () => ['sweep', sweep('metrics: [mergs]\n'), '--out', at('s1')],
    'sweep.yaml:5:11: metrics.0: got "mergs"',
    'the nearest is merges',
  ],
  [
    'an unknown group in a metric of a sweep',
    () => ['sweep', sweep('metrics: [payer/merges]\n'), '--out', at('s1')],
    'the nearest is payers',
  ],
  [
    'an unknown field of a sweep',
    () => ['sweep', sweep('replicate: 3\n'), '--out', at('s1')],
    'sweep.yaml:5:12: replicate: got an unknown field',
    'the nearest is replicates',
  ],
  [
    'an unknown policy at a point of a sweep',
    () => {
      const file = sweep('');
      writeFileSync(file, readFileSync(file, 'utf8').replace('[largest-first]', '[largest-first, larges-first]'));
      return ['sweep', file, '--out', at('s1')];
    },
    'at point 2 (select = larges-first) wallet.select: got "larges-first"',
    'the nearest is largest-first',
  ],
  ['results in place of a file', () => ['run', at('small.yaml'), '--out', at('a-file')], '--out: ', 'is a file'],
  [
    'results under a file',
    () => ['run', at('small.yaml'), '--out', join(at('a-file'), 'x')],
    '--out: ',
    'cannot be written',
  ],
  ['a sweep in place of a file', () => ['sweep', sweep(''), '--out', at('a-file')], '--out: ', 'is a file'],
  [
    'a manifest in place of a folder',
    () => ['run', at('small.yaml'), '--manifest', at('a-folder')],
    '--manifest: ',
    'is a folder, expected a file',
  ],
  [
    'a log in place of a folder',
    () => ['run', at('small.yaml'), '--log', at('a-folder')],
    '--log: ',
    'is a folder, expected a file',
  ],
  [
    'an existing manifest',
    () => ['run', at('small.yaml'), '--manifest', at('a-file')],
    '--manifest: ',
    'a-file exists; choose another file, or replace it with --overwrite',
  ],
  ['an existing log of a run', () => ['run', at('small.yaml'), '--log', at('a-file')], '--log: ', 'a-file exists'],
  [
    'an existing log of a replay',
    () => ['replay', at('stream.csv'), '--log', at('a-file')],
    '--log: ',
    'a-file exists',
  ],
  [
    'an existing stream',
    () => ['worst', 'largest-first', '--rows', '4', '--out', at('a-file')],
    '--out: ',
    'a-file exists; choose another file, or replace it with --overwrite',
  ],
  ['an existing report', () => ['report', folder, '--out', at('a-file')], '--out: ', 'a-file exists'],
  [
    'a report of no results',
    () => ['report', at('a-folder'), '--out', at('new.html')],
    'a-folder: expected totals.jsonl or totals.parquet',
  ],
  ['a citation of no results', () => ['cite', at('a-folder')], 'expected totals.jsonl'],
  [
    'an unknown metric of a precision in a comparison',
    () => ['compare', at('small.yaml'), '--precision', 'mergs=1'],
    "--precision: got the metric 'mergs'",
    'the nearest is merges',
  ],
  [
    'a comparison in place of a file',
    () => ['compare', at('small.yaml'), '--out', at('a-file')],
    '--out: ',
    'is a file, expected a folder',
  ],
  ['an import of a missing file', () => ['import', at('none.csv')], 'none.csv: cannot be read'],
  [
    'an import of an unknown column',
    () => ['import', at('payments.csv'), '--map', 'from=Sendr'],
    'map: from: got the column "Sendr", expected one of Sender, To, Value; the nearest is Sender',
  ],
  [
    'a share above 100 %',
    () => ['run', at('small.yaml'), '--min-completed', '101%'],
    'Expected a percentage from 0 to 100',
  ],
  [
    'a manifest in a missing folder',
    () => ['run', at('small.yaml'), '--manifest', at('none/deep/m.json')],
    '--manifest: ',
    'does not exist; create it first',
  ],
  [
    'a checkpoint in a missing folder',
    () => ['run', at('small.yaml'), '--checkpoint', at('none/run.ckpt')],
    '--checkpoint: ',
    'does not exist; create it first',
  ],
  [
    'a share without a unit',
    () => ['run', at('small.yaml'), '--min-completed', '0.95'],
    'Expected a percentage; send 95% or 0.95%.',
  ],
  [
    'a policy that is named twice',
    () => ['compare', at('small.yaml'), '--policy', 'largest-first,knapsack', '--policy', 'largest-first'],
    "The list names 'largest-first' twice.",
  ],
  ['a merge threshold of zero', () => ['replay', at('small.yaml'), '--merge', '0'], "Expected 'never' or an integer"],
  ['a removed flag', () => ['replay', at('small.yaml'), '--merge-above', '10'], "unknown option '--merge-above'"],
  ['a removed command', () => ['merge', folder], "unknown command 'merge'"],
];

describe('before a simulation starts, coinlab refuses this input', () => {
  it.each(REFUSED.map(([what, args, ...told]) => ({ what, args, told })))('$what', async ({ args, told }) => {
    const { code, out, err } = await coinlab(...args());
    expect({ code, out }).toEqual({ code: EXIT.badInput, out: '' });
    for (const part of told) expect(err).toContain(part);
    expect(existsSync(at('s1'))).toBe(false);
  });

  it('a folder with earlier results, unless --overwrite is given', async () => {
    const run = ['run', at('small.yaml'), '--out', at('kept'), '--quiet'];
    expect((await coinlab(...run)).code).toBe(EXIT.ok);
    const before = readFileSync(join(at('kept'), 'summary.csv'), 'utf8');
    const again = await coinlab(...run, '--seed', '9');
    expect(again).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(again.err).toContain('has results (manifest.json); choose another folder, or replace them with --overwrite');
    expect(readFileSync(join(at('kept'), 'summary.csv'), 'utf8')).toBe(before);
    expect((await coinlab(...run, '--seed', '9', '--overwrite')).code).toBe(EXIT.ok);
    expect(readFileSync(join(at('kept'), 'summary.csv'), 'utf8')).not.toBe(before);
  });
});

describe('coinlab compare --out', () => {
  const compare = ['compare', at('small.yaml'), '--merge', 'never', '--merge', '1', '--out', at('compared'), '--quiet'];

  it('writes tables of the comparison and of each policy, which `coinlab report` and `coinlab cite` can read', async () => {
    const { code } = await coinlab(...compare, '--replicates', '3');
    expect(code).toBe(EXIT.ok);
    const [head, ...rows] = readFileSync(join(at('compared'), 'comparison.csv'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(head).toBe('choice,metric,mean,low,high,difference,differenceLow,differenceHigh');
    const merges = rows.filter((row) => row.includes(',merges,')).map((row) => row.split(','));
    expect(merges.map(([choice, , mean, , , difference]) => [choice, mean, difference])).toEqual([
      ['merge never', '0', ''],
      ['merge 1', merges[1]?.[2], merges[1]?.[2]],
    ]);
    expect(Number(merges[1]?.[2])).toBeGreaterThan(0);
    expect((await coinlab('report', at('compared'), '--out', at('compared.html'))).code).toBe(EXIT.ok);
    const page = readFileSync(at('compared.html'), 'utf8');
    expect(page).toContain('<b>merge never</b>');
    expect(page).toContain('Runs side by side');
    const { out } = await coinlab('cite', join(at('compared'), '2-merge-1'));
    expect(out).toMatch(/^The coinlab authors \(2026\)\. coinlab 0\.1\.0\. Scenario small, seed 1, 3 replicates/);
    expect(out).toMatch(/@misc\{coinlab-[0-9a-f]{8},\n  author +=/);
  });

  it('simulates replicates of all policies until each interval is narrow enough', async () => {
    const { out } = await coinlab(
      'compare',
      at('small.yaml'),
      '--merge',
      'never',
      '--merge',
      '1',
      '--precision',
      'transfers=1000',
    );
    expect(out).toContain('10 replicates each');
    const few = await coinlab(
      'compare',
      at('small.yaml'),
      '--precision',
      'transfers=0.000001',
      '--max-replicates',
      '11',
    );
    expect(few.out).toContain('11 replicates each');
    expect(few.err).toContain('11 replicates do not reach the requested interval width');
  });
});

describe('coinlab cite', () => {
  it('prints the program with author, year and version, as CITATION.cff has them', async () => {
    const { out } = await coinlab('cite');
    const cff = readFileSync(join(root, 'CITATION.cff'), 'utf8');
    for (const field of ['version', 'year', 'author'] as const) {
      const [, value = ''] = new RegExp(`${field} += \\{+(.+?)\\}`).exec(out) ?? [];
      expect(value).not.toBe('');
      expect(cff).toContain(value);
    }
    expect(cff).toContain(`version: ${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}`);
  });
});

describe('coinlab compare and run', () => {
  it('accept policies of a file together with built-in policies', async () => {
    const policies = ['--policy', `${at('mine.mjs')}#mine,largest-first`, '--replicates', '2'];
    const { code, out } = await coinlab('compare', at('small.yaml'), ...policies);
    expect(code).toBe(EXIT.ok);
    // The same rule: its figures are those of largest-first.
    const [own, builtIn] = out.split('\n').filter((line) => /(#mine|^largest-first) /.test(line));
    expect(own?.split(/ {2,}/).slice(1)).toEqual(builtIn?.split(/ {2,}/).slice(1));
  });

  it('change the merge policy of a group', async () => {
    const merges = async (...flags: readonly string[]): Promise<string> => {
      const { out } = await coinlab('run', at('small.yaml'), '--replicates', '1', '--merge', '1', ...flags);
      return (out.split('\n').find((line) => line.startsWith('merges ')) ?? '').split(/ {2,}/)[1] ?? '';
    };
    expect(Number(await merges())).toBeGreaterThan(0);
    expect(await merges('--group', 'payers')).toBe(await merges());
  });
});

describe('the memory of a run', () => {
  it.each([
    [
      2_000,
      'coinlab: 2 parties need about 0.0 GiB of heap, Node allows 0.0 GiB; set NODE_OPTIONS="--max-old-space-size=1024 ',
    ],
    [2_500, ''],
  ])('of two parties is compared with a heap of %d bytes', async (limit, warning) => {
    const spy = vi.spyOn(v8, 'getHeapStatistics');
    spy.mockReturnValue({ ...v8.getHeapStatistics(), heap_size_limit: limit });
    const { code, err } = await coinlab('run', at('small.yaml'));
    spy.mockRestore();
    expect(code).toBe(0);
    expect(err).toContain(warning);
    if (warning === '') expect(err).not.toContain('heap');
  });
});
