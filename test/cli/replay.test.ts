import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from 'coinlab';
import { coinlab as coinlabProcess, type Ended } from './coinlab.ts';
import { readCompactLog, replay, type Update } from '@coinlab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
const inFolder = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
  writeFileSync(inFolder('stream.csv'), '50000\n30000\n-60000\n10000\n-90000\n70000\n');
  writeFileSync(inFolder('opening.csv'), '40000\n50000\n');
  writeFileSync(inFolder('network.csv'), 'seq,round,kind,from,to,amount\n1,1,mint,,a,5.0\n2,1,transfer,a,b,2.0\n');
  writeFileSync(inFolder('bad.csv'), '5\n6x\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function coinlab(...args: readonly string[]): { readonly code: number; readonly out: string; readonly err: string } {
  let out = '';
  let err = '';
  const code = main(args, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isInteractive: false,
  });
  return { code, out, err };
}

function json(...args: readonly string[]): Readonly<Record<string, unknown>> {
  const { code, out } = coinlab('replay', ...args, '--json');
  expect(code).toBe(0);
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}

describe('coinlab replay --json', () => {
  const common = [
    'policy cap mergeThreshold rows receipts payments unpaid meanUtxos maxUtxos finalUtxos changeCreated inputsSpent',
    'meanInputs maxInputs inputQuantiles singleInputShare firstRowOverCap paymentsOver100Inputs capMerges merges mergeInputs expired minted burned finalBalance seed',
    'logHash stateHash',
  ].flatMap((names) => names.split(' '));

  it('prints every figure of a stream in a fixed order', () => {
    const report = json(inFolder('stream.csv'));
    expect(Object.keys(report)).toEqual(common);
    expect(report).toMatchObject({
      policy: 'oldest-first',
      cap: 100,
      mergeThreshold: null,
      rows: 6,
      receipts: 4,
      payments: 2,
      unpaid: 0,
      meanUtxos: 1.5,
      minted: '16.0000000000',
      burned: '0.0000000000',
      finalBalance: '1.0000000000',
      seed: 1,
    });
  });

  it('adds the figures of a network', () => {
    const report = json(inFolder('network.csv'));
    const more = ['transfers', 'failed', 'shareOfPartyRoundsOver10', 'partiesOver10Final'];
    expect(Object.keys(report)).toEqual([...common, ...more]);
  });

  it('prints one object per policy when comparing', () => {
    const { out } = coinlab('replay', inFolder('stream.csv'), '--compare', 'random,blackjack', '--json');
    const reports = out.trimEnd().split('\n');
    expect(reports.map((line) => (JSON.parse(line) as { policy: string }).policy)).toEqual(['random', 'blackjack']);
  });
});

describe('coinlab replay accepts', () => {
  it('settings of a generated stream, with the same bytes for the same seed', () => {
    const generate = ['--generate', '{ rows: 60, receipts: 0.6, amount: { exponential: { mean: "5" } } }', '--seed'];
    const first = json(...generate, '7');
    expect(first).toMatchObject({ rows: 60 });
    expect(Number(first['receipts'])).toBeGreaterThan(25);
    expect(json(...generate, '7')).toEqual(first);
    expect(json(...generate, '8')).not.toMatchObject({ logHash: first['logHash'] });
  });

  it('a stream in which the first row over the cap has a known place', () => {
    // Twelve coins of 1, then a payment of 3 and one of 7.
    writeFileSync(inFolder('cap.csv'), `${'10000\n'.repeat(12)}-30000\n-70000\n`);
    const report = json(inFolder('cap.csv'), '--cap', '5');
    expect(report).toMatchObject({ firstRowOverCap: 14, capMerges: 1, singleInputShare: 0 });
    expect(report['inputQuantiles']).toEqual({ p50: 3, p90: 5, p95: 5, p99: 5 });
    expect(json(inFolder('cap.csv'))).toMatchObject({
      firstRowOverCap: null,
      inputQuantiles: { p50: 3, p90: 7, p95: 7, p99: 7 },
    });
    expect(json(inFolder('stream.csv'), '--policy', 'largest-first')['singleInputShare']).toBe(0);
  });

  it('a policy, a cap, a threshold and a seed', () => {
    const flags = ['--policy', 'largest-first', '--cap', 'none', '--merge', '2', '--seed', '9'];
    expect(json(inFolder('stream.csv'), ...flags)).toMatchObject({
      policy: 'largest-first',
      cap: null,
      mergeThreshold: 2,
      seed: 9,
    });
  });

  it('an opening wallet, a unit, and a setting that makes unpaid rows wait or drops them', () => {
    const flags = ['--opening', inFolder('opening.csv'), '--unit', '0.00000001', '--when-short', 'drop'];
    expect(json(inFolder('stream.csv'), ...flags)).toMatchObject({ minted: '0.0025000000', unpaid: 0, payments: 2 });
    expect(json(inFolder('stream.csv'), '--when-short', 'drop')).toMatchObject({ unpaid: 1, payments: 1 });
  });

  it('the word never as threshold and the word none as holding rate', () => {
    expect(json(inFolder('stream.csv'), '--merge', 'never')).toMatchObject({ mergeThreshold: null });
    expect(json(inFolder('network.csv'), '--holding-rate', 'none')).toMatchObject({ expired: 0 });
  });

  it('a holding rate', () => {
    const rows = ['seq,round,kind,from,to,amount', '1,1,mint,,a,5', '2,9,mint,,b,1', ''];
    writeFileSync(inFolder('old.csv'), rows.join('\n'));
    expect(json(inFolder('old.csv'), '--holding-rate', '1.5')).toMatchObject({ expired: 1, burned: '5.0000000000' });
  });

  it('a comparison of all policies', () => {
    const { out } = coinlab('replay', inFolder('network.csv'), '--compare', 'all', '--quiet');
    const [header = '', line, ...rows] = out.trimEnd().split('\n');
    expect(header).toMatch(/^policy +UTXOs mean/);
    expect(line).toMatch(/^[─ ]+$/);
    expect(rows).toHaveLength(8);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });
});

describe('coinlab replay writes', () => {
  it('a log with the reported SHA-256, which replays to the reported state', () => {
    const report = json(inFolder('stream.csv'), '--log', inFolder('run.log'));
    const bytes = readFileSync(inFolder('run.log'));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(report['logHash']);
    const state = replay([...readCompactLog(bytes)].map((update) => (update as { value: Update }).value));
    expect(state.hash()).toBe(report['stateHash']);
  });

  it('the final figures of every party', () => {
    json(inFolder('network.csv'), '--per-party', inFolder('parties.csv'));
    expect(readFileSync(inFolder('parties.csv'), 'utf8')).toBe(
      'party,utxos,balance\na,1,3.0000000000\nb,1,2.0000000000\n',
    );
  });

  it('no progress output with --quiet', () => {
    expect(coinlab('replay', inFolder('stream.csv')).err).toMatch(/rows a second/);
    expect(coinlab('replay', inFolder('stream.csv'), '--quiet')).toMatchObject({ code: 0, err: '' });
  });
});

describe('coinlab replay refuses', () => {
  it.each([
    ['a cap of one', ['--cap', '1']],
    ['a cap that is not a number', ['--cap', 'many']],
    ['a threshold of zero', ['--merge', '0']],
    ['an unknown policy', ['--policy', 'lucky']],
    ['an unknown policy to compare', ['--compare', 'random,lucky']],
    ['the same policy twice', ['--compare', 'random,random']],
    ['a policy with a comparison', ['--policy', 'random', '--compare', 'all']],
    ['a log of several runs', ['--compare', 'all', '--log', 'x.log']],
    ['a seed of more than 32 bits', ['--seed', '4294967296']],
    ['a unit of eleven places', ['--unit', '0.00000000001']],
    ['a unit of zero', ['--unit', '0']],
    ['an unknown mode', ['--when-short', 'borrow']],
    ['an unknown flag', ['--caps', '10']],
    ['a second file', ['another.csv']],
    ['a generated stream next to a file', ['--generate', '{ rows: 5 }']],
    ['a holding rate for a stream', ['--holding-rate', '1']],
    ['a party table for a stream', ['--per-party', 'x.csv']],
  ])('these arguments for a stream: %s', (_, flags) => {
    const { code, out, err } = coinlab('replay', inFolder('stream.csv'), ...flags);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it.each(['--unit=1', '--when-short=wait', '--opening=x.csv'])('these arguments for a network: %s', (flag) => {
    expect(coinlab('replay', inFolder('network.csv'), flag)).toMatchObject({ code: 2, out: '' });
  });

  it('an invalid file, naming file, line and column', () => {
    const { code, out, err } = coinlab('replay', inFolder('bad.csv'), '--log', inFolder('run.log'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${inFolder('bad.csv')}:2:2: `);
    expect(existsSync(inFolder('run.log'))).toBe(false);
  });

  it('an invalid opening wallet, and names its file', () => {
    const { code, err } = coinlab('replay', inFolder('stream.csv'), '--opening', inFolder('bad.csv'));
    expect(code).toBe(2);
    expect(err).toContain(`${inFolder('bad.csv')}:2:2: `);
  });

  it('to overwrite an input file, or to write two outputs to one file', () => {
    expect(coinlab('replay', inFolder('stream.csv'), '--log', inFolder('stream.csv')).code).toBe(2);
    const both = ['--log', inFolder('x'), '--per-party', inFolder('x')];
    expect(coinlab('replay', inFolder('network.csv'), ...both).code).toBe(2);
    expect(readFileSync(inFolder('stream.csv'), 'utf8')).toMatch(/^50000\n/);
  });

  it('a log file that cannot be written, before running', () => {
    const { code, out } = coinlab('replay', inFolder('stream.csv'), '--log', inFolder('nowhere/run.log'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const both = ['--log', inFolder('run.log'), '--per-party', inFolder('nowhere/parties.csv')];
    expect(coinlab('replay', inFolder('network.csv'), ...both).code).toBe(2);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('a folder in place of the log, and leaves no partial file', () => {
    mkdirSync(inFolder('taken/x'), { recursive: true });
    const { code, out } = coinlab('replay', inFolder('stream.csv'), '--log', inFolder('taken'));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('coinlab replay with a checkpoint', () => {
  const run = async (...args: readonly string[]): Promise<Ended> =>
    coinlabProcess('replay', ...args, '--json', '--quiet');

  /** Starts a replay, stops it at its first checkpoint, and resumes it. */
  async function resumed(args: readonly string[]): Promise<Ended> {
    const stand = inFolder('stand');
    const log = ['--log', inFolder('resumed.log')];
    const stopped = run(...args, ...log, '--checkpoint', stand, '--every', '1000');
    while (!existsSync(stand)) await new Promise((resolve) => setTimeout(resolve, 1));
    process.emit('SIGINT');
    expect(await stopped).toMatchObject({ code: 130, out: '' });
    expect(existsSync(inFolder('resumed.log'))).toBe(false);
    expect(await run(...args, '--resume', stand, '--seed', '3')).toMatchObject({ code: 2 });
    const ended = await run(...args, ...log, '--resume', stand);
    expect(existsSync(stand)).toBe(false);
    return ended;
  }

  it.each([
    ['stream', ['--policy', 'random', '--merge', '10', '--cap', '5']],
    ['network', ['--policy', 'random-improve', '--merge', '3', '--holding-rate', '0.05']],
  ])('stops a %s on a signal, and resumes it with the same bytes', async (kind, flags) => {
    let input = ['--generate', '{ rows: 4000, receipts: 0.6, amount: { exponential: { mean: "5" } } }'];
    if (kind === 'network') {
      const rows = Array.from({ length: 4_000 }, (_, i) =>
        i % 5 === 0 ? `mint,,p${i % 7},10` : `transfer,p${i % 3},p${(i * 5) % 7},${(i % 4) + 1}.5`,
      );
      const lines = rows.map((row, i) => `${i + 1},${1 + (i >> 5)},${row}\n`);
      writeFileSync(inFolder('many.csv'), `seq,round,kind,from,to,amount\n${lines.join('')}`);
      input = [inFolder('many.csv')];
    }
    const straight = await run(...input, ...flags, '--log', inFolder('straight.log'));
    expect(straight.code).toBe(0);
    const { code, out } = await resumed([...input, ...flags]);
    expect({ code, out }).toEqual({ code: 0, out: straight.out });
    expect(readFileSync(inFolder('resumed.log')).equals(readFileSync(inFolder('straight.log')))).toBe(true);
  });

  it('refuses another input, and a file that is no checkpoint', async () => {
    writeFileSync(inFolder('stand'), '{}\n');
    const { code, err } = await run(inFolder('stream.csv'), '--resume', inFolder('stand'));
    expect(code).toBe(2);
    expect(err).toContain('is not a checkpoint of a replay');
  });
});
