import {
  ascending,
  descending,
  EditToken,
  insert,
  itemAt,
  orderedFrom,
  rankOf,
  remove,
  sizeOf,
  type Ordered,
} from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const byValue = (a: number, b: number): number => a - b;
/** Few numbers, so that removals meet items; up to three levels of nodes. */
const steps = fc.array(
  fc.oneof({ weight: 40, arbitrary: fc.nat({ max: 3_000 }) }, { weight: 1, arbitrary: fc.constant('fork' as const) }),
  { maxLength: 3_000 },
);

describe('an ordered set', () => {
  it('has the items of a sorted list after additions, removals and forks, and no fork changes another', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 3_000 }), (items, probe) => {
        let token = new EditToken();
        let set: Ordered<number> | null = null;
        const members = new Set<number>();
        const versions: { readonly set: Ordered<number> | null; readonly items: readonly number[] }[] = [];
        for (const item of items) {
          if (item === 'fork') {
            versions.push({ set, items: [...members].sort(byValue) });
            token = token.next();
          } else if (members.delete(item)) set = remove(set, item, byValue, token);
          else {
            set = insert(set, item, byValue, token);
            members.add(item);
          }
        }
        const list = [...members].sort(byValue);
        versions.push({ set, items: list });
        for (const version of versions) expect([...ascending(version.set)]).toEqual(version.items);
        expect([...descending(set)]).toEqual([...list].reverse());
        expect(sizeOf(set)).toBe(list.length);
        expect(list.map((_, index) => itemAt(set, index))).toEqual(list);
        expect(itemAt(set, list.length)).toBe(undefined);
        expect(rankOf(set, (item) => item < probe)).toBe(list.filter((item) => item < probe).length);
        // Remove most items, so that nodes of all levels are joined.
        const left = list.filter((item, index) => index % 9 === 0 || item === probe);
        for (const item of list) if (!left.includes(item)) set = remove(set, item, byValue, token);
        expect([...ascending(set)]).toEqual(left);
        expect(sizeOf(set)).toBe(left.length);
        expect(left.map((item) => rankOf(set, (other) => other < item))).toEqual(left.map((_, index) => index));
        for (const item of left) set = remove(set, item, byValue, token);
        expect(set).toBe(null);
      }),
      { numRuns: runs(40) },
    );
  });

  it.each([0, 1, 32, 33, 1_000])('is made from %i items at once', (length) => {
    const items = Array.from({ length }, (_, i) => 2 * i);
    const set = orderedFrom(items, byValue, new EditToken());
    expect([...ascending(set)]).toEqual(items);
    expect(set === null).toBe(length === 0);
  });

  it('refuses to remove an item that it does not have', () => {
    const token = new EditToken();
    const set = orderedFrom([1, 3], byValue, token);
    for (const absent of [0, 2, 4]) expect(() => remove(set, absent, byValue, token)).toThrow('broken invariant');
  });
});
