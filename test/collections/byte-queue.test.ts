import { ByteQueue } from '@coinlab/collections';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

describe('a queue of bytes', () => {
  it('gives the bytes of its pieces in order, whatever the lengths of pieces and reads', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 20 })),
        fc.array(fc.nat({ max: 30 }), { maxLength: 40 }),
        (pieces, counts) => {
          const all = pieces.flatMap((piece) => [...piece]);
          const queue = new ByteQueue(pieces);
          let at = 0;
          for (const count of counts) {
            const fits = at + count <= all.length;
            expect(queue.has(count)).toBe(fits);
            const taken = queue.take(count);
            expect(taken && [...taken]).toEqual(fits ? all.slice(at, at + count) : null);
            if (fits) at += count;
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
