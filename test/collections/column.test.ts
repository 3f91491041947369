import { Instant } from '@coinlab/core';
import { Column } from '@coinlab/core/codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Lengths around the first allocations and around segments of 4,096 values. */
const lengths = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 4_090, max: 4_100 }), fc.nat({ max: 20_000 }));

function counted(length: number): Column<number> {
  const column = Column.ofWords();
  for (let i = 0; i < length; i++) column.push(3 * i);
  return column;
}

function valuesOf(column: Column<number>): readonly (number | undefined)[] {
  return Array.from({ length: column.length }, (_, i) => column.at(i));
}

describe('a column', () => {
  it('has the values of a list after additions, cuts and copies', () => {
    fc.assert(
      fc.property(lengths, lengths, lengths, (length, cut, more) => {
        const column = counted(length);
        const expected = Array.from({ length }, (_, i) => 3 * i);
        const copy = column.upTo(cut);
        column.cut(cut);
        expected.length = Math.min(length, cut);
        for (let i = 0; i < more; i++) expected.push(column.length + 7);
        for (let i = 0; i < more; i++) column.push(expected[column.length] as number);
        expect(valuesOf(column)).toEqual(expected);
        expect(valuesOf(copy)).toEqual(Array.from({ length: Math.min(length, cut) }, (_, i) => 3 * i));
        expect([column.at(-1), column.at(column.length)]).toEqual([undefined, undefined]);
      }),
      { numRuns: runs(40) },
    );
  });

  it('counts, slices and finds values like a list', () => {
    fc.assert(
      fc.property(lengths, fc.nat({ max: 60_000 }), fc.nat({ max: 20_000 }), (length, value, from) => {
        const column = counted(length);
        const list = Array.from({ length }, (_, i) => 3 * i);
        expect(column.countUntil(value)).toBe(list.filter((one) => one <= value).length);
        expect(column.slice(from, from + 10)).toEqual(list.slice(from, from + 10));
        expect(column.indexOf(value, from)).toBe(list.indexOf(value, from));
        column.cut(Math.floor(length / 2));
        list.length = column.length;
        expect(column.indexOf(value, from)).toBe(list.indexOf(value, from));
      }),
      { numRuns: runs(40) },
    );
  });

  it('fills the gap before a value beyond its end with zeros', () => {
    const column = Column.ofWords();
    column.set(5_000, 7);
    column.set(2, 9);
    expect([column.length, column.at(0), column.at(2), column.at(4_999), column.at(5_000)]).toEqual([
      5_001, 0, 9, 0, 7,
    ]);
  });

  it('keeps times and numbers above 32 bits exactly', () => {
    const times = Column.ofBigInts<Instant>();
    const numbers = Column.ofNumbers();
    for (let i = 0; i < 10; i++) {
      times.push(Instant.latest);
      numbers.push(Number.MAX_SAFE_INTEGER - i);
    }
    expect([times.at(9), numbers.at(9)]).toEqual([Instant.latest, Number.MAX_SAFE_INTEGER - 9]);
  });

  it('allocates at most one segment of 32 KiB in each addition, however long it is', () => {
    const { SharedArrayBuffer: Original } = globalThis;
    const allocated: number[] = [];
    class Watched extends Original {
      constructor(bytes: number = 0) {
        super(bytes);
        allocated.push(bytes / 8);
      }
    }
    globalThis.SharedArrayBuffer = Watched;
    try {
      const column = Column.ofBigInts();
      for (let i = 0; i < 200_000; i++) column.push(1n);
    } finally {
      globalThis.SharedArrayBuffer = Original;
    }
    expect(Math.max(...allocated)).toBe(4_096);
    expect(allocated.reduce((sum, length) => sum + length, 0)).toBeLessThan(200_000 + 3 * 4_096);
  });

  it('does not count as external memory of V8, which would begin collections', () => {
    const before = process.memoryUsage();
    const columns = [Column.ofNumbers(), Column.ofWords(), Column.ofBigInts()] as const;
    for (let i = 0; i < 400_000; i++)
      for (const column of columns) column.push((column === columns[2] ? 1n : 1) as never);
    const copies = columns.map((column) => column.upTo(400_000));
    const after = process.memoryUsage();
    expect(copies.map(({ length }) => length)).toEqual([400_000, 400_000, 400_000]);
    expect(after.arrayBuffers - before.arrayBuffers).toBeGreaterThan(8_000_000);
    expect(after.external - before.external).toBeLessThan(1_000_000);
  });

  it('works in a page without shared memory', () => {
    const { SharedArrayBuffer: original } = globalThis;
    // Cast: a page that is not isolated lacks the constructor.
    globalThis.SharedArrayBuffer = undefined as unknown as SharedArrayBufferConstructor;
    try {
      const column = counted(10_000);
      expect(column.upTo(9_000).at(8_999)).toBe(26_997);
    } finally {
      globalThis.SharedArrayBuffer = original;
    }
  });
});
