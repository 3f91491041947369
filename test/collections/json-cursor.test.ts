import { JsonCursor, Literal } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Returns what a cursor reads from a text, or null if it fails or does not reach the end. */
function readBy<Value>(text: string, read: (cursor: JsonCursor) => Value, cursor = new JsonCursor()): Value | null {
  const bytes = Buffer.from(text);
  cursor.start(bytes, 0);
  const value = read(cursor);
  return cursor.failed || cursor.at !== bytes.length ? null : value;
}

const texts = (cursor: JsonCursor): string[] => cursor.list((each) => each.text());

describe('a cursor in JSON', () => {
  it('reads texts of ASCII letters, known or not, and fails for all others', () => {
    const cursor = new JsonCursor();
    const text = fc.oneof(
      // Differ in one place, so that many are equal in those bytes by which the cursor finds a known text.
      fc.tuple(fc.nat({ max: 140 }), fc.constantFrom('a', 'b')).map(([at, letter]) => `${'-'.repeat(at)}${letter}`),
      fc.nat({ max: 300 }).map((length) => 'x'.repeat(length)),
      fc.string(),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(fc.array(text), (list) => {
        const isPlain = list.every((each) => /^[ !#-[\]-~]*$/.test(each));
        expect(readBy(JSON.stringify(list), texts, cursor)).toEqual(isPlain ? list : null);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reads a text that shares its place among the known texts with thousands of others', () => {
    const cursor = new JsonCursor();
    const many = Array.from({ length: 20_000 }, (_, i) => `payment ${i}`);
    expect(readBy(JSON.stringify([...many, ...many]), texts, cursor)).toEqual([...many, ...many]);
  });

  it.each([
    ['', null],
    ['"', null],
    ['"a', null],
    ['"a"', 'a'],
    ['"a"b', null],
    [`"${'a'.repeat(8_192)}"`, 'a'.repeat(8_192)],
    // `String.fromCharCode` has a limited number of arguments.
    [`"${'a'.repeat(200_000)}"`, null],
  ])('reads the text %.20s', (text, value) => {
    expect(readBy(text, (cursor) => cursor.text())).toBe(value);
  });

  it.each([
    ['0', 0],
    ['7', 7],
    ['-7', -7],
    ['-0', 0],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', null],
    ['9'.repeat(400), null],
    ['00', null],
    ['01', null],
    ['', null],
    ['-', null],
    ['1e2', null],
    ['1.0', null],
    ['+1', null],
  ])('reads the whole number %.20s', (text, value) => {
    expect(readBy(text, (cursor) => cursor.integer())).toBe(value);
  });

  it.each([
    ['007', 7],
    ['07', null],
    ['0007', null],
    ['0x7', null],
    ['-07', null],
  ])('reads three digits of %s', (text, value) => {
    expect(readBy(text, (cursor) => cursor.digits(3))).toBe(value);
  });

  it('reads a new text of a known length', () => {
    const read = (text: string): string | null => readBy(text, (cursor) => cursor.newText(3));
    expect([read('"abc"'), read('"ab"'), read('"abcd"'), read('"a\\n"'), read('"a"c"')]).toEqual([
      'abc',
      null,
      null,
      null,
      null,
    ]);
  });

  it('reads objects as JSON.parse does, in the order of their keys', () => {
    const key = fc.oneof(fc.constantFrom('__proto__', '1', '0', 'a', 'constructor'), fc.stringMatching(/^[a-z0-9]*$/));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat())), (entries) => {
        // With keys that repeat, which `JSON.stringify` cannot write.
        const text = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
        const read = readBy(text, (cursor) => cursor.object((each) => each.count()));
        expect(Object.entries(read ?? {})).toEqual(Object.entries(JSON.parse(text) as object));
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it.each(['[', '[1', '[1,', '[1,]', '[,1]', '1]', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}'])(
    'fails for %s',
    (text) => {
      expect(readBy(text, (cursor) => cursor.list((each) => each.count()))).toBeNull();
      expect(readBy(text, (cursor) => cursor.object((each) => each.count()))).toBeNull();
    },
  );

  it('passes a literal of any length, also at the end of the bytes, and no other text', () => {
    for (let length = 1; length < 12; length++) {
      const text = 'abcdefghijkl'.slice(0, length);
      const has = (given: string): boolean => readBy(given, (cursor) => cursor.has(new Literal(text))) ?? false;
      expect([has(text), has(text.slice(1)), has(text.slice(0, -1))]).toEqual([true, false, false]);
      for (let at = 0; at < length; at++) expect(has(`${text.slice(0, at)}?${text.slice(at + 1)}`)).toBe(false);
    }
  });

  it('passes bytes that stand at an earlier place, and no others', () => {
    const repeats = (text: string): readonly boolean[] | null =>
      readBy(text, (cursor) => {
        cursor.text();
        return [cursor.repeats(0, 3), cursor.repeats(0, 3)];
      });
    expect([repeats('"a""a""a"'), repeats('"a""a"'), repeats('"a"')]).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    expect([repeats('"a""b"'), repeats('"a"xa"'), repeats('"a""ab'), repeats('"a""a')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('numbers the known texts, and no text of more than 128 bytes', () => {
    const cursor = new JsonCursor();
    const slotOf = (text: string): number => {
      readBy(JSON.stringify(text), (each) => each.text(), cursor);
      return cursor.slot;
    };
    const slot = slotOf('a party');
    expect(slot).toBeGreaterThanOrEqual(0);
    expect(slot).toBeLessThan(cursor.slots);
    expect([slotOf('x'.repeat(129)), slotOf('a party'), slotOf('x'.repeat(128))]).toEqual([
      -1,
      slot,
      expect.any(Number),
    ]);
    expect(cursor.slot).toBeGreaterThanOrEqual(0);
  });

  it('begins anew with other bytes', () => {
    const cursor = new JsonCursor();
    expect(readBy('[x', texts, cursor)).toBeNull();
    expect(readBy('["x"]', texts, cursor)).toEqual(['x']);
  });
});
