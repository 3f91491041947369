import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { codec, Engine } from '@coinlab/core';
import { EventLog } from '@coinlab/sim';
import { beforeAll, describe, expect, it } from 'vitest';
import { coinlab, type Ended } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-tools-'));
const at = (name: string): string => join(folder, name);

async function json(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { code, out, err } = await coinlab(...args, '--json', '--quiet');
  if (code !== EXIT.ok) throw new Error(err);
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}

const SCENARIO = `
name: small
duration: { rounds: 6 }
parties:
  - { name: payers, count: 10, payments: { arrivals: { poisson: { perDay: 120 } } }, wallet: { merge: { never: true } } }
  - { name: keyed, temperament: external-party, count: 3 }
`;

let ran: Readonly<Record<string, unknown>> = {};
let lines: readonly string[] = [];
beforeAll(async () => {
  writeFileSync(at('scenario.yaml'), SCENARIO);
  ran = await json('run', at('scenario.yaml'), '--log', at('run.log'), '--manifest', at('run.json'));
  lines = (await coinlab('log', 'export', at('run.log'))).out.trimEnd().split('\n');
  writeFileSync(at('run.ndjson'), `${lines.join('\n')}\n`);
});

describe('coinlab metrics', () => {
  it('prints the metrics of the run, except those of requested payments', async () => {
    const found = await json('metrics', at('run.log'), '--scenario', at('scenario.yaml'));
    const all = Object.entries(ran['metrics'] as object);
    const unknown = ['payments.asked', 'payments.made', 'payments.short', 'payments.waiting', 'payments.refused'];
    expect(found['unknown']).toEqual(expect.arrayContaining(unknown));
    const ofLog = all.filter(([name]) => !(found['unknown'] as readonly string[]).includes(name.replace(/^\w+\//, '')));
    expect(ofLog.length).toBeGreaterThan(80);
    expect(found).toMatchObject({ metrics: Object.fromEntries(ofLog), stateHash: ran['stateHash'], log: ran['log'] });
    expect(await json('metrics', at('run.log'), '--manifest', at('run.json'))).toEqual(found);
  });

  it('writes tables and compares the metrics with the scenario’s thresholds', async () => {
    writeFileSync(at('strict.yaml'), `${SCENARIO}thresholds: { utxosPerParty.max: "<= 1", payments.short: "<= 0" }\n`);
    const { code, out } = await coinlab(
      'metrics',
      at('run.log'),
      '--scenario',
      at('strict.yaml'),
      '--out',
      at('tables'),
    );
    expect(code).toBe(EXIT.threshold);
    expect(out).toContain('✗ utxosPerParty.max <= 1');
    expect(readFileSync(join(at('tables'), 'series.csv'), 'utf8').split('\n').length).toBeGreaterThan(6 * 3);
  });

  it('refuses a modified log and names the line', async () => {
    const payment = lines.findIndex((line) => line.includes('"kind":"TransferCompleted"'));
    const created = (lines[payment] ?? '').replace(/"amount":"(\d+)\./, '"amount":"9$1.');
    expect(created).not.toBe(lines[payment]);
    writeFileSync(at('altered.ndjson'), `${lines.with(payment, created).join('\n')}\n`);
    const { code, err } = await coinlab('metrics', at('altered.ndjson'));
    expect(code).toBe(EXIT.badInput);
    expect(err).toContain(`line ${payment + 1}, byte `);
  });
});

describe('a file where the folder of a log is expected', () => {
  it.each([
    ['log verify', ['log', 'verify', at('run.log')]],
    ['log head', ['log', 'head', at('run.log')]],
    ['log repair', ['log', 'repair', at('run.log'), at('repaired')]],
    ['serve', ['serve', '--port', '0', '--log-level', 'error', '--data', at('run.log')]],
  ])('is refused by coinlab %s, which names the commands that read it', async (_, args) => {
    const others = `coinlab state ${at('run.log')} checks a file, and coinlab serve --from ${at('run.log')} serves it`;
    const err = `coinlab: ${at('run.log')}: got a file, expected the folder of a server's log; ${others}\n`;
    expect(await coinlab(...args)).toEqual({ code: EXIT.badInput, out: '', err });
  });
});

describe('coinlab log export', () => {
  it('prints JSON lines that have the hash, the metrics and the state of the compact log', async () => {
    expect(statSync(at('run.log')).size * 8).toBeLessThan(statSync(at('run.ndjson')).size);
    const { source: _, ...compact } = await json('metrics', at('run.log'));
    const { source: __, ...exported } = await json('metrics', at('run.ndjson'));
    expect(exported).toEqual(compact);
    expect(compact).toMatchObject({ log: ran['log'], stateHash: ran['stateHash'] });
    const { out } = await coinlab('log', 'export', at('run.ndjson'), '--from', String(lines.length - 1));
    expect(out).toBe(`${lines.slice(-2).join('\n')}\n`);
  });

  it('names update and byte of a damaged compact log', async () => {
    const bytes = readFileSync(at('run.log'));
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    writeFileSync(at('damaged.log'), bytes);
    for (const command of [['metrics'], ['state'], ['log', 'export']]) {
      const { code, err } = await coinlab(...command, at('damaged.log'));
      expect(code).toBe(EXIT.badInput);
      expect(err).toMatch(/damaged\.log: update 1, byte \d+: its hash is not that of its bytes/);
    }
  });

  it('is recommended when a run refuses to write its compact log to a file with the ending of JSON', async () => {
    for (const name of ['new.ndjson', 'new.jsonl', 'NEW.JSON']) {
      const { code, err } = await coinlab('run', at('scenario.yaml'), '--log', at(name));
      expect(code).toBe(EXIT.badInput);
      expect(err).toContain(`coinlab log export ${at(name.replace(/\.\w+$/, '.log'))}`);
    }
  });
});

describe('coinlab state', () => {
  it('prints the state that the log leads to, at any offset', async () => {
    for (const offset of [1, 40, lines.length]) {
      const engine = new Engine();
      for (const [i, line] of lines.slice(0, offset).entries()) {
        const update = codec.decode(line, i + 1);
        if (update.ok) engine.apply(update.value);
      }
      expect(await json('state', at('run.log'), '--at', String(offset))).toMatchObject({
        offset,
        stateHash: engine.hash(),
      });
    }
    expect(await json('state', at('run.log'))).toMatchObject({ stateHash: ran['stateHash'] });
  });

  it('prints the coins of a party, which sum to its balance', async () => {
    const { party } = (await json('state', at('run.log'), '--party', 'payers-3')) as {
      readonly party: {
        readonly utxos: number;
        readonly total: string;
        readonly coins: readonly { readonly amount: string }[];
      };
    };
    expect(party.coins).toHaveLength(party.utxos);
    expect(party.coins.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(Number(party.total), 6);
  });

  it('names the update of a compact log that spends a coin twice', async () => {
    const updates = lines.map((line, i) => codec.decode(line, i + 1)).flatMap((read) => (read.ok ? [read.value] : []));
    const [first, second] = updates.filter(
      ({ kind, archived }) => kind === 'TransferCompleted' && archived.length === 1,
    );
    const pieces: Uint8Array[] = [];
    const log = new EventLog(0, (piece) => pieces.push(piece));
    for (const update of updates)
      log.append(update === second ? { ...update, archived: first?.archived ?? [] } : update);
    log.close();
    writeFileSync(at('twice.log'), Buffer.concat(pieces));
    const { code, err } = await coinlab('state', at('twice.log'));
    expect(code).toBe(EXIT.badInput);
    expect(err).toContain(`update ${second?.offset}, byte `);
    expect(err).toContain(
      'the update contradicts the updates before it: broken invariant: an archived contract was active',
    );
  });

  it('refuses an offset beyond the end and an unknown party', async () => {
    expect(await coinlab('state', at('run.log'), '--at', '999999')).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(await coinlab('state', at('run.log'), '--at', '20', '--party', 'payers-9')).toMatchObject({
      code: EXIT.badInput,
    });
  });
});

describe('coinlab fork', () => {
  it('writes a log that starts with the common updates, and compares both outcomes', async () => {
    const middle = lines.length - 30;
    const forked = await json(
      'fork',
      at('run.log'),
      '--at',
      String(middle),
      '--manifest',
      at('run.json'),
      '--merge',
      '1',
      '--group',
      'payers',
      '--log',
      at('forked.log'),
    );
    const other = (await coinlab('log', 'export', at('forked.log'))).out.trimEnd().split('\n');
    expect(other.slice(0, middle)).toEqual(lines.slice(0, middle));
    const metrics = (of: string): object => (forked[of] as { readonly metrics: object }).metrics;
    expect(metrics('before')).toMatchObject({ merges: 0 });
    const again = await json('metrics', at('forked.log'), '--scenario', at('scenario.yaml'));
    expect(again).toMatchObject({ metrics: metrics('after'), log: (forked['after'] as { readonly log: object }).log });
    expect((again['metrics'] as { readonly merges: number }).merges).toBeGreaterThan(0);
  });

  it('refuses invalid arguments and leaves no file', async () => {
    const fork = (...args: readonly string[]): Promise<Ended> =>
      coinlab('fork', at('run.log'), '--at', '50', '--scenario', at('scenario.yaml'), ...args);
    for (const args of [[], ['--policy', 'best'], ['--merge', 'often'], ['--merge', '5', '--group', 'nobody']])
      expect(await fork(...args)).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(await fork('--merge', '5', '--replicate', '3', '--log', at('none.log'))).toMatchObject({
      code: EXIT.badInput,
    });
    expect(() => readFileSync(at('none.log'))).toThrow();
  });
});

describe('coinlab worst', () => {
  it('writes a stream for which coinlab replay finds the same value', async () => {
    const flags = ['--rows', '6', '--amounts', '1..3', '--budget', '60', '--out', at('worst.txt')];
    const found = await json('worst', 'smallest-first', ...flags);
    const replayed = await json('replay', at('worst.txt'), '--policy', 'smallest-first');
    expect(replayed['meanUtxos']).toBe(found['worst']);
    expect(found).toMatchObject({ looked: 60, isProven: false });
    expect(await json('worst', 'smallest-first', ...flags, '--overwrite')).toEqual(found);
  });

  it('accepts a scenario and any metric, and refuses an unknown one', async () => {
    const found = await json(
      'worst',
      at('scenario.yaml'),
      '--rows',
      '4',
      '--budget',
      '12',
      '--metric',
      'utxosPerParty.max',
    );
    expect(found['worst']).toBeGreaterThan(0);
    expect(await coinlab('worst', at('scenario.yaml'), '--metric', 'happiness')).toMatchObject({ code: EXIT.badInput });
    expect(await coinlab('worst', 'oldest-first', '--receipts', '0..0')).toMatchObject({ code: EXIT.badInput });
  });
});

describe('coinlab shrink', () => {
  it('writes a scenario with few payments that misses the threshold', async () => {
    const found = await json(
      'shrink',
      at('run.log'),
      '--threshold',
      'utxosPerParty.max <= 6',
      '--scenario',
      at('scenario.yaml'),
      '--out',
      at('shrunk'),
    );
    expect(found).toMatchObject({ rows: 7, isMinimal: true, breach: null });
    expect(await coinlab('run', join(at('shrunk'), 'scenario.yaml'))).toMatchObject({ code: EXIT.threshold });
    expect(readFileSync(join(at('shrunk'), 'shrunk.test.ts'), 'utf8')).toContain('utxosPerParty.max <= 6');
  });

  it('names the update and the law of a modified log that this ledger does not reproduce', async () => {
    const payment = lines.findIndex((line) => line.includes('"kind":"TransferCompleted"'));
    const altered = (lines[payment] ?? '').replace(/"actAs":\["[^"]*"/, '"actAs":["DSO::1220' + '0'.repeat(64) + '"');
    writeFileSync(at('unlawful.ndjson'), `${lines.with(payment, altered).join('\n')}\n`);
    const { code, err } = await coinlab('shrink', at('unlawful.ndjson'), '--law', 'any', '--out', at('nothing'));
    expect(code).toBe(EXIT.failed);
    expect(err).toContain(`offset ${payment + 1} (TransferCompleted) breaks the law`);
    expect(await coinlab('shrink', at('run.log'), '--law', 'any')).toMatchObject({ code: EXIT.badInput });
  });
});
