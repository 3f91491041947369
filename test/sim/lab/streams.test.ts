import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Amount, updateOf, type Update } from '@coinlab/core';
import {
  bootstrapped,
  compressed,
  DEFAULT_SETTINGS,
  folded,
  negated,
  parseNetwork,
  parseScenario,
  parseStream,
  replayStream,
  scaled,
  Streams,
  traceOf,
  World,
  type Scenario,
  type ScenarioFiles,
  type Trace,
} from '@coinlab/sim';
import { filesOf } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';

function streamTrace(rows: readonly number[], rowsPerRound: number): Trace {
  const parsed = parseStream(rows.map((row) => `${row}\n`).join(''), 'rows.csv', Amount.one);
  if (!parsed.ok) throw new Error(parsed.error.reason);
  return traceOf(parsed.value, rowsPerRound);
}

/** Formats a trace: `2: +5` is a receipt of five in round 2, `2: -5` a payment. */
function told(trace: Trace): readonly string[] {
  return trace.map(
    ({ round, from, amount }) => `${round}: ${from === null ? '+' : '-'}${Number(Amount.short(amount))}`,
  );
}

describe('an operator on recorded payments', () => {
  const rows = streamTrace([1, 2, -4, 3, 4, -5, 6], 2);

  it('moves joined receipts to the position of the last one, and leftover receipts to the end', () => {
    expect(told(folded(2)(rows))).toEqual(['0: +3', '1: -4', '2: +7', '2: -5', '3: +6']);
  });

  it('joins the receipts of each party separately', () => {
    const network = parseNetwork(
      'seq,round,kind,from,to,amount\n1,1,mint,,a,1\n2,1,mint,,b,10\n3,2,mint,,a,2\n4,2,mint,,b,20\n',
      'network.csv',
    );
    if (!network.ok) throw new Error(network.error.reason);
    const made = folded(2)(traceOf(network.value, 1)).map(({ round, to, amount }) => [
      round,
      to,
      Number(Amount.short(amount)),
    ]);
    expect(made).toEqual([
      [1, 0, 3],
      [1, 1, 30],
    ]);
  });

  it('scales amounts with half-even rounding, but never to zero', () => {
    expect(told(scaled(Amount.of('0.5'))(rows)).slice(0, 3)).toEqual(['0: +0.5', '0: +1', '1: -2']);
    const [least] = scaled(Amount.of('0.0000000001'))(scaled(Amount.of('0.0000000001'))(rows));
    expect(least?.amount).toBe(1n);
  });

  it('gives the original trace when it negates twice', () => {
    expect(told(negated(rows)).slice(0, 3)).toEqual(['0: -1', '0: -2', '1: +4']);
    expect(negated(negated(rows))).toEqual(rows);
  });

  it('compresses the rounds of rows and keeps their order', () => {
    expect(told(compressed(2)(rows))).toEqual(['0: +1', '0: +2', '0: -4', '0: +3', '1: +4', '1: -5', '1: +6']);
  });

  it('resamples whole blocks at the original times, and repeats the times when more rows are requested', () => {
    const drawn = bootstrapped(3, new Streams(7).named('test'), 16)(rows);
    expect(drawn.map(({ round }) => round)).toEqual([0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8]);
    const original = told(rows).map((text) => text.split(' ')[1]);
    const content = told(drawn).map((text) => text.split(' ')[1]);
    for (let at = 0; at + 3 <= 15; at += 3) expect(original.join(' ')).toContain(content.slice(at, at + 3).join(' '));
  });

  it('resamples the payments of a network and leaves the funding in place', () => {
    const amount = (i: number): Amount => Amount.of(`${i + 1}`);
    const network: Trace = Array.from({ length: 60 }, (_, i) => ({
      round: Math.floor(i / 4),
      from: i % 5 === 0 ? null : i % 3,
      to: (i + 1) % 3,
      amount: amount(i),
    }));
    const drawn = bootstrapped(6, new Streams(3).named('test'))(network);
    const funding = (trace: Trace): Trace => trace.filter(({ from }) => from === null);
    expect(funding(drawn)).toEqual(funding(network));
    expect(drawn.map(({ round }) => round)).toEqual(network.map(({ round }) => round));
    const payments = (trace: Trace): readonly number[] =>
      trace.filter(({ from }) => from !== null).map(({ amount: paid }) => Number(paid / 10_000_000_000n));
    const recorded = payments(network).join(' ');
    const resampled = payments(drawn);
    expect(resampled).not.toEqual(payments(network));
    for (let at = 0; at + 6 <= resampled.length; at += 6)
      expect(` ${recorded} `).toContain(` ${resampled.slice(at, at + 6).join(' ')} `);
  });
});

const ROWS = Array.from({ length: 600 }, (_, i) => (i % 3 === 2 ? -(150 + ((i * 37) % 400)) : 100 + ((i * 53) % 300)));

function opened(group: string, files: Readonly<Record<string, string>>): { scenario: Scenario; files: ScenarioFiles } {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-streams-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const parsed = parseScenario(
    `name: recorded\nduration: { rounds: 20 }\nparties:\n  - ${group}\n  - { name: payee, count: 1, payments: null, opening: { coins: 0, amount: { constant: "1" } }, wallet: { merge: { never: true } } }\n`,
    'recorded.yaml',
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  const read = filesOf(parsed.value, folder);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return { scenario: parsed.value, files: read.value };
}

function played(
  { scenario, files }: { scenario: Scenario; files: ScenarioFiles },
  replicate: number,
): { readonly updates: readonly Update[]; readonly world: World } {
  const updates: Update[] = [];
  const world = new World(scenario, { replicate, files, onEntry: (entry) => updates.push(updateOf(entry)) });
  while (!world.isOver) world.playRound();
  return { updates, world };
}

const NONE =
  'opening: { coins: 0, amount: { constant: "1" } }, wallet: { select: oldest-first, merge: { never: true } }';
const trace = (operators: string): string =>
  `{ name: wallet, count: 1, ${NONE}, payments: { arrivals: { trace: { file: rows.csv, operators: ${operators} } }, to: { groups: [payee] }, whenShort: wait } }`;
const file = { 'rows.csv': ROWS.map((row) => `${row}\n`).join('') };

describe('a scenario with recorded payments', () => {
  it('makes the same payments as a replay of the stream, from the same coins', () => {
    const { updates, world } = played(opened(trace('[]'), file), 0);
    const stream = parseStream(file['rows.csv'], 'rows.csv');
    if (!stream.ok) throw new Error(stream.error.reason);
    const report = replayStream(stream.value, { ...DEFAULT_SETTINGS, cap: 100 }, () => undefined);
    const transfers = updates.flatMap((update) => (update.kind === 'TransferCompleted' ? [update] : []));
    expect(transfers.length).toBe(report.payments);
    expect(transfers.reduce((sum, { archived }) => sum + archived.length, 0)).toBe(report.inputsSpent);
    expect(world.waiting).toBe(report.unpaid);
    expect(world.counts.asked).toBe(report.payments + report.unpaid);
    expect(world.counts.refused.size).toBe(0);
  });

  it('resamples differently for each replicate, and equally for each policy', () => {
    const amounts = (group: string, replicate: number): readonly unknown[] =>
      played(opened(group, file), replicate).updates.flatMap((update) =>
        update.kind === 'TransferCompleted' ? [update.detail.amount] : [],
      );
    const drawn = trace('[{ bootstrap: { block: 20 } }]');
    expect(amounts(drawn, 1)).not.toEqual(amounts(drawn, 0));
    expect(amounts(drawn.replace('oldest-first', 'largest-first'), 1)).toEqual(amounts(drawn, 1));
  });

  it('answers offers of the same time in the order in which they were made', () => {
    // Each party receives a coin in each round and offers it at the same time as the 20 others; all answers take an hour.
    const group = `{ name: wallet, count: 21, ${NONE}, payments: { arrivals: { trace: { file: rows.csv, rowsPerRound: 2 } }, to: { groups: [shop] } } }
  - { name: shop, count: 1, payments: null, receives: { offers: { after: { constant: 1h } } } }`;
    const { updates } = played(opened(group, { 'rows.csv': '5\n-5\n'.repeat(10) }), 0);
    const made = updates.flatMap((update) =>
      update.kind === 'TransferOffered' ? [[update.recordTime, update.detail.instruction] as const] : [],
    );
    const accepted = updates.flatMap((update) =>
      update.kind === 'TransferAccepted' ? [[update.recordTime, update.detail.instruction] as const] : [],
    );
    expect(accepted).toHaveLength(210);
    expect(new Set(accepted.map(([time]) => time)).size).toBe(10);
    expect(accepted).toEqual(made.map(([time, instruction]) => [time + 3_600_000_000n, instruction]));
  });

  it('starts with the wallet of an opening file', () => {
    const group =
      '{ name: wallet, count: 2, payments: null, openingFile: coins.csv, openingUnit: "0.5", wallet: { merge: { never: true } } }';
    const { updates } = played(opened(group, { 'coins.csv': '3\n5\n' }), 0);
    const minted = updates.flatMap((update) => (update.kind === 'Minted' ? [Amount.short(update.detail.amount)] : []));
    expect(minted).toEqual(['1.5', '2.5', '1.5', '2.5']);
  });

  it('validates its files and stores their hashes', () => {
    const { files } = opened(trace('[]'), file);
    expect([...files.values()].map(({ name, bytes }) => [name, bytes])).toEqual([
      ['rows.csv', file['rows.csv'].length],
    ]);
    expect(files.get('rows.csv')?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const { scenario } = opened(trace('[]'), file);
    const missing = filesOf(scenario, '/nowhere');
    expect(missing.ok ? [] : missing.error.map(({ line }) => line)).toEqual([null]);
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-streams-'));
    writeFileSync(join(folder, 'rows.csv'), '1\nx\n');
    const bad = filesOf(scenario, folder);
    expect(bad.ok ? [] : bad.error.map(({ line, column }) => [line, column])).toEqual([[2, 1]]);
  });
});
