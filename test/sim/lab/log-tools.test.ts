import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emptyLedger,
  Engine,
  entryFor,
  GENESIS_TIME,
  openLedger,
  PartyId,
  readCompactLog,
  settingsOf,
  updateOf,
  type Command,
} from '@coinlab/core';
import { isPacked } from '@coinlab/core/codec';
import {
  BrokenLog,
  Census,
  logLines,
  LogMetrics,
  PARTIES,
  Population,
  runScenario,
  type LogFigures,
  type LoggedUpdate,
  type RunResult,
  type Scenario,
} from '@coinlab/sim';

import { logFileEntries, logFileLines, logFileUpdates } from '@coinlab/sim/files';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from './lab-fixture.ts';

const NETWORK = `
name: network
duration: { rounds: 12 }
warmup: 3
metrics: { every: 2 }
parties:
  - { name: payers, count: 25, payments: { arrivals: { poisson: { perDay: 60 } } } }
  - { name: keyed, temperament: external-party, count: 5,
      receives: { offers: { accepts: 0.6, rejects: 0.2, after: { exponential: { mean: 30m } } } } }
  - { name: nodes, temperament: validator, count: 2 }
`;

/** Runs a scenario and writes its log to a file. */
function logged(text: string): { readonly result: RunResult; readonly file: string; readonly played: Scenario } {
  const played = scenarioOf(text);
  const file = join(mkdtempSync(join(tmpdir(), 'log-tools-')), 'run.log');
  const pieces: Uint8Array[] = [];
  const result = runScenario(played, { log: (piece) => pieces.push(piece) });
  writeFileSync(file, Buffer.concat(pieces));
  return { result, file, played };
}

function figuresOf(file: string, played: Scenario): LogFigures {
  const metrics = new LogMetrics(new Population(played.groups), played);
  for (const { entry } of logFileEntries(file, emptyLedger().state)) metrics.take(entry);
  return metrics.figures();
}

describe('the entries of a log', () => {
  it.each([
    ['small wallets', NETWORK],
    [
      'wallets that are too large for packed transfers',
      NETWORK.replace('count: 25,', 'count: 25, opening: { coins: 40, amount: { constant: "9" } },'),
    ],
  ])('are packed transfers where they can be, with the updates and the state of the log: %s', (_, text) => {
    const { result, file } = logged(text);
    const engine = new Engine();
    const updates: LoggedUpdate[] = [];
    let packed = 0;
    for (const { entry, position } of logFileEntries(file, engine.state)) {
      if (isPacked(entry)) packed += 1;
      engine.apply(entryFor(engine.state, entry));
      updates.push({ update: updateOf(entry), position });
    }
    expect(packed).toBeGreaterThan(50);
    expect(updates).toEqual([...logFileUpdates(file)]);
    const read = Array.from(readCompactLog(readFileSync(file)), (update) => (update.ok ? update.value : update.error));
    expect(updates.map(({ update }) => update)).toEqual(read);
    expect(engine.hash()).toBe(result.stateHash);
  });
});

describe('the metrics of a log', () => {
  it.each([
    ['a duration in rounds', NETWORK],
    ['a duration in updates', NETWORK.replace('{ rounds: 12 }', '{ updates: 500 }')],
    ['no warm-up', NETWORK.replace('warmup: 3', 'warmup: 0')],
    ['a warm-up beyond its end', NETWORK.replace('warmup: 3', 'warmup: 40')],
  ])('equal the metrics of the run that wrote the log, with %s', (_, text) => {
    const { result, file, played } = logged(text);
    const found = figuresOf(file, played);
    // No update shows the requests, nor the updates that form a row.
    const ofLog = [...result.summary].filter(
      ([name]) => !/^(\w+\/)?payments\.|^sweeps$|^(\w+\/)?utxos\.mean$/.test(name),
    );
    expect(ofLog.length).toBeGreaterThan(100);
    expect([...found.summary]).toEqual(ofLog);
    expect(found.series).toEqual(result.series);
    expect(found.utxos).toEqual(result.utxos);
    expect([...found.histograms]).toEqual([...result.histograms]);
    expect(found.rounds).toBe(result.rounds);
  });

  it('count all parties as one group when no scenario is given', () => {
    const { result, file } = logged(NETWORK.replace('warmup: 3', 'warmup: 0'));
    const census = new Census();
    for (const { entry } of logFileEntries(file, census.state)) census.take(entry);
    const measured = census.measured(2);
    if (!measured) throw new Error('the log has no round');
    expect(census.registry().parties).toHaveLength(32);
    const metrics = new LogMetrics(census.registry(), measured);
    const numbers = emptyLedger().state;
    for (const { entry } of logFileEntries(file, numbers)) metrics.take(entry);
    const { summary } = metrics.figures();
    expect(summary.get(`${PARTIES}/transfers`)).toBe(summary.get('transfers'));
    for (const name of [
      'utxosPerParty.mean',
      'utxosPerParty.p95',
      'transfers',
      'merges',
      'capHits',
      'traffic.coin',
      'supply',
    ])
      expect([name, summary.get(name)]).toEqual([name, result.summary.get(name)]);
  });
});

describe('a damaged log', () => {
  const { file } = logged(NETWORK.replace('rounds: 12', 'rounds: 4'));
  const lines = [...logLines([readFileSync(file)]), ''];
  const written = (text: string): string => {
    const other = join(mkdtempSync(join(tmpdir(), 'log-tools-')), 'other.ndjson');
    writeFileSync(other, text);
    return other;
  };
  const broken = (text: string): BrokenLog => {
    try {
      const engine = new Engine();
      for (const { update } of logFileUpdates(written(text))) engine.apply(update);
    } catch (error) {
      if (error instanceof BrokenLog) return error;
      throw error;
    }
    throw new Error('the log was read to its end');
  };

  it('is reported with the line and the byte at which it ends too early', () => {
    const whole = lines.slice(0, 9).join('\n');
    expect(broken(`${whole}\n${lines[9]?.slice(0, 30)}`)).toMatchObject({
      number: 10,
      byte: Buffer.byteLength(whole) + 1,
    });
  });

  it('is reported with the line that is missing or is not an update', () => {
    expect(broken(lines.toSpliced(4, 1).join('\n'))).toMatchObject({ number: 5 });
    expect(broken(lines.with(6, '{}').join('\n'))).toMatchObject({ number: 7 });
    expect(broken('')).toMatchObject({ number: 1, byte: 0 });
  });

  it('is read line by line, for any size of the chunks read', () => {
    const wide = Array.from({ length: 3_000 }, (_, i) => `${i} ${'ß'.repeat(i % 400)}`);
    const read = [...logFileLines(written(`${wide.join('\n')}\n`))];
    expect(read.map(({ text }) => text)).toEqual(wide);
    expect(read.at(-1)?.byte).toBe(Buffer.byteLength(`${wide.slice(0, -1).join('\n')}\n`));
  });
});

it('a census of a log without scenario has all parties except the DSO and its super validators', () => {
  const [sv, alice] = [PartyId.of('sv'), PartyId.of('alice')];
  let ledger = openLedger();
  const submit = (command: Command, party: PartyId): void => {
    const outcome = ledger.submit(command, { now: GENESIS_TIME, actAs: [party] });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    ledger = outcome.value.ledger;
  };
  for (const party of [sv, alice]) submit({ type: 'AllocateParty', party }, party);
  const svs = [{ party: sv, name: 'SV 1', rewardWeight: 100, participantId: 'PAR::sv1::1220' }];
  submit({ type: 'BootstrapDso', svs }, settingsOf(ledger.state).dso);
  const census = new Census();
  for (const update of ledger.updates()) census.take(update);
  expect(census.registry().parties).toEqual([alice]);
});
