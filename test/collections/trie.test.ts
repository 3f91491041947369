import {
  EditToken,
  emptyTrie,
  trieDelete,
  trieGet,
  trieSet,
  trieValues,
  trieVisit,
  type Trie,
} from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Keys in few leaves, in several levels, and above 2³¹ and 2³⁵, where shifts of 32 bits differ from division. */
const keys = fc.oneof(
  fc.nat({ max: 70 }),
  fc.nat({ max: 40_000 }),
  fc.integer({ min: 2 ** 31 - 3, max: 2 ** 31 + 3 }),
  fc.integer({ min: 2 ** 35 - 3, max: 2 ** 35 + 3 }),
);
const operations = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: fc.constant('set' as const), key: keys, value: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('delete' as const), key: keys }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('fork' as const) }) },
  ),
  { maxLength: 200 },
);

function contentOf(trie: Trie<number>, first: number = 0): readonly (readonly [number, number])[] {
  const content: (readonly [number, number])[] = [];
  trieVisit(trie, first, (value, key) => void content.push([key, value]));
  return content;
}

function sorted(map: ReadonlyMap<number, number>): readonly (readonly [number, number])[] {
  return [...map].sort(([a], [b]) => a - b);
}

describe('a trie', () => {
  it('has the entries of a map after sets, deletions and forks, and no fork changes another', () => {
    fc.assert(
      fc.property(operations, keys, (steps, first) => {
        let token = new EditToken();
        let trie: Trie<number> = emptyTrie;
        const map = new Map<number, number>();
        const versions: { readonly trie: Trie<number>; readonly entries: readonly (readonly [number, number])[] }[] =
          [];
        for (const step of steps) {
          if (step.type === 'set') {
            trie = trieSet(trie, step.key, step.value, token);
            map.set(step.key, step.value);
          } else if (step.type === 'delete') {
            trie = trieDelete(trie, step.key, token);
            map.delete(step.key);
          } else {
            versions.push({ trie, entries: sorted(map) });
            token = token.next();
          }
        }
        versions.push({ trie, entries: sorted(map) });
        for (const { trie: version, entries } of versions) expect(contentOf(version)).toEqual(entries);
        const rest = sorted(map).filter(([key]) => key >= first);
        expect(contentOf(trie, first)).toEqual(rest);
        expect([...trieValues(trie, first)]).toEqual(rest.map(([, value]) => value));
        expect(trieGet(trie, first)).toBe(map.get(first));
        // Nodes without values are dropped.
        for (const key of map.keys()) trie = trieDelete(trie, key, token);
        expect(trie.root).toBe(null);
      }),
      { numRuns: runs(100) },
    );
  });
});
