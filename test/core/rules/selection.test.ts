import { inputsCovering, inputsToMerge, Round, type ContractId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, second, worldOf, type World } from '../ledger-fixture.ts';

/** Coins of alice, and what is not hers to spend: a locked one, and one of bob. */
function purse(values: readonly string[]): { world: World; coins: readonly ContractId[] } {
  const world = worldOf();
  const coins = world.fundEach(alice, values);
  world.fund(bob, '1000');
  world.put({
    template: 'Holding',
    owner: alice,
    amount: amount('1000'),
    createdAt: Round.of(0),
    ratePerRound: amount('0.0001'),
    lock: { holders: [dso], expiresAt: second(60), context: null },
  });
  return { world, coins };
}

describe('the coins that cover an amount', () => {
  const { world, coins } = purse(['1', '5', '3']);
  const [one, five, three] = coins;

  it.each([
    ['nothing', '0', []],
    ['less than the largest', '4.9999999999', [five]],
    ['exactly the largest', '5', [five]],
    ['a little more than the largest', '5.0000000001', [five, three]],
    ['exactly two', '8', [five, three]],
    ['more than two', '8.5', [five, three, one]],
    ['more than all', '100', [five, three, one]],
  ])('are the largest first and no more than needed: %s', (_, value, wanted) => {
    expect(inputsCovering(world.state, alice, amount(value))).toEqual(wanted);
  });

  it('come in the order that is asked for', () => {
    expect(inputsCovering(world.state, alice, amount('3.5'), 'smallest')).toEqual([one, three]);
    expect(inputsCovering(world.state, alice, amount('5.5'), 'oldest')).toEqual([one, five]);
  });

  it('are at most so many, though they do not suffice', () => {
    expect(inputsCovering(world.state, alice, amount('9'), 'largest', 2)).toEqual([five, three]);
    expect(inputsCovering(world.state, alice, amount('9'), 'largest', 0)).toEqual([]);
  });

  it('are at most a hundred unless told otherwise', () => {
    const { world: rich, coins: many } = purse(Array.from({ length: 102 }, () => '1'));
    expect(inputsCovering(rich.state, alice, amount('102'), 'oldest')).toEqual(many.slice(0, 100));
    expect(inputsToMerge(rich.state, alice).map(({ id }) => id)).toHaveLength(100);
  });
});
