import { Amount, holdingsOf, openEngine, PartyId, settingsOf, type LedgerState } from '@coinlab/core';
import { SELECTION_NAMES, selectionNamed, type Demand } from '@coinlab/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/*
 * A naive implementation of each policy: coins are pairs of a place in the wallet (0 is the oldest) and an amount; sets are
 * enumerated.
 */

const alice = PartyId.of('alice');

interface Coin {
  readonly place: number;
  readonly amount: number;
}

/** Draws integers with a small generator, which the naive policies share. */
function draws(seed: number): Demand['draw'] {
  let word = seed;
  return (below) => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * below);
  };
}

function walletOf(amounts: readonly number[]): LedgerState {
  const engine = openEngine();
  const { dso } = settingsOf(engine.state);
  for (const amount of amounts) {
    const command = { type: 'Mint', receiver: alice, amount: Amount.ofWhole(amount) } as const;
    expect(engine.submit(command, { now: engine.state.time, actAs: [dso, alice] }).ok).toBe(true);
  }
  return engine.state;
}

interface Case {
  readonly amounts: readonly number[];
  readonly amount: number;
  readonly most: number;
  readonly seed: number;
}

/** Small wallets and affordable amounts, so that exact sums are common. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    amounts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    most: fc.constantFrom(2, 3, 5, Infinity),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ amounts, part, most, seed }) => {
    const balance = amounts.reduce((sum, amount) => sum + amount, 0);
    return { amounts, amount: Math.max(1, Math.floor(part * balance)), most, seed };
  });

/** Returns the places of the selected coins, in input order. */
function taken(name: string, { amounts, amount, most, seed }: Case): readonly number[] {
  const state = walletOf(amounts);
  const places = new Map([...holdingsOf(state, alice, 'oldest')].map(({ id }, place) => [id, place]));
  const policy = selectionNamed(name);
  const coins = policy?.(state, alice, { amount: Amount.ofWhole(amount), most, draw: draws(seed) });
  return (coins ?? []).map(({ id }) => places.get(id) ?? -1);
}

function coinsOf({ amounts }: Case): readonly Coin[] {
  return amounts.map((amount, place) => ({ place, amount }));
}

function largestFirst(coins: readonly Coin[]): readonly Coin[] {
  return [...coins].sort((a, b) => b.amount - a.amount || a.place - b.place);
}

function sum(coins: readonly Coin[]): number {
  return coins.reduce((total, { amount }) => total + amount, 0);
}

function placesOf(coins: readonly Coin[]): readonly number[] {
  return coins.map(({ place }) => place);
}

/** Takes coins in order until they cover the amount or are one too many. */
function until(coins: readonly Coin[], { amount, most }: Case): readonly Coin[] {
  const some: Coin[] = [];
  for (const coin of coins) {
    some.push(coin);
    if (sum(some) >= amount || some.length > most) break;
  }
  return some;
}

/** Returns all sets of coins; those with the first coin come before those without it. */
function subsets(coins: readonly Coin[]): readonly (readonly Coin[])[] {
  const [first, ...rest] = coins;
  if (!first) return [[]];
  const without = subsets(rest);
  return [...without.map((set) => [first, ...set]), ...without];
}

describe('the policy branch-and-bound', () => {
  it('selects the first exact set, searching largest coins first, and draws at random when no set is exact', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const sets = subsets(largestFirst(coinsOf(given)));
        const exact = sets.find((set) => sum(set) === given.amount && set.length <= given.most);
        expect(taken('branch-and-bound', given)).toEqual(exact ? placesOf(exact) : taken('random', given));
      }),
      { numRuns: 150 },
    );
  });

  it('draws at random after its limit of tries', () => {
    // The first try takes 5, after which 4 and 3 are too much; only then comes 4 with 3.
    const given = { amounts: [5, 4, 3], amount: 7, most: 100, seed: 1 };
    expect(taken('branch-and-bound:1', given)).toEqual(taken('random', given));
    expect(taken('branch-and-bound:10', given)).toEqual([1, 2]);
  });
});

describe('the policy knapsack', () => {
  it('selects a coin equal to the amount; otherwise the smallest larger coin or a set of smaller coins, whichever exceeds the amount less', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const coins = coinsOf(given);
        const found = taken('knapsack:1000', given);
        const exact = coins.find(({ amount }) => amount === given.amount);
        if (exact) {
          expect(found).toEqual([exact.place]);
          return;
        }
        const [larger] = largestFirst(coins.filter(({ amount }) => amount > given.amount)).toReversed();
        const smaller = coins.filter(({ amount }) => amount < given.amount);
        const fitting = subsets(smaller).filter((set) => sum(set) >= given.amount && set.length <= given.most);
        // With many passes over few coins the least sum is found.
        const least = Math.min(...fitting.map(sum));
        const total = sum(coins.filter(({ place }) => found.includes(place)));
        if (larger && larger.amount <= least) expect(total).toBe(larger.amount);
        else if (fitting.length > 0) expect(total).toBe(least);
        else expect(found).toEqual(placesOf(until(largestFirst(coins), given)));
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the policy boltzmann', () => {
  it('selects the coins nearest to the amount first, at a low temperature', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const distances = given.amounts.map((amount) => Math.abs(amount - given.amount));
        fc.pre(new Set(distances).size === distances.length);
        const nearest = coinsOf(given).toSorted(
          (a, b) => Math.abs(a.amount - given.amount) - Math.abs(b.amount - given.amount),
        );
        expect(taken('boltzmann:0.0001', given)).toEqual(placesOf(until(nearest, given)));
      }),
      { numRuns: 60 },
    );
  });

  it('draws the first coin with a probability proportional to its weight', () => {
    // Distances 0, 2 and 6 of an amount of 4: weights 1, e^-0.5 and e^-1.5 at temperature 1.
    const weights = [1, Math.exp(-0.5), Math.exp(-1.5)];
    const total = weights.reduce((a, b) => a + b, 0);
    const counts = [0, 0, 0];
    const state = walletOf([4, 6, 10]);
    const places = new Map([...holdingsOf(state, alice, 'oldest')].map(({ id }, place) => [id, place]));
    const draw = draws(7);
    const runs = 6000;
    for (let run = 0; run < runs; run++) {
      const [first] = selectionNamed('boltzmann')?.(state, alice, { amount: Amount.ofWhole(4), most: 100, draw }) ?? [];
      const place = (first && places.get(first.id)) ?? 0;
      counts[place] = (counts[place] ?? 0) + 1;
    }
    // Four standard deviations of a share of 6000.
    counts.forEach((count, i) => expect(Math.abs(count / runs - (weights[i] ?? 0) / total)).toBeLessThan(0.026));
  });
});

describe('the policies of the network’s wallet', () => {
  it('use all coins in a token transfer, largest first', () => {
    fc.assert(
      fc.property(cases, (given) => {
        expect(taken('wallet-transfer', given)).toEqual(placesOf(largestFirst(coinsOf(given))));
      }),
      { numRuns: 40 },
    );
  });

  it('use the largest coins in a batch, up to the input cap', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const coins = largestFirst(coinsOf(given)).slice(0, given.most);
        const covered = sum(coins) >= given.amount;
        expect(taken('wallet-batch', given)).toEqual(
          placesOf(covered ? coins : until(largestFirst(coinsOf(given)), given)),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('the selection policies', () => {
  it.each(SELECTION_NAMES)(
    'include %s, which covers the amount within the cap or reports that no selection does',
    (name) => {
      fc.assert(
        fc.property(cases, (given) => {
          const found = taken(name, given);
          const total = sum(coinsOf(given).filter(({ place }) => found.includes(place)));
          expect(new Set(found).size).toBe(found.length);
          expect(found).not.toContain(-1);
          if (found.length <= given.most) expect(total).toBeGreaterThanOrEqual(given.amount);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('are found by name, and some have a parameter', () => {
    const known = ['largest-first', 'boltzmann:0.5', 'knapsack:7', 'branch-and-bound:3'];
    const unknown = ['largest-first:3', 'boltzmann:', 'boltzmann:0', 'boltzmann:-1', 'knapsack:1.5', 'a', 'toString'];
    expect(known.filter((name) => selectionNamed(name) === null)).toEqual([]);
    expect(unknown.filter((name) => selectionNamed(name) !== null)).toEqual([]);
  });
});
