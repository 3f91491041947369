import { codec, PROFILE_NAMES } from '@coinlab/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../../chance.ts';
import { recordedSteps } from '../recorded.ts';

const lines = PROFILE_NAMES.flatMap((profile) => recordedSteps(profile).map(({ update }) => codec.encode(update)));
/** Escapes, letters beyond ASCII, and amounts from 10¹⁵. */
const UNUSUAL = /[^ -~]|\\|"-?\d{16,}\./;
const reader = codec.reader();

function read(text: string): ReturnType<typeof codec.decode> {
  const bytes = Buffer.from(text);
  return reader.read(bytes, 0, bytes.length, 7);
}

/** Replaces one of the values of a line, or leaves it out. */
function withValue(line: string, place: number, replacement: unknown): string {
  const json: unknown = JSON.parse(line);
  const places: (readonly [parent: Record<string, unknown>, name: string])[] = [];
  const collect = (parent: unknown): void => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [name, value] of Object.entries(parent)) {
      places.push([parent as Record<string, unknown>, name]);
      collect(value);
    }
  };
  collect(json);
  const [parent, name] = places[place % places.length] ?? [{}, ''];
  if (replacement !== undefined) parent[name] = replacement;
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return JSON.stringify(json);
}

describe('a reader of lines', () => {
  afterEach(() => vi.restoreAllMocks());

  it('reads every recorded line as the codec does, anywhere in the bytes', () => {
    // Twice: then most texts are known.
    for (const line of [...lines, ...lines]) {
      const bytes = Buffer.from(`é"${line}"`);
      const update = reader.read(bytes, 3, bytes.length - 1, 1);
      expect(update).toEqual(codec.decode(line, 1));
      // Shows the order of fields as well.
      expect(update.ok && codec.encode(update.value)).toBe(line);
    }
    expect(lines.length).toBeGreaterThan(2_000);
  });

  it('parses only lines with an escape, a letter beyond ASCII or an amount from 10¹⁵', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const parsed: string[] = [];
    for (const line of lines) {
      parse.mockClear();
      read(line);
      if (parse.mock.calls.length > 0) parsed.push(line);
    }
    expect(parsed.filter((line) => !UNUSUAL.test(line))).toEqual([]);
    expect(parsed.length).toBeGreaterThan(10);
  });

  it('reads a changed line as the codec does: the same values, or the same reason for its refusal', () => {
    const added = fc.oneof(
      fc.constantFrom(...'"\\{}[],:-.019eZT \n\u007f', 'null', 'true', '1e2', '00', '\\u0041', 'é', '\ufeff', '💸'),
      fc.string({ maxLength: 3 }),
    );
    const removed = fc.nat({ max: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), removed, added, (line, place, length, text) => {
        const at = place % line.length;
        const changed = line.slice(0, at) + text + line.slice(at + length);
        expect(read(changed)).toEqual(codec.decode(changed, 7));
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('reads a line with another value in one place, or none, as the codec does', () => {
    const value = fc.constantFrom(undefined, null, true, 0, -1, 1, '', 'x', '1.0', '0.0000000000', [], {}, [1], {
      a: 1,
    });
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(), value, (line, place, replacement) => {
        const changed = withValue(line, place, replacement);
        expect(read(changed)).toEqual(codec.decode(changed, 7));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it.each(['1'.repeat(16), '9'.repeat(28), '1'.repeat(29), '9'.repeat(400)])(
    'reads amounts and numbers of many digits as the codec does: %.29s',
    (digits) => {
      for (const found of [/"-?\d+\.\d{10}"/, /"offset":\d+/, /"id":\d+/]) {
        const line = lines.find((each) => found.test(each)) ?? '';
        const changed = line.replace(found, (text) => text.replace(/\d+/, digits));
        expect(read(changed)).toEqual(codec.decode(changed, 7));
      }
    },
  );

  it.each([
    ['a byte order mark', '\ufeff'],
    ['a space', ' '],
    ['a line break', '\n'],
  ])('reads a line after %s as the codec does', (_, before) => {
    const line = `${before}${lines[0] ?? ''}`;
    expect(read(line)).toEqual(codec.decode(line, 7));
  });

  it('reads a line up to its end, whatever follows', () => {
    const line = lines[0] ?? '';
    const bytes = Buffer.from(line);
    for (const cut of [1, 2, 20]) {
      const text = line.slice(0, -cut);
      expect(reader.read(bytes, 0, bytes.length - cut, 1)).toEqual(codec.decode(text, 1));
    }
  });
});
