import { describe, expect, it } from 'vitest';
type Figure = Record<'goal' | 'what' | 'ours' | 'reference' | 'target', string> & { readonly ratio: number };
type Regressions = (figures: readonly Figure[], before: Readonly<Record<string, number>>) => readonly string[];

// Imported by path, because the benchmarks are not a package.
const { regressions }: { regressions: Regressions } = await import(
  new URL('../../bench/compare.ts', import.meta.url).href
);

function figure(what: string, ratio: number): Figure {
  return { goal: 'S1', what, ours: '', reference: '', ratio, target: '' };
}

describe('regressions of a benchmark', () => {
  const before = { 'S1 transfer at 1,000 coins': 10, 'S1 replay of payments': 1 };

  it('reports nothing while every ratio is at most a quarter worse', () => {
    expect(regressions([figure('transfer at 1,000 coins', 12.5), figure('replay of payments', 0.2)], before)).toEqual(
      [],
    );
  });

  it('reports a ratio that is more than a quarter worse, with the percentage', () => {
    expect(regressions([figure('transfer at 1,000 coins', 12.6)], before)).toEqual([
      'S1 transfer at 1,000 coins: ratio 12.60, was 10.00 (26 % worse)',
    ]);
  });

  it('ignores the bracketed part of the name of a figure and reports a figure without a committed ratio', () => {
    expect(regressions([figure('transfer at 1,000 coins (0.3 ms a sync)', 10)], before)).toEqual([]);
    expect(regressions([figure('transfer at 1,000 coins (compact)', 10)], before)).toHaveLength(1);
    expect(regressions([figure('a new one', 1)], before)[0]).toContain('S1 a new one: not among the committed ratios');
  });

  it('does not compare exponents of the cost', () => {
    expect(regressions([figure('transfers, cost exponent 1,000 to 100,000', 0.3)], before)).toEqual([]);
  });
});
