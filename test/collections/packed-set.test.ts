import { EditToken, PackedSet, type ItemPacking } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { memoryInUse } from '../memory.ts';

interface Item {
  readonly id: number;
  readonly isFinal: boolean;
  readonly text: string;
}

class Packing implements ItemPacking<Item> {
  /** Ids of all items that were packed. */
  readonly packed: number[] = [];
  unpacked = 0;

  isFinal({ isFinal }: Item): boolean {
    return isFinal;
  }

  pack(items: readonly Item[]): Uint8Array {
    this.packed.push(...items.map(({ id }) => id));
    return new TextEncoder().encode(items.map(({ id, text }) => `${id}:${text}`).join(';'));
  }

  unpack(packed: Uint8Array): readonly Item[] {
    this.unpacked += 1;
    return new TextDecoder()
      .decode(packed)
      .split(';')
      .map((one) => {
        const [id, text = ''] = one.split(':');
        return { id: Number(id), isFinal: true, text };
      });
  }
}

const RANGE = 128;

function item(id: number, isFinal: boolean = true): Item {
  return { id, isFinal, text: id % 500 === 7 ? 'long '.repeat(2_000) : `text ${id % 7} zurück 💸` };
}

function filled(ids: readonly number[], packing: Packing = new Packing()): PackedSet<Item> {
  const set = new PackedSet<Item>(packing, new EditToken());
  for (const id of ids) set.add(item(id));
  return set;
}

/** A set and the list that it must be equal to. */
interface Version {
  set: PackedSet<Item>;
  list: readonly Item[];
}

function expectEqual({ set, list }: Version, ids: readonly number[]): void {
  expect(set.size).toBe(list.length);
  expect([...set.from(0)]).toEqual(list);
  for (const id of ids) {
    expect(set.get(id)).toEqual(list.find((one) => one.id === id));
    expect([...set.from(id)]).toEqual(list.filter((one) => one.id >= id));
  }
}

describe('a packed set', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'add', 'add', 'add', 'late', 'remove', 'remove', 'fork', 'ask'),
    by: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 300 })),
    isFinal: fc.boolean(),
    place: fc.nat(),
  });

  it('has the items of a list, in each fork, whatever is added, removed and packed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 250 }), (steps) => {
        let token = new EditToken();
        const versions: Version[] = [{ set: new PackedSet<Item>(new Packing(), token), list: [] }];
        for (const { kind, by, isFinal, place } of steps) {
          const version = versions[place % versions.length] as Version; // the index is below the length
          const { set, list } = version;
          const last = list.at(-1)?.id ?? 0;
          if (kind === 'add') {
            set.add(item(last + by, isFinal));
            version.list = [...list, item(last + by, isFinal)];
          } else if (kind === 'late' && !list.some(({ id }) => id === place % (last + 1))) {
            set.add(item(place % (last + 1), isFinal));
            version.list = [...list, item(place % (last + 1), isFinal)].sort((a, b) => a.id - b.id);
          } else if (kind === 'remove' && list.length > 0) {
            const gone = list[place % list.length]?.id ?? 0;
            set.remove(gone);
            version.list = list.filter(({ id }) => id !== gone);
          } else if (kind === 'fork') {
            token = token.next();
            versions.push({ set: set.ownedBy(token), list });
            token = token.next();
            version.set = set.ownedBy(token);
          } else if (kind === 'ask') expectEqual(version, [place % (last + 9), last, last - by]);
        }
        for (const version of versions) expectEqual(version, [0, RANGE - 1, RANGE, 2 * RANGE]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('packs the final items of a page when an item of a later page is added, once', () => {
    const packing = new Packing();
    const set = new PackedSet<Item>(packing, new EditToken());
    for (let id = 0; id < RANGE; id++) set.add(item(id, id % 3 > 0));
    expect(packing.packed).toEqual([]);
    set.add(item(5 * RANGE));
    const final = Array.from({ length: RANGE }, (_, id) => id).filter((id) => id % 3 > 0);
    expect(packing.packed).toEqual(final);
    for (const id of [0, 3, 6]) set.remove(id);
    set.add(item(6 * RANGE));
    // A fork goes on with the page of its origin.
    const fork = set.ownedBy(set.token.next());
    fork.add(item(7 * RANGE));
    expect(packing.packed).toEqual([...final, 5 * RANGE, 6 * RANGE]);
    expect(packing.unpacked).toBe(0);
    expect(set.get(9)).toEqual(item(9, false));
    expect(packing.unpacked).toBe(0);
    expect([set.get(1), set.get(2 * RANGE - 1), set.get(RANGE - 1)]).toEqual([item(1), undefined, item(RANGE - 1)]);
    // The last page that was unpacked is kept.
    expect(packing.unpacked).toBe(1);
  });

  it('gives back an object until the item is packed, then an equal one', () => {
    const set = new PackedSet<Item>(new Packing(), new EditToken());
    const [open, final] = [item(1, false), item(2)];
    set.add(open);
    set.add(final);
    expect(set.get(2)).toBe(final);
    set.add(item(RANGE));
    expect(set.get(1)).toBe(open);
    expect(set.get(2)).not.toBe(final);
    expect(set.get(2)).toEqual(final);
  });

  it('unpacks a page for good when a packed item is removed', () => {
    const packing = new Packing();
    const set = filled([1, 2, 3, RANGE], packing);
    set.remove(2);
    expect(packing.unpacked).toBe(1);
    set.remove(1);
    set.add(item(2 * RANGE));
    expect([...set.from(0)].map(({ id }) => id)).toEqual([3, RANGE, 2 * RANGE]);
    expect(packing.packed).toEqual([1, 2, 3, RANGE]);
    set.remove(3);
    expect([set.size, set.get(3)]).toEqual([2, undefined]);
  });

  it.each([[0], [4], [RANGE - 1], [9 * RANGE]])('throws when an item is removed that is not in it: %i', (id) => {
    const set = filled([1, 2, 3, RANGE]);
    expect(() => set.remove(id)).toThrow('broken invariant: a removed item is in the set');
    expect([...set.from(0)].map((one) => one.id)).toEqual([1, 2, 3, RANGE]);
  });

  it('keeps no memory for pages without items', async () => {
    const set = new PackedSet<Item>(new Packing(), new EditToken());
    const before = await memoryInUse();
    for (let id = 0; id < 100_000 * RANGE; id += RANGE) {
      set.add(item(id, false));
      set.remove(id);
    }
    expect(set.size).toBe(0);
    expect(((await memoryInUse()) - before) / 100_000).toBeLessThan(10);
  });

  it('keeps ids above 32 bits apart', () => {
    const ids = [1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 + 1, 2 ** 40 + 1];
    const set = filled(ids);
    expect([...set.from(2)].map(({ id }) => id)).toEqual(ids.slice(1));
    expect(ids.map((id) => set.get(id)?.id)).toEqual(ids);
  });
});
