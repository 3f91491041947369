import { Amount } from '@coinlab/core';
import {
  boundOf,
  drawnStream,
  isWithin,
  neighbour,
  replayObjective,
  searchWorst,
  streamsWithin,
  streamText,
  type Objective,
  type StreamLimits,
} from '@coinlab/lab';
import { DEFAULT_SETTINGS, DEFAULT_UNIT, parseStream, replayStream, Streams } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

const TINY: StreamLimits = {
  rows: 5,
  amounts: { least: 1, most: 3 },
  receipts: { least: 0.4, most: 0.8 },
  balance: 6,
};
const WIDE: StreamLimits = {
  rows: 30,
  amounts: { least: 1, most: 50 },
  receipts: { least: 0.3, most: 0.7 },
  balance: 200,
};

/** A cheap objective: later payments weigh more. */
const toy: Objective = (rows) => rows.reduce((sum, row, i) => sum + (row < 0 ? -row * i : row === 3 ? 2 : 0), 0);

describe('streams within the limits', () => {
  it('are all enumerated, and include every drawn and every changed stream', () => {
    const all = [...streamsWithin(TINY)];
    expect(new Set(all.map(String)).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(boundOf(TINY));
    const texts = new Set(all.map(String));
    const draws = new Streams(1).named('test');
    for (let i = 0; i < 300; i++) {
      const rows = drawnStream(TINY, draws);
      expect(texts.has(String(rows))).toBe(true);
      expect(texts.has(String(neighbour(rows, TINY, draws)))).toBe(true);
    }
    expect(isWithin([3, 3, 1, -1, -1], TINY)).toBe(false);
    expect(isWithin([1, -2, 2, 2, -1], TINY)).toBe(false);
    expect(isWithin([3, 3, -1, -1, -1], TINY)).toBe(true);
    expect(isWithin([3, 3, -1, -1, -1], { ...TINY, receipts: { least: 0.5, most: 1 } })).toBe(false);
  });

  it('are all drawn eventually, including streams that reach the largest balance with the smallest receipt', () => {
    const limits: StreamLimits = { ...TINY, rows: 4, amounts: { least: 1, most: 2 }, balance: 3 };
    const draws = new Streams(1).named('test');
    const drawn = new Set(Array.from({ length: 3_000 }, () => String(drawnStream(limits, draws))));
    expect([...drawn].sort()).toEqual([...streamsWithin(limits)].map(String).sort());
  });

  it('are drawn when exactly one number of receipts fits', () => {
    const limits = { ...TINY, rows: 4, receipts: { least: 0.5, most: 0.5 } };
    const rows = drawnStream(limits, new Streams(1).named('test'));
    expect(rows.filter((row) => row > 0)).toHaveLength(2);
  });

  it('are changed by one unit up and down, and by moving and exchanging rows', () => {
    const limits = {
      rows: 3,
      amounts: { least: 1, most: 1_000_000 },
      receipts: { least: 0, most: 1 },
      balance: Infinity,
    };
    const draws = new Streams(1).named('test');
    const found = new Set(Array.from({ length: 1_000 }, () => String(neighbour([500, 600, -400], limits, draws))));
    for (const rows of ['499,600,-400', '501,600,-400', '500,600,-399', '500,600,-401', '600,500,-400', '500,-400,600'])
      expect(found).toContain(rows);
    for (const rows of ['1,600,-400', '1000000,600,-400', '500,600,400', '600,600,-400']) expect(found).toContain(rows);
  });

  it('are refused with an error when no stream fits', () => {
    const none = { ...TINY, receipts: { least: 0, most: 0 } };
    expect([...streamsWithin(none)]).toEqual([]);
    expect(() => drawnStream(none, new Streams(1).named('test'))).toThrow(RangeError);
  });
});

describe('the search for the worst stream', () => {
  const optimum = (limits: StreamLimits, objective: Objective): number =>
    Math.max(...[...streamsWithin(limits)].map(objective));

  it('finds the optimum with a budget smaller than the number of streams', () => {
    const best = optimum(TINY, toy);
    for (const seed of [1, 2, 3, 4, 5]) {
      const found = searchWorst({ limits: TINY, objective: toy, budget: 1_500, restarts: 4, seed });
      expect(found).toMatchObject({ isProven: false, worst: { value: best } });
      expect(found.looked).toBe(1_500);
      expect(toy(found.worst.rows)).toBe(best);
    }
  });

  it('tries every stream when the budget covers all of them', () => {
    const found = searchWorst({ limits: TINY, objective: toy, budget: 20_000, restarts: 4, seed: 1 });
    expect(found).toMatchObject({ isProven: true, worst: { value: optimum(TINY, toy) } });
  });

  it('finds the optimum for a wallet, and a replay gives the same value', () => {
    const limits = { ...TINY, rows: 4, amounts: { least: 1, most: 2 } };
    const settings = { ...DEFAULT_SETTINGS, policy: 'smallest-first' as const };
    const objective = replayObjective(settings, 'meanUtxos', DEFAULT_UNIT);
    const { worst, isProven } = searchWorst({ limits, objective, budget: 120, restarts: 2, seed: 1 });
    expect(isProven).toBe(false);
    expect(worst.value).toBe(optimum(limits, objective));
    const stream = parseStream(streamText(worst.rows), 'worst.txt');
    if (!stream.ok) throw new Error(stream.error.reason);
    expect(replayStream(stream.value, settings, () => undefined).meanUtxos).toBe(worst.value);
  });

  it('finds the same stream for the same seed, and a far worse one than random draws', () => {
    const search = (seed: number): ReturnType<typeof searchWorst> =>
      searchWorst({ limits: WIDE, objective: toy, budget: 3_000, restarts: 3, seed });
    expect(search(7)).toEqual(search(7));
    const { worst, baseline, worstDrawn } = search(7);
    expect(isWithin(worst.rows, WIDE)).toBe(true);
    expect(worst.value).toBeGreaterThan(worstDrawn);
    expect(baseline.observations).toBe(100);
    expect(baseline.high).toBeLessThan(worstDrawn);
  });

  it('keeps within its budget when it has more restarts than streams to evaluate', () => {
    for (const budget of [2, 3, 7, 12]) {
      const found = searchWorst({ limits: WIDE, objective: toy, budget, restarts: 40, seed: 1 });
      expect([found.looked, found.isProven]).toEqual([budget, false]);
    }
    expect(searchWorst({ limits: WIDE, objective: toy, budget: 40, restarts: 1, seed: 1 }).looked).toBe(40);
  });

  it('finds the same stream when every value is larger by a constant', () => {
    const search = (constant: number): readonly number[] =>
      searchWorst({ limits: WIDE, objective: (rows) => toy(rows) + constant, budget: 400, restarts: 2, seed: 5 }).worst
        .rows;
    expect(search(2 ** 24)).toEqual(search(0));
  });

  it('accepts worse streams less often as it goes on', () => {
    const values: number[] = [];
    const objective: Objective = (rows) => {
      const value = toy(rows);
      values.push(value);
      return value;
    };
    searchWorst({ limits: WIDE, objective, budget: 3_000, restarts: 1, seed: 3 });
    const mean = (some: readonly number[]): number => some.reduce((sum, value) => sum + value, 0) / some.length;
    // A hundred streams are drawn; then the search evaluates neighbours of a stream that improves.
    const [start, middle, end] = [values.slice(100, 700), values.slice(1_300, 1_900), values.slice(-600)].map(mean);
    expect(middle).toBeGreaterThan(start ?? 0);
    expect(end).toBeGreaterThan(middle ?? 0);
    // At the end no evaluated stream is far below the worst one.
    expect(end).toBeGreaterThan(0.9 * Math.max(...values));
  });

  it('reports progress after every evaluated stream', () => {
    const told: number[] = [];
    const onProgress = (looked: number, worst: number): void => void told.push(looked, worst);
    const { worst } = searchWorst({ limits: TINY, objective: toy, budget: 50, restarts: 2, seed: 1, onProgress });
    expect(told).toHaveLength(100);
    expect(told.slice(-2)).toEqual([50, worst.value]);
  });

  it('uses amounts in units of the stream', () => {
    const objective = (unit: Amount) => replayObjective({ ...DEFAULT_SETTINGS }, 'maxUtxos', unit);
    expect(objective(DEFAULT_UNIT)([5, 5, -7])).toBe(objective(Amount.one)([5, 5, -7]));
  });
});
