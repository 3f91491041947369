import { Amount, holdingsOf, inputsCovering, inputsToMerge, Round, type ContractId, type Holding } from '@coinlab/core';
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
  ])('are the largest coins, and no more of them than needed: %s', (_, value, wanted) => {
    expect(inputsCovering(world.state, alice, amount(value))).toEqual(wanted);
  });

  it('are taken in the given order', () => {
    expect(inputsCovering(world.state, alice, amount('3.5'), 'smallest')).toEqual([one, three]);
    expect(inputsCovering(world.state, alice, amount('5.5'), 'oldest')).toEqual([one, five]);
  });

  it('are limited in number, also when they do not suffice', () => {
    expect(inputsCovering(world.state, alice, amount('9'), 'largest', 2)).toEqual([five, three]);
    expect(inputsCovering(world.state, alice, amount('9'), 'largest', 0)).toEqual([]);
  });

  it('are at most a hundred by default', () => {
    const { world: rich, coins: many } = purse(Array.from({ length: 102 }, () => '1'));
    expect(inputsCovering(rich.state, alice, amount('102'), 'oldest')).toEqual(many.slice(0, 100));
    expect(inputsToMerge(rich.state, alice).map(({ id }) => id)).toHaveLength(100);
  });
});

describe('the coins of a wallet, small or large, that cover an amount', () => {
  const orders = ['smallest', 'largest', 'oldest', 'newest'] as const;
  const by = {
    smallest: (a: Holding, b: Holding) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : a.id - b.id),
    largest: (a: Holding, b: Holding) => (a.amount > b.amount ? -1 : a.amount < b.amount ? 1 : a.id - b.id),
    oldest: (a: Holding, b: Holding) => a.id - b.id,
    newest: (a: Holding, b: Holding) => b.id - a.id,
  };

  // Few coins are kept as numbers, many are not, nor are those of more than a double holds.
  it.each([
    ['no coins', []],
    ['few coins', ['3', '1', '2', '2', '10', '1']],
    ['coins beyond what a double holds', ['1000000', '2', '2000000', '2']],
    ['many coins', Array.from({ length: 150 }, (_, i) => String(((i * 7) % 11) + 1))],
  ])('are the first coins in the order, up to the limit: %s', (_, values) => {
    const world = worldOf();
    world.fundEach(alice, values);
    const coins = world.holdings(alice);
    const all = coins.reduce((sum, coin) => sum + coin.amount, 0n);
    for (const order of orders) {
      const sorted = coins.toSorted(by[order]);
      expect([...holdingsOf(world.state, alice, order)]).toEqual(sorted);
      for (const wanted of [0n, 1n, ...sorted.slice(0, 4).map(({ amount: units }) => units), all - 1n, all, all + 1n]) {
        for (const most of [1, 2, 3, 100]) {
          const expected: ContractId[] = [];
          let sum = 0n;
          for (const coin of sorted.slice(0, most)) {
            if (sum >= wanted) break;
            sum += coin.amount;
            expected.push(coin.id);
          }
          if (wanted < 0n) continue;
          expect(inputsCovering(world.state, alice, Amount.ofUnits(wanted), order, most), `${order} ${most}`).toEqual(
            expected,
          );
        }
      }
    }
  });
});
