import { drawsFor } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

describe('random draws', () => {
  it('depend on the seed only', () => {
    const ten = (seed: number): readonly number[] => {
      const draw = drawsFor('policy', seed);
      return Array.from({ length: 10 }, () => draw(1000));
    };
    expect(ten(1)).toEqual(ten(1));
    expect(ten(2)).not.toEqual(ten(1));
    expect(ten(0xffff_ffff)).not.toEqual(ten(0));
  });

  it('are equal on every machine and in every version', () => {
    const draw = drawsFor('policy', 1);
    expect(Array.from({ length: 6 }, () => draw(1000))).toEqual([151, 332, 701, 54, 143, 294]);
  });

  it('are uniform below the bound', () => {
    const draw = drawsFor('policy', 1);
    const counts = Array.from({ length: 7 }, () => 0);
    for (let i = 0; i < 70_000; i++) {
      const drawn = draw(7);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    // Ten thousand each with a standard deviation of 93: a deviation of five of them is practically impossible.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(465);
  });

  it('are always zero for the bound one', () => {
    expect(drawsFor('policy', 1)(1)).toBe(0);
  });
});
