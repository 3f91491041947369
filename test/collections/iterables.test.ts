import { merged } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

interface Item {
  readonly rank: number;
  readonly part: number;
}

const byRank = (a: Item, b: Item): number => a.rank - b.rank;

describe('merged sequences', () => {
  it('are sorted, and of equal items those of earlier sequences come first', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 8 }), { maxLength: 6 }), (ranks) => {
        const parts = ranks.map((list, part) => list.map((rank): Item => ({ rank, part })).sort(byRank));
        // A stable sort.
        expect([...merged(parts, byRank)]).toEqual(parts.flat().sort(byRank));
      }),
      { numRuns: runs(200) },
    );
  });

  it('are read one item ahead', () => {
    const read: string[] = [];
    function* counted(part: number): Generator<Item> {
      for (let rank = part; ; rank += 2) {
        read.push(`${rank}`);
        yield { rank, part };
      }
    }
    const items = merged([counted(0), counted(1)], byRank);
    expect([items.next().value?.rank, items.next().value?.rank]).toEqual([0, 1]);
    expect(read).toEqual(['0', '1', '2']);
  });
});
