import { createHash } from 'node:crypto';
import {
  checkpointLines,
  fileHashes,
  logLines,
  readCheckpoint,
  ResumableHash,
  Run,
  runScenario,
  type RunResult,
  type Saved,
  type SavedRun,
  type ScenarioFiles,
} from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from './lab-fixture.ts';

/** Uses everything that a world saves: open offers, waiting payments, bursts, periods, rewards, a recorded trace. */
const EVERYTHING = scenarioOf(`
name: everything
duration: { rounds: 18 }
warmup: 4
network: { maxInputs: 6, fees: { perByte: { price: '0.00001' } }, changes: [{ atRound: 9, amuletPrice: '0.2' }] }
metrics: { every: 2 }
parties:
  - name: payers
    count: 12
    opening: { coins: 2, amount: { constant: '5' } }
    payments:
      arrivals: { bursts: { perDay: 90, size: 3 } }
      amount: { normal: { mean: '90', deviation: '30' } }
      whenShort: wait
      to: { groups: [hot, payers] }
    wallet:
      select: random-improve
      merge: { period: { every: 30m, above: 3 } }
      sweep: { to: hot, above: '150', keep: '20' }
      faults: [{ floatAmounts: true }, { staleInputs: 20m }, { skipsSmallerThan: '0.5' }]
    income: { every: 7, amount: { logNormal: { median: '6', sigma: 1 } } }
  - name: keyed
    temperament: external-party
    count: 6
    payments: { arrivals: { poisson: { perDay: 100 } } }
    receives:
      offers: { accepts: 0.5, rejects: 0.2, withdraws: 0.2, after: { exponential: { mean: 40m } }, expiresAfter: 1h }
  - { name: hot, temperament: exchange, count: 1 }
  - { name: provider, temperament: wallet-provider, count: 1 }
  - name: delegating
    count: 4
    validator: nodes
    wallet: { merge: { delegated: { operator: provider, above: 3, every: 20m } } }
    automation: { mints: { mergeLimit: 3, every: 30m }, completesOffers: true }
  - { name: collecting, count: 4, validator: nodes, automation: { collects: true } }
  - { name: nodes, temperament: validator, count: 2, automation: { topUp: { bytesPerSecond: 20, every: 1h } } }
  - { name: apps, temperament: app-provider, count: 1 }
  - name: recorded
    count: 2
    payments: { arrivals: { trace: { file: rows.csv, unit: '1', rowsPerRound: 2, operators: [{ bootstrap: { block: 2, rows: 80 } }] } } }
`);

const TEXT = '9\n4\n-3\n7\n-5\n2\n-1\n6\n';
const FILES: ScenarioFiles = new Map([
  [
    'rows.csv',
    {
      name: 'rows.csv',
      text: TEXT,
      sha256: createHash('sha256').update(TEXT).digest('hex'),
      bytes: TEXT.length,
    },
  ],
]);

function told(result: RunResult): string {
  const { scenario: played, histograms, ...rest } = result;
  return JSON.stringify(
    { name: played.name, histograms: [...histograms].map(([name, { counts }]) => [name, counts]), ...rest },
    (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value);
      if (value instanceof Map) return [...value];
      return value instanceof Int32Array ? [...value] : value;
    },
  );
}

/** Runs with a stop after each given round: saves the checkpoint as text, reads it and continues in another run. */
async function withStops(stops: readonly number[], replicate: number): Promise<{ result: RunResult; log: string }> {
  const pieces: Uint8Array[] = [];
  const log = (piece: Uint8Array): void => void pieces.push(Uint8Array.from(piece));
  const options = { replicate, files: FILES, log };
  let hash = await ResumableHash.create();
  let run = new Run(EVERYTHING, { ...options, hash });
  for (const stop of stops) {
    while (run.round < stop) run.playRound();
    const checkpoint = run.checkpoint();
    const saved: SavedRun = {
      scenario: EVERYTHING,
      replicate,
      files: fileHashes(FILES),
      policies: null,
      hash: hash.save(),
      checkpoint,
    };
    const read = readCheckpoint(`${[...checkpointLines(saved)].join('\n')}\n`);
    if (!read.ok) throw new Error(read.error);
    hash = await ResumableHash.create();
    hash.restore(read.value.hash);
    run = new Run(read.value.scenario, {
      ...options,
      replicate: read.value.replicate,
      hash,
      resume: read.value.checkpoint,
    });
  }
  while (!run.isOver) run.playRound();
  return { result: run.result(), log: Buffer.concat(pieces).toString('hex') };
}

describe('a checkpoint', () => {
  const straight = [0, 1].map((replicate) => {
    const pieces: Uint8Array[] = [];
    const result = runScenario(EVERYTHING, {
      replicate,
      files: FILES,
      log: (piece) => pieces.push(Uint8Array.from(piece)),
    });
    return { result: told(result), log: Buffer.concat(pieces).toString('hex'), summary: result.summary };
  });

  it('is taken of a scenario with every kind of saved state', () => {
    const log = [...logLines([Buffer.from(straight[0]?.log ?? '', 'hex')])].join('\n');
    for (const kind of [
      'TransferOffered',
      'TransferAccepted',
      'TransferRejected',
      'TransferWithdrawn',
      'HoldingsMerged',
      'DelegatedHoldingsMerged',
      'TrafficToppedUp',
    ])
      expect(log).toContain(`"${kind}"`);
    const summary = straight[0]?.summary;
    expect(summary?.get('payments.waiting')).toBeGreaterThan(0);
    expect(summary?.get('locked')).toBeGreaterThan(0);
    expect(summary?.get('rewards.minted')).toBeGreaterThan(0n);
  });

  it('leads to the same bytes at any round where the run stops', async () => {
    const stops = fc
      .uniqueArray(fc.nat({ max: 17 }), { minLength: 1, maxLength: 2 })
      .map((rounds) => rounds.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(stops, fc.nat({ max: 1 }), async (rounds, replicate) => {
        const { result, log } = await withStops(rounds, replicate);
        expect(log).toBe(straight[replicate]?.log);
        expect(told(result)).toBe(straight[replicate]?.result);
      }),
      { numRuns: 4 },
    );
  });

  describe('taken after eleven rounds', () => {
    const begun = new Run(EVERYTHING, { files: FILES });
    const fresh = begun.checkpoint().world as Readonly<Record<string, Saved>>;
    while (begun.round < 11) begun.playRound();
    const checkpoint = begun.checkpoint();
    const world = checkpoint.world as Readonly<Record<string, Saved>>;
    // The log's hash covers only the following updates, which suffices to compare runs.
    const goOn = (other: Saved): string => {
      const run = new Run(EVERYTHING, { files: FILES, resume: { ...checkpoint, world: other } });
      while (!run.isOver) run.playRound();
      return told(run.result());
    };
    const expected = goOn(world);

    it('leads to the same result when it is continued twice', () => {
      expect(goOn(world)).toBe(expected);
    });

    it.each(['streams', 'sources', 'agenda', 'waiting', 'counts', 'refused', 'traffic', 'past'])(
      'leads to another result when its %s is missing',
      (part) => {
        expect(Object.keys(world)).toContain(part);
        expect(goOn({ ...world, [part]: Array.isArray(world[part]) ? [] : fresh[part] })).not.toBe(expected);
      },
    );
  });

  it('is refused when it was modified, truncated or written by another version', async () => {
    const hash = await ResumableHash.create();
    const run = new Run(EVERYTHING, { files: FILES, hash });
    run.playRound();
    const saved = {
      scenario: EVERYTHING,
      replicate: 0,
      files: {},
      policies: null,
      hash: hash.save(),
      checkpoint: run.checkpoint(),
    };
    const lines = [...checkpointLines(saved)];
    expect(readCheckpoint(lines.join('\n')).ok).toBe(true);
    expect(readCheckpoint(lines.slice(0, -2).join('\n')).ok).toBe(false);
    expect(readCheckpoint(lines.join('\n').replace('"round":1', '"round":2')).ok).toBe(false);
    expect(readCheckpoint(lines.join('\n').replace('"version":"', '"version":"9')).ok).toBe(false);
    expect(readCheckpoint('').ok).toBe(false);
    expect(readCheckpoint('{}\n').ok).toBe(false);
  });
});
