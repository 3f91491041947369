import { Streams } from '@coinlab/sim';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, it } from 'vitest';

const NAMES = ['a/amounts', 'b/amounts', 'c/amounts', 'a/times', 'payers-0/selection', 'payers-1/selection', ''];
const SEEDS = [0, 1, 2, 3, 256, 0x811c9dc5, 0xffff_ffff];
const REPLICATES = 30;

describe('random streams', () => {
  it('draw the same numbers for the same seed, name and replicate', () => {
    const ten = (seed: number, replicate: number): readonly number[] => {
      const stream = new Streams(seed, replicate).named('a');
      return Array.from({ length: 10 }, () => stream.below(1000));
    };
    expect(ten(1, 2)).toEqual(ten(1, 2));
  });

  it('are equal on every machine and in every version', () => {
    const stream = new Streams(1).named('wallet/selection');
    expect(Array.from({ length: 6 }, () => stream.below(1000))).toEqual([67, 156, 952, 17, 272, 993]);
    const events = new Streams(1).ofEvents('payers/amounts');
    events.moveTo(3, 7);
    expect(Array.from({ length: 6 }, () => events.below(1000))).toEqual([912, 625, 559, 108, 271, 732]);
  });

  it('draw what xoroshiro128+ of pure-rand draws from the same position', () => {
    for (const seed of SEEDS) {
      const streams = new Streams(seed);
      const stream = streams.named('a');
      const reference = xoroshiro128plusFromState(streams.positions()['a'] ?? []);
      for (const limit of [1, 2, 3, 1000, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32])
        for (let i = 0; i < 20; i++) expect(stream.below(limit)).toBe(uniformInt(reference, 0, limit - 1));
      expect(streams.positions()['a']).toEqual(reference.getState());
    }
  });

  it('are uniform below the limit', () => {
    const stream = new Streams(1).named('a');
    const counts = Array.from({ length: 7 }, () => 0);
    for (let i = 0; i < 70_000; i++) {
      const drawn = stream.below(7);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    // Ten thousand each with a standard deviation of 93: a deviation of five of them is practically impossible.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(465);
    expect(stream.below(1)).toBe(0);
  });

  it('are unrelated if they differ in seed, name or replicate', () => {
    const starts = SEEDS.flatMap((seed) =>
      Array.from({ length: REPLICATES }, (_, replicate) => new Streams(seed, replicate)).flatMap((streams) =>
        NAMES.map((name) => unitsOf(streams.named(name), 8)),
      ),
    );
    expect(new Set(starts.map(String)).size).toBe(starts.length);
    // Neighbours in seed, name and replicate: pairs of first draws, and of draws at any equal place.
    expect(chiSquared(starts)).toBeLessThan(CHI_SQUARED_99_OF_100_MILLION);
  });

  it('give every event of every member different draws', () => {
    const stream = new Streams(1).ofEvents('payers/amounts');
    const starts = Array.from({ length: 60 }, (_, member) =>
      Array.from({ length: 60 }, (_, event) => {
        stream.moveTo(member, event);
        return unitsOf(stream, 8);
      }),
    ).flat();
    expect(new Set(starts.map(String)).size).toBe(starts.length);
    expect(chiSquared(starts)).toBeLessThan(CHI_SQUARED_99_OF_100_MILLION);
    stream.moveTo(3, 7);
    expect(unitsOf(stream, 8)).toEqual(starts[3 * 60 + 7]);
  });
});

function unitsOf(stream: { unit(): number }, count: number): readonly number[] {
  return Array.from({ length: count }, () => stream.unit());
}

/** 63 degrees of freedom: mean 63, deviation 11. */
const CHI_SQUARED_99_OF_100_MILLION = 63 + 7 * 11.3;

/** Counts pairs of draws at equal places of successive streams in 8 × 8 cells; unrelated streams fill them evenly. */
function chiSquared(starts: readonly (readonly number[])[]): number {
  const cells = Array.from({ length: 64 }, () => 0);
  let pairs = 0;
  // Not overlapping, so that pairs are independent.
  for (let i = 0; i + 1 < starts.length; i += 2)
    starts[i]?.forEach((x, place) => {
      const cell = Math.floor(x * 8) * 8 + Math.floor((starts[i + 1]?.[place] ?? 0) * 8);
      cells[cell] = (cells[cell] ?? 0) + 1;
      pairs += 1;
    });
  const expected = pairs / 64;
  return cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
