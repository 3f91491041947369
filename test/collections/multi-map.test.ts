import {
  ascending,
  EditToken,
  emptyTrie,
  multiAdd,
  multiDelete,
  multiFirst,
  multiGet,
  type MultiMap,
} from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

interface Item {
  readonly id: number;
}

const ITEMS: readonly Item[] = Array.from({ length: 90 }, (_, id) => ({ id }));
const byId = (a: Item, b: Item): number => a.id - b.id;
const byNumber = (a: number, b: number): number => a - b;

/** A map, its token, and the ids of each key. */
interface Version<Kept> {
  map: MultiMap<Kept>;
  token: EditToken;
  readonly ids: Map<number, readonly number[]>;
}

const step = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'change', 'fork'),
  key: fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 2_000 })),
  id: fc.nat({ max: 89 }),
  place: fc.nat(),
});

describe('a map to sets', () => {
  // Each kind of item: the item with an id, its id, and the order.
  const objects = { of: (id: number): Item => ITEMS[id] as Item, idOf: ({ id }: Item) => id, order: byId };
  const numbers = { of: (id: number): number => id, idOf: (id: number) => id, order: byNumber };

  function expectItsList<Kept>(kind: {
    of(id: number): Kept;
    idOf(kept: Kept): number;
    order(a: Kept, b: Kept): number;
  }): void {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const first: Version<Kept> = { map: emptyTrie, token: new EditToken(), ids: new Map() };
        const versions = [first];
        for (const { kind: what, key, id, place } of steps) {
          const version = versions[place % versions.length] as Version<Kept>; // the index is below the length
          const { map, token, ids } = version;
          const before = ids.get(key) ?? [];
          if (what === 'fork') {
            versions.push({ map, token: token.next(), ids: new Map(ids) });
            version.token = token.next();
          } else if (before.includes(id)) {
            version.map = multiDelete(map, key, kind.of(id), kind.order, token);
            ids.set(
              key,
              before.filter((one) => one !== id),
            );
          } else {
            version.map = multiAdd(map, key, kind.of(id), kind.order, token);
            ids.set(key, [...before, id].sort(byNumber));
          }
        }
        for (const { map, token, ids } of versions)
          for (const [key, own] of ids) {
            expect([...ascending(multiGet(map, key, token))].map(kind.idOf)).toEqual(own);
            const one = multiFirst(map, key);
            expect(one === undefined ? undefined : kind.idOf(one)).toBe(own[0]);
          }
      }),
      { numRuns: runs(150) },
    );
  }

  it('has the items of a list for each key, in each fork: objects', () => expectItsList(objects));
  it('has the items of a list for each key, in each fork: numbers, 0 too', () => expectItsList(numbers));

  it('has nothing for other keys', () => {
    const token = new EditToken();
    const map = multiAdd<number>(emptyTrie, 7, 0, byNumber, token);
    expect([multiGet(map, 8, token), multiFirst(map, 8), multiFirst(map, 7)]).toEqual([null, undefined, 0]);
    expect(multiDelete(map, 8, 0, byNumber, token)).toBe(map);
  });

  it.each([
    [[1, 3], 0],
    [[1, 3], 2],
    [[1, 3], 4],
    [[1], 0],
    [[1], 2],
  ])('throws when a key has the items %j and %i is removed', (items, gone) => {
    const token = new EditToken();
    const map = items.reduce<MultiMap<number>>((some, one) => multiAdd(some, 7, one, byNumber, token), emptyTrie);
    expect(() => multiDelete(map, 7, gone, byNumber, token)).toThrow('broken invariant: a removed item is in the set');
  });
});
