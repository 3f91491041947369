import { ByteReader, ByteWriter, PLAIN } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

type Value = number | bigint | string;

function written(values: readonly Value[]): Uint8Array {
  const writer = new ByteWriter();
  for (const value of values) {
    if (typeof value === 'number') writer.integer(value);
    else if (typeof value === 'bigint') writer.big(value);
    else writer.text(value);
  }
  return writer.take();
}

function readLike(values: readonly Value[], reader: ByteReader): readonly Value[] {
  return values.map((value) => {
    if (typeof value === 'number') return reader.integer();
    return typeof value === 'bigint' ? reader.big() : reader.text();
  });
}

function readerOf(bytes: Uint8Array): ByteReader {
  const reader = new ByteReader();
  reader.give(bytes);
  return reader;
}

describe('bytes of whole numbers and texts', () => {
  it('are read back as they were written', () => {
    const near = (...numbers: readonly number[]): fc.Arbitrary<number> =>
      fc.tuple(fc.constantFrom(...numbers), fc.integer({ min: -2, max: 2 })).map(([number, by]) => number + by);
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer(),
      near(0, 64, 127, 2 ** 27, 2 ** 28, 2 ** 31, PLAIN, -PLAIN),
    );
    const value = fc.oneof(number, number.map(BigInt), fc.bigInt(), fc.string({ unit: 'binary', maxLength: 600 }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 400 }), (values) => {
        const reader = readerOf(written(values));
        expect(readLike(values, reader)).toEqual(values.map((each) => (Object.is(each, -0) ? 0 : each)));
        expect([reader.left, reader.fault]).toEqual([0, null]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('reach their length and no more, with numbers of one to eight bytes', () => {
    const number = fc.integer({ min: 0, max: 52 }).map((bits) => 2 ** bits);
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 300 }), (numbers) => {
        // A writer for each question, because some answers encode all numbers.
        const writer = (): ByteWriter => {
          const filled = new ByteWriter();
          for (const each of numbers) filled.count(each);
          return filled;
        };
        const { length } = writer();
        expect([length - 1, length, length + 1].map((limit) => writer().reaches(limit))).toEqual([true, true, false]);
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    [0, 1],
    [127, 1],
    [128, 2],
    [2 ** 28 - 1, 4],
    [2 ** 28, 5],
    [Number.MAX_SAFE_INTEGER, 8],
  ])('take seven bits a byte: the count %d', (count, length) => {
    const writer = new ByteWriter();
    writer.count(count);
    expect(writer.length).toBe(length);
    expect(readerOf(writer.take()).count()).toBe(count);
    expect(writer.length).toBe(0);
  });

  it('continue bytes that were written by another writer', () => {
    const [first, second] = [written([1, 'a'.repeat(9_000)]), new ByteWriter()];
    second.integer(7);
    second.append(first);
    second.integer(8);
    expect(readLike([7, 1, 'a', 8], readerOf(second.written()))).toEqual([7, 1, 'a'.repeat(9_000), 8]);
  });

  it('name the fault that ends them', () => {
    const faultOf = (bytes: readonly number[], read: (reader: ByteReader) => unknown): string | null => {
      const reader = readerOf(Uint8Array.from(bytes));
      read(reader);
      return reader.fault;
    };
    const count = (reader: ByteReader): unknown => reader.count();
    expect(faultOf([], count)).toBe('the bytes end within a number');
    expect(faultOf([0x80], count)).toBe('the bytes end within a number');
    expect(faultOf([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], count)).toBe('a number is too large');
    expect(faultOf([3, 0x61], (reader) => reader.text())).toBe('the bytes end within a text');
    expect(faultOf([0, 1, 0x61], (reader) => reader.big())).toBe('a number has no digits');
  });
});
