import { Amount } from '@coinlab/core';
import {
  causeOf,
  cheapestUnderTen,
  COMPARED,
  compareChoices,
  completionOf,
  failuresOf,
  keepsUnderTen,
  runScenario,
  selectBest,
  shareOf,
  simultaneousLevel,
  tQuantile,
  type ComparedChoice,
  type RunResult,
  type Selection,
} from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from '../lab/lab-fixture.ts';

describe('the selection of the best', () => {
  /**
   * The first three figures of each choice are given. The middle one is the mean and repeats, so that the slack alone decides
   * when a choice is dropped.
   */
  const selected = (
    first: readonly (readonly number[])[],
    { probability = 0.95, most = 100 }: { readonly probability?: number; readonly most?: number } = {},
  ): Selection & { readonly taken: readonly number[] } => {
    const found = selectBest({
      choices: first.length,
      indifference: 2,
      probability,
      firstStage: 3,
      most,
      observe: (choice, replicate) => first[choice]?.[replicate < 3 ? replicate : 1] ?? 0,
    });
    return { ...found, taken: found.values.map(({ length }) => length) };
  };

  it('of two drops the worse one as soon as its mean exceeds the other by the slack of Kim and Nelson', () => {
    // η = (0.1^−1 − 1) / 2 = 4.5, h² = 2 · 4.5 · 2 = 18. The differences have the variance 4, so the slack after r
    // replicates is 2 / (2r) · (18 · 4 / 2² − r) = 18 / r − 1: it is below the difference of 2.2 from six replicates on.
    const found = selected([
      [0, 0, 0],
      [0.2, 2.2, 4.2],
    ]);
    expect(found).toMatchObject({ best: 0, remaining: [0], taken: [6, 6] });
    expect(found.values[1]).toEqual([0.2, 2.2, 4.2, 2.2, 2.2, 2.2]);
  });

  it('needs fewer replicates for a lower probability', () => {
    // η = (0.2^−1 − 1) / 2 = 2, h² = 8: the slack of 8 / 3 − 1 is below 2.2 after the first stage.
    const found = selected(
      [
        [0, 0, 0],
        [0.2, 2.2, 4.2],
      ],
      { probability: 0.9 },
    );
    expect(found).toMatchObject({ best: 0, taken: [3, 3] });
  });

  it('of three takes no replicates of a dropped choice, and needs more for the others', () => {
    // η = (0.05^−1 − 1) / 2 = 9.5, h² = 38: 38 / r − 1 is below 10 from four replicates on and below 2.2 from twelve. The
    // differences of the second and third have the variance 16, so they cannot drop each other.
    const found = selected([
      [0, 0, 0],
      [0.2, 2.2, 4.2],
      [12, 10, 8],
    ]);
    expect(found).toMatchObject({ best: 0, taken: [12, 12, 4] });
  });

  it('of choices with equal means ends when no further replicate could separate them', () => {
    // The differences −3, 0, 3 have the variance 9: decided after more than 18 · 9 / 2² = 40.5 replicates.
    const found = selected([
      [1, 1, 1],
      [4, 1, -2],
    ]);
    expect(found).toMatchObject({ best: 0, remaining: [0], taken: [41, 41] });
  });

  it('gives up with all remaining choices after the greatest number of replicates', () => {
    const alike = [
      [0, 0, 0],
      [0.2, 2.2, 4.2],
    ];
    expect(selected(alike, { most: 5 })).toMatchObject({ best: null, remaining: [0, 1], taken: [5, 5] });
    expect(selected(alike, { most: 6 })).toMatchObject({ best: 0, taken: [6, 6] });
  });
});

const RESULT = runScenario(
  scenarioOf(`
name: choices
duration: { rounds: 1 }
parties:
  - { name: payers, count: 1, payments: null }
  - { name: shops, count: 1, payments: null }`),
  { isLogged: false, isHashed: false },
);

function resultOf(
  summary: Readonly<Record<string, number | Amount>>,
  refused: Readonly<Record<string, number>> = {},
): RunResult {
  return { ...RESULT, summary: new Map(Object.entries(summary)), refused: new Map(Object.entries(refused)) };
}

describe('compared choices', () => {
  const choice = (name: string, merges: readonly number[]): { name: string; results: readonly RunResult[] } => ({
    name,
    results: merges.map((count) =>
      resultOf({ merges: count, 'shops/merges': 2 * count, 'dust.expiredValue': Amount.of(`${count}.5`) }),
    ),
  });

  it('have means of their replicates, and differences to the first choice that hold for all choices together', () => {
    const [first, second, third] = compareChoices([
      choice('a', [1, 2, 6]),
      choice('b', [2, 3, 7]),
      choice('c', [2, 4, 9]),
    ]);
    expect(first).toMatchObject({ choice: 'a', differences: null, means: { merges: { mean: 3 } } });
    expect(second?.differences?.merges).toMatchObject({ mean: 1, low: 1, high: 1 });
    // The differences 1, 2, 3 have the deviation 1; each of two intervals has a level of 97.5 %.
    const { mean, halfWidth } = third?.differences?.merges ?? expect.unreachable();
    expect(mean).toBe(2);
    expect(halfWidth).toBeCloseTo(tQuantile(0.975, 2) / Math.sqrt(3), 9);
    // The published two-sided quantile of 97.5 % for two degrees of freedom.
    expect(halfWidth).toBeCloseTo(6.205 / Math.sqrt(3), 3);
    expect(third?.means['dust.expiredValue'].mean).toBe(5.5);
    expect(Object.keys(third?.means ?? {})).toEqual([...COMPARED]);
  });

  it('have the figures of one group where the group has them, and the network’s elsewhere', () => {
    const [found] = compareChoices([choice('a', [1, 2, 6])], 'shops');
    expect(found?.means.merges.mean).toBe(6);
    expect(found?.means['dust.expiredValue'].mean).toBe(3.5);
    expect(found?.means.capHits.mean).toBe(0);
  });

  it('keep users under ten when the upper end of the share above ten is at most 5 %, and the cheapest has the least traffic', () => {
    const [base] = compareChoices([choice('a', [1])]);
    const made = (name: string, mean: number, high: number | null, bytes: number): ComparedChoice => {
      const { means } = base ?? expect.unreachable();
      return {
        ...(base ?? expect.unreachable()),
        choice: name,
        means: {
          ...means,
          'utxosPerParty.over10': { ...means['utxosPerParty.over10'], mean, high },
          'traffic.bytes': { ...means['traffic.bytes'], mean: bytes },
        },
      };
    };
    expect(keepsUnderTen(made('limit', 0.04, 0.05, 1))).toBe(true);
    expect(keepsUnderTen(made('above', 0.04, 0.0501, 1))).toBe(false);
    expect(keepsUnderTen(made('alone', 0.05, null, 1))).toBe(true);
    expect(keepsUnderTen(made('alone', 0.051, null, 1))).toBe(false);
    const found = cheapestUnderTen([
      made('dear', 0.01, 0.02, 900),
      made('cheap', 0.01, 0.02, 300),
      made('cheaper but above', 0.04, 0.06, 100),
    ]);
    expect(found?.choice).toBe('cheap');
    expect(cheapestUnderTen([made('above', 0.2, 0.3, 1)])).toBeNull();
  });

  it('have a level that grows with the number of intervals', () => {
    expect([0, 1, 2, 5].map((intervals) => simultaneousLevel(intervals))).toEqual([0.95, 0.95, 0.975, 0.99]);
    expect(simultaneousLevel(4, 0.9)).toBeCloseTo(0.975, 12);
  });
});

describe('the completed payments of a run', () => {
  const asked = (payers: readonly [number, number], shops: readonly [number, number]): RunResult =>
    resultOf({
      'payers/payments.asked': payers[0],
      'payers/payments.made': payers[1],
      'shops/payments.asked': shops[0],
      'shops/payments.made': shops[1],
    });

  it('are those of the group that completed the smallest share, over all replicates', () => {
    expect(completionOf([asked([100, 90], [10, 8]), asked([100, 90], [10, 9])])).toEqual({
      group: 'shops',
      requested: 20,
      completed: 17,
    });
    expect(completionOf([asked([100, 80], [10, 9])])).toEqual({ group: 'payers', requested: 100, completed: 80 });
    expect(completionOf([asked([100, 80], [10, 9])], 'shops')).toEqual({ group: 'shops', requested: 10, completed: 9 });
  });

  it('are none when no group requested payments, and a group without requests is not the worst', () => {
    expect(completionOf([asked([0, 0], [0, 0])])).toEqual({ group: null, requested: 0, completed: 0 });
    expect(completionOf([])).toEqual({ group: null, requested: 0, completed: 0 });
    expect(completionOf([asked([0, 0], [4, 4])]).group).toBe('shops');
    expect(shareOf({ requested: 0, completed: 0 })).toBe(1);
    expect(shareOf({ requested: 8, completed: 6 })).toBe(0.75);
  });
});

describe('the cause of failed payments', () => {
  it('is the most frequent one of all replicates', () => {
    const failures = failuresOf([
      resultOf({ 'payments.short': 2, 'payments.waiting': 1 }, { A: 1, B: 2 }),
      resultOf({ 'payments.short': 3 }, { B: 2, C: 9 }),
    ]);
    expect(failures).toEqual({
      short: 5,
      waiting: 1,
      refused: [
        ['C', 9],
        ['B', 4],
        ['A', 1],
      ],
    });
    expect(causeOf(failures)).toContain('9 commands with C');
  });

  it.each([
    ['refusals, when they are more than both others', 3, 4, 5, '5 commands with X'],
    ['missing coin, when refusals are as many', 5, 4, 5, '5 payments exceeded'],
    ['waiting for coin, when refusals are as many', 3, 5, 5, '5 payments still wait'],
    ['missing coin, when as many payments wait', 2, 2, 0, '2 payments exceeded'],
    ['unknown without any', 0, 0, 0, 'no recorded cause'],
  ])('is %s', (_, short, waiting, times, text) => {
    expect(causeOf({ short, waiting, refused: times > 0 ? [['X', times]] : [] })).toContain(text);
  });
});
