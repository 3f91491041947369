import { Amount, holdingsOf, openEngine, PartyId, settingsOf } from '@coinlab/core';
import { POLICIES, POLICY_NAMES, type PolicyName } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';

const alice = PartyId.of('alice');

/** Returns the places (1 is the oldest) of the coins that a policy takes, in input order. */
function taken(
  policy: PolicyName,
  wallet: readonly number[],
  amount: number,
  { most = Infinity, draws = [] }: { readonly most?: number; readonly draws?: readonly number[] } = {},
): readonly number[] {
  const engine = openEngine();
  const { dso } = settingsOf(engine.state);
  for (const whole of wallet) {
    const command = { type: 'Mint', receiver: alice, amount: Amount.ofWhole(whole) } as const;
    expect(engine.submit(command, { now: engine.state.time, actAs: [dso, alice] }).ok).toBe(true);
  }
  const places = new Map([...holdingsOf(engine.state, alice, 'oldest')].map(({ id }, i) => [id, i + 1]));
  const left = [...draws];
  const draw = (below: number): number => {
    const drawn = left.shift();
    if (drawn === undefined || drawn >= below) throw new Error(`no draw below ${below} is left`);
    return drawn;
  };
  const coins = POLICIES[policy](engine.state, alice, { amount: Amount.ofWhole(amount), most, draw });
  expect(left).toEqual([]);
  return coins.map(({ id }) => places.get(id) ?? 0);
}

describe('the policy that a replay names', () => {
  it('with largest-first, selects the largest coins first, and the older of two equal coins', () => {
    expect(taken('largest-first', [3, 5, 3, 5], 11)).toEqual([2, 4, 1]);
  });

  it('with smallest-first, selects the smallest coins first, and the older of two equal coins', () => {
    expect(taken('smallest-first', [5, 3, 5, 3], 7)).toEqual([2, 4, 1]);
  });

  it('with oldest-first, selects the oldest coins first', () => {
    expect(taken('oldest-first', [1, 9, 2], 3)).toEqual([1, 2]);
  });

  it('with newest-first, selects the newest coins first', () => {
    expect(taken('newest-first', [9, 1, 2], 3)).toEqual([3, 2]);
  });

  it('with exact-or-largest-plus-smallest, selects the older of two coins equal to the amount', () => {
    expect(taken('exact-or-largest-plus-smallest', [9, 4, 1, 4], 4)).toEqual([2]);
  });

  it('with exact-or-largest-plus-smallest, selects the largest and then the smallest coins when no coin is exact', () => {
    expect(taken('exact-or-largest-plus-smallest', [2, 9, 1, 9, 5], 12)).toEqual([2, 3, 1]);
    expect(taken('exact-or-largest-plus-smallest', [2, 9, 1], 6)).toEqual([2]);
  });

  it('with blackjack, selects coins below the missing amount, then the skipped coins, both largest first', () => {
    // 10: 7 fits, 3 is missing; 5 and 3 are not smaller than that; 2 fits, 1 is missing; 1 is not smaller. Then 12 of the
    // skipped.
    expect(taken('blackjack', [12, 2, 7, 5, 3, 1], 10)).toEqual([3, 2, 1]);
  });

  it('with blackjack, selects the older of equal coins, and several coins when they fit', () => {
    expect(taken('blackjack', [2, 2, 2, 2], 7)).toEqual([1, 2, 3, 4]);
    expect(taken('blackjack', [3, 4, 4], 10)).toEqual([2, 3, 1]);
  });

  it('with blackjack, selects a skipped coin, even an exact one, only when the smaller coins fall short', () => {
    expect(taken('blackjack', [5, 1], 5)).toEqual([2, 1]);
  });

  it('with random, draws without replacement: the last coin of the list takes the place of a drawn coin', () => {
    expect(taken('random', [1, 1, 1, 1], 4, { draws: [1, 1, 0, 0] })).toEqual([2, 4, 1, 3]);
  });

  it('with random, stops drawing coins when the amount is covered', () => {
    expect(taken('random', [5, 1, 1], 5, { draws: [0] })).toEqual([1]);
  });
});

describe('the policy random-improve', () => {
  it('keeps drawing while each coin brings the total closer to twice the amount', () => {
    // 4 covers 4; 3 brings it to 7, closer to 8; 2 would bring it to 9, no closer: |9 - 8| is not below |7 - 8|.
    expect(taken('random-improve', [4, 3, 2, 1], 4, { draws: [0, 1, 1] })).toEqual([1, 2]);
  });

  it('never takes more than three times the amount', () => {
    expect(taken('random-improve', [4, 9], 4, { draws: [0, 0] })).toEqual([1]);
  });

  it('stops at exactly twice the amount', () => {
    expect(taken('random-improve', [4, 4, 1], 4, { draws: [0, 1, 0] })).toEqual([1, 2]);
  });

  it('stops at the cap without another draw', () => {
    expect(taken('random-improve', [4, 1, 1], 4, { most: 2, draws: [0, 0] })).toEqual([1, 3]);
  });

  it('stops when the wallet has no more coins', () => {
    expect(taken('random-improve', [4, 1], 4, { draws: [0, 0] })).toEqual([1, 2]);
  });

  it('falls back to largest-first when the amount needs more inputs than the cap', () => {
    expect(taken('random-improve', [1, 1, 1, 9], 4, { most: 2, draws: [0, 1, 1] })).toEqual([4]);
  });
});

describe('under an input cap', () => {
  it.each(POLICY_NAMES)('%s returns one input more than the cap when a payment does not fit', (policy) => {
    const draws = { random: [0, 0, 0], 'random-improve': [0, 0, 0] }[policy as string] ?? [];
    expect(taken(policy, [1, 1, 1, 1], 4, { most: 2, draws })).toHaveLength(3);
  });
});
