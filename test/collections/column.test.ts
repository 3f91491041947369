import { Instant } from '@coinlab/core';
import { Column } from '@coinlab/core/codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Lengths around the first allocations and around segments of 4,096 values. */
const lengths = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 4_090, max: 4_100 }), fc.nat({ max: 20_000 }));

function counted(length: number): Column<number> {
  const column = Column.ofWords();
  for (let i = 0; i < length; i++) column.push(7 * i);
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
        const expected = Array.from({ length }, (_, i) => 7 * i);
        const copy = column.upTo(cut);
        column.cut(cut);
        expected.length = Math.min(length, cut);
        for (let i = 0; i < more; i++) expected.push(column.length + 100_000);
        for (let i = 0; i < more; i++) column.push(expected[column.length] as number);
        expect(valuesOf(column)).toEqual(expected);
        expect(valuesOf(copy)).toEqual(Array.from({ length: Math.min(length, cut) }, (_, i) => 7 * i));
        expect([column.at(-1), column.at(column.length)]).toEqual([undefined, undefined]);
      }),
      { numRuns: runs(40) },
    );
  });

  it('counts, slices and finds values like a list', () => {
    fc.assert(
      fc.property(lengths, fc.nat({ max: 150_000 }), fc.nat({ max: 20_000 }), (length, value, from) => {
        const column = counted(length);
        const list = Array.from({ length }, (_, i) => 7 * i);
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

  const steps = fc.oneof(
    { weight: 20, arbitrary: fc.oneof(fc.nat({ max: 99 }), fc.nat({ max: 1_000_000 })) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 2 ** 16, 2 ** 32 - 1, 2 ** 32, 2 ** 40) },
  );

  type Made = (value: number) => number | bigint;
  // Casts: a column of one of two kinds.
  const kinds: readonly (readonly [string, () => Column<number | bigint>, Made])[] = [
    ['numbers', Column.ofNumbers as () => Column<number | bigint>, Number],
    ['big integers', Column.ofBigInts as () => Column<number | bigint>, BigInt],
  ];

  it.each(kinds)('keeps %s that ascend in steps of any size, and others', (_, make, made) => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 300 }), fc.nat({ max: 4_200 }), fc.nat(), (given, before, place) => {
        const column = make();
        const list: (number | bigint)[] = [];
        let sum = 1_000;
        const push = (step: number): void => {
          list.push(made((sum += step)));
          column.push(made(sum));
        };
        for (let i = 0; i < before; i++) push(1);
        given.forEach(push);
        const length = place % (list.length + 1);
        const copy = column.upTo(length);
        column.cut(length);
        given.forEach((step) => column.push(made(step)));
        const kept = list.slice(0, length);
        const expected = [...kept, ...given.map((step) => made(step))];
        expect(column.slice(0, column.length)).toEqual(expected);
        expect(copy.slice(0, copy.length)).toEqual(kept);
        for (const value of [...given, 1_000, 1_001, sum].map((each) => made(each)))
          expect([column.indexOf(value, place % 9), copy.indexOf(value)]).toEqual([
            expected.indexOf(value, place % 9),
            kept.indexOf(value),
          ]);
      }),
      { numRuns: runs(60) },
    );
  });

  it.each(kinds)('counts %s up to a value', (_, make, made) => {
    const rising = steps.filter((step) => step >= 0);
    fc.assert(
      fc.property(fc.array(rising, { maxLength: 300 }), fc.nat({ max: 9_000 }), (given, before) => {
        const column = make();
        const list: number[] = [];
        for (const step of [...Array.from({ length: before }, (_, i) => i % 3), ...given])
          list.push((list.at(-1) ?? 1_000) + step);
        for (const value of list) column.push(made(value));
        const near = list.filter((_, i) => i % 61 === 0 || i > list.length - 9 || i % 4_096 < 2 || i % 4_096 > 4_094);
        for (const value of [0, ...near.flatMap((one) => [one - 1, one, one + 1]), 2 ** 52])
          expect(column.countUntil(made(value))).toBe(list.filter((one) => one <= value).length);
      }),
      { numRuns: runs(30) },
    );
  });

  it.each(kinds)('keeps %s at and beyond the largest distance of two and of four bytes', (_, make, made) => {
    const distances = [16, 32].flatMap((bits) => [-1, 0, 1, 2 ** bits].map((by) => 2 ** bits + by));
    for (const distance of distances) {
      const column = make();
      for (const value of [5, 5 + distance, 6]) column.push(made(value));
      expect([column.slice(0, 3), column.indexOf(made(5 + distance)), column.indexOf(made(6 + distance))]).toEqual([
        [5, 5 + distance, 6].map((value) => made(value)),
        1,
        -1,
      ]);
    }
  });

  it.each([
    ['small steps, of two bytes each', 1n, 1_024],
    ['larger steps, of four', 1n << 8n, 2_048],
    ['large steps, of eight', 1n << 32n, 4_096],
  ])('allocates at most one segment in each addition, however long it is: %s', (_, step, most) => {
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
      for (let i = 0n; i < 5n; i++) column.push(i * step);
      expect(allocated.reduce((sum, length) => sum + length, 0)).toBeLessThan(20);
      for (let i = 5n; i < 200_000n; i++) column.push(i * step);
    } finally {
      globalThis.SharedArrayBuffer = Original;
    }
    expect(Math.max(...allocated)).toBe(most);
    // A segment is widened once or twice.
    expect(allocated.reduce((sum, length) => sum + length, 0)).toBeLessThan(55 * (2 * most - 1_000));
  });

  it.each([
    ['small numbers in any order', (i: number) => (i * 7) % 50],
    ['a large number now and then among zeros', (i: number) => (i % 3 === 0 ? 0 : 3_000_000_000 + i)],
    ['numbers that ascend after zeros', (i: number) => (i < 9_000 ? 0 : 5_000_000 + i)],
  ])('takes two bytes for each of: %s', (_, valueAt) => {
    const { SharedArrayBuffer: Original } = globalThis;
    let allocated = 0;
    globalThis.SharedArrayBuffer = class extends Original {
      constructor(bytes: number = 0) {
        super(bytes);
        allocated += bytes;
      }
    };
    const column = Column.ofWords();
    try {
      // The first segment is made several times while it grows.
      for (let i = 0; i < 40_960; i++) column.push(valueAt(i));
    } finally {
      globalThis.SharedArrayBuffer = Original;
    }
    expect(allocated / 40_960).toBeLessThan(3);
    const expected = Array.from({ length: 40_960 }, (_none, i) => valueAt(i));
    expect(column.slice(0, 40_960)).toEqual(expected);
    expect(column.indexOf(0, 30_001)).toBe(expected.indexOf(0, 30_001));
  });

  it.each(kinds)('keeps %s around zero and around the first one', (_, make, made) => {
    for (const values of [
      [0, 0],
      [-3, -1, 0, 0, 1, 9],
      [70_000, 69_999, 0, 70_001],
      [1, 0, 2, -1],
    ]) {
      const column = make();
      const list = values.map((value) => made(value));
      for (const value of list) column.push(value);
      expect(column.slice(0, 9)).toEqual(list);
      for (const value of [-2, -1, 0, 1, 5, 69_999, 70_000].map((each) => made(each)))
        expect([column.indexOf(value), column.indexOf(value, 1)]).toEqual([
          list.indexOf(value),
          list.indexOf(value, 1),
        ]);
      if (values[0] === 70_000 || values[0] === 1) continue;
      for (const value of [-4, -3, -1, 0, 1, 8, 9])
        expect(column.countUntil(made(value))).toBe(values.filter((one) => one <= value).length);
    }
  });

  it('counts zeros before other values', () => {
    const column = Column.ofWords();
    for (const value of [0, 0, 70_000, 70_003]) column.push(value);
    expect([0, 1, 69_999, 70_000, 70_003].map((most) => column.countUntil(most))).toEqual([2, 2, 2, 3, 4]);
    column.cut(2);
    expect([column.countUntil(0), column.countUntil(70_000), column.indexOf(70_000)]).toEqual([2, 2, -1]);
  });

  it('does not count as external memory of V8, which would begin collections', () => {
    const before = process.memoryUsage();
    const columns = [Column.ofNumbers(), Column.ofWords(), Column.ofBigInts()] as const;
    for (let i = 0; i < 1_600_000; i++)
      for (const column of columns) column.push((column === columns[2] ? 1n : 1) as never);
    const copies = columns.map((column) => column.upTo(1_600_000));
    const after = process.memoryUsage();
    expect(copies.map(({ length }) => length)).toEqual([1_600_000, 1_600_000, 1_600_000]);
    expect(after.arrayBuffers - before.arrayBuffers).toBeGreaterThan(8_000_000);
    expect(after.external - before.external).toBeLessThan(1_000_000);
  });

  it('works in a page without shared memory', () => {
    const { SharedArrayBuffer: original } = globalThis;
    // Cast: a page that is not isolated lacks the constructor.
    globalThis.SharedArrayBuffer = undefined as unknown as SharedArrayBufferConstructor;
    try {
      const column = counted(10_000);
      expect(column.upTo(9_000).at(8_999)).toBe(62_993);
    } finally {
      globalThis.SharedArrayBuffer = original;
    }
  });
});
