import { HashIndex, textHashOf } from '@coinlab/core/codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const ENTRIES = 300_000;

function isAny(): boolean {
  return true;
}

describe('a table of hashes', () => {
  it('finds each of many numbers, and moves few entries in each step of its growth', () => {
    const table = new HashIndex();
    let mostMoved = 0;
    for (let i = 0; i < ENTRIES; i++) mostMoved = Math.max(mostMoved, table.add(textHashOf(`text ${i}`), i));
    const missing: number[] = [];
    for (let i = 0; i < ENTRIES; i++)
      if (table.find(textHashOf(`text ${i}`), (value) => value === i) !== i) missing.push(i);
    expect({ count: table.count, missing }).toEqual({ count: ENTRIES, missing: [] });
    expect(mostMoved).toBeGreaterThan(0);
    expect(mostMoved).toBeLessThan(3_000);
  });

  it('does not count as external memory of V8, which would begin collections', () => {
    const before = process.memoryUsage().external;
    const table = new HashIndex();
    for (let i = 0; i < ENTRIES; i++) table.add(textHashOf(`text ${i}`), i);
    expect(process.memoryUsage().external - before).toBeLessThan(1_000_000);
    expect(table.count).toBe(ENTRIES);
  });

  it('spreads texts with a common beginning or end, so that few share a hash', () => {
    const hashes = new Set<number>();
    for (let i = 0; i < ENTRIES / 2; i++) hashes.add(textHashOf(`own:${i}:alice`)).add(textHashOf(`alice:${i}`));
    // By chance about ten of 300,000 share one.
    expect(ENTRIES - hashes.size).toBeLessThan(40);
  });

  it('hashes a text the same in whatever parts it is given, and another one differently', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 9 }), { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        expect(textHashOf(...parts)).toBe(textHashOf(text));
        expect(textHashOf(...parts, ' ')).not.toBe(textHashOf(text));
        expect(textHashOf(...parts, '\0')).not.toBe(textHashOf(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('has no number for an unknown hash or if the test accepts none', () => {
    const table = new HashIndex();
    expect(table.find(7, isAny)).toBeUndefined();
    table.add(7, 0);
    expect(table.find(8, isAny)).toBeUndefined();
    expect(table.find(7, () => false)).toBeUndefined();
    expect(table.find(7, isAny)).toBe(0);
  });

  it.each([[0], [0xffff_ffff], [0x8000_0000]])(
    'keeps thousands of numbers with the hash %d in the order of addition',
    (hash) => {
      const table = new HashIndex();
      for (let i = 0; i < 3_000; i++) {
        table.add(hash, i);
        table.add(textHashOf(String(i)), i);
      }
      const seen: number[] = [];
      table.find(hash, (value) => seen.push(value) < 0);
      expect(seen).toEqual(Array.from({ length: 3_000 }, (_, i) => i));
    },
  );
});
