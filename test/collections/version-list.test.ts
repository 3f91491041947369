import { partAfter, partsFrom, versionOf, type VersionList } from '@coinlab/collections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../chance.ts';

type List = VersionList<string> | null;

/** Returns the list with an entry: a number, or the text of an odd number as an item. */
function grown(list: List, number: number, entry: number): List {
  const part = partAfter(list, number);
  if (entry % 2 === 0) part.numbers.push(entry);
  else part.items.push(String(entry));
  return versionOf(part);
}

function contents(list: List, from: number): readonly (readonly (number | string)[])[] {
  return partsFrom(list, from).map(({ part, numbers, items }) => [
    part.first,
    ...part.numbers.slice(0, numbers),
    ...part.items.slice(0, items),
  ]);
}

it('keeps the entries of each version, whichever versions are extended', () => {
  // How many entries are added, and to which earlier version.
  const step = fc.record({ from: fc.nat({ max: 100 }), count: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 300 })) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      const versions: { readonly list: List; readonly entries: readonly number[] }[] = [{ list: null, entries: [] }];
      let made = 0;
      for (const { from, count } of steps) {
        let { list, entries } = versions[from % versions.length] as (typeof versions)[number];
        for (let i = 0; i < count; i++) {
          list = grown(list, entries.length, made);
          entries = [...entries, made++];
        }
        versions.push({ list, entries });
      }
      for (const { list, entries } of versions) {
        const all = contents(list, 0);
        const flat = all.flatMap(([, ...part]) => part.map(Number).sort((a, b) => a - b));
        expect(flat).toEqual(entries);
        const middle = Math.floor(entries.length / 2);
        const begin = contents(list, middle)[0]?.[0] ?? 0;
        expect(contents(list, middle)).toEqual(all.filter(([first]) => Number(first) >= Number(begin)));
        expect(Number(begin)).toBeLessThanOrEqual(middle);
        // No part before the one that begins at the number is returned.
        const last = Number(all.at(-1)?.[0] ?? 0);
        expect(contents(list, last)).toHaveLength(Math.min(all.length, 1));
      }
    }),
    { numRuns: runs(200) },
  );
});

it('ends a part, so that an old version keeps few entries that it does not have', () => {
  let list: List = null;
  let old: List = null;
  for (let i = 0; i < 20_000; i++) {
    list = grown(list, i, i % 4 === 0 ? 1 : 0);
    if (i === 10) old = list;
  }
  expect(old?.part.items.length).toBe(64);
  expect(Math.max(...partsFrom(list, 0).map(({ part }) => part.items.length))).toBe(64);
  for (let i = 0; i < 20_000; i++) list = grown(list, 20_000 + i, 0);
  expect(Math.max(...partsFrom(list, 0).map(({ part }) => part.numbers.length))).toBe(4_096);
});
