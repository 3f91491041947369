import {
  Amount,
  Engine,
  GENESIS_TIME,
  holdingsOf,
  openEngine,
  Round,
  settingsOf,
  type Command,
  type Holding,
  type OpenOptions,
} from '@coinlab/core';
import { dustExpiringAt } from '@coinlab/core/views';
import { expiryRoundOf } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, second, worldOf } from '../ledger-fixture.ts';

/*
 * Dust is looked for a week of rounds ahead, and coins of few in a wallet are passed over by an estimate. Whatever round is asked for, before
 * or after others, the answer is that of a list of all coins.
 */
const WEEK = 1008;

describe.each<[string, OpenOptions]>([
  ['after equality', {}],
  ['at equality', { rules: { dustAtEquality: true } }],
])('the dust index, %s', (_, options) => {
  const world = worldOf(options);
  const { dustAtEquality } = settingsOf(world.state).profile;
  const coins: Holding[] = [];
  const put = (
    owner: typeof alice,
    units: bigint,
    rate: bigint,
    createdAt: number,
    lock: Holding['lock'] = null,
  ): void => {
    const amount = Amount.ofUnits(units);
    const coin = {
      template: 'Holding',
      owner,
      amount,
      createdAt: Round.of(createdAt),
      ratePerRound: Amount.ofUnits(rate),
      lock,
    } as const;
    coins.push({ ...coin, id: world.put(coin) });
  };
  // About every round near the first and the second week, to the unit; in wallets of few coins, of many, and locked.
  [alice, bob].forEach((owner, i) => {
    for (const rounds of [0, 1, 2, WEEK - 2, WEEK - 1, WEEK, WEEK + 1, WEEK + 2, 2 * WEEK - 1, 2 * WEEK, 2 * WEEK + 1])
      for (const units of i === 0 ? [1n] : [0n, 1n, 2n])
        if (units > 0n || rounds > 0) put(owner, 190_259n * BigInt(rounds) + units, 190_259n, 0);
  });
  put(carol, 5n, 0n, 0);
  put(carol, 3n * 7n, 7n, WEEK - 3);
  put(carol, 2n ** 60n, 2n ** 50n, 3);
  put(carol, 100n, 1n, 900, { holders: [dso], expiresAt: second(50), context: null });

  const naive = (round: number): readonly number[] =>
    coins
      .flatMap((coin) => {
        const from = expiryRoundOf(coin, dustAtEquality);
        return from !== null && from <= round ? [{ from, id: coin.id }] : [];
      })
      .sort((a, b) => a.from - b.from || a.id - b.id)
      .map(({ id }) => id);
  const asked = [
    0,
    1,
    2,
    3,
    WEEK - 3,
    WEEK - 2,
    WEEK - 1,
    WEEK,
    WEEK + 1,
    WEEK + 2,
    2 * WEEK - 1,
    2 * WEEK,
    2 * WEEK + 1,
    9_999,
  ];

  it.each([
    ['one after the other', asked],
    ['the last first', asked.toReversed()],
    ['only the end of the week', [0, WEEK - 1, 0, WEEK]],
  ])('finds all dust of a round after lookups of other rounds: %s', (_order, rounds) => {
    const { state } = new Engine({}, world.state);
    expect(naive(9_999).length).toBeGreaterThan(40);
    for (const round of rounds)
      expect(
        Array.from(dustExpiringAt(state, Round.of(round)), ({ id }) => id),
        `round ${round}`,
      ).toEqual(naive(round));
  });
});

it('finds a coin of more units than a double counts, added after a lookup', () => {
  const world = worldOf();
  expect([...dustExpiringAt(world.state, Round.of(0))]).toEqual([]);
  const [amount, ratePerRound] = [Amount.ofUnits(2n ** 59n), Amount.ofUnits(2n ** 50n)];
  const id = world.put({ template: 'Holding', owner: carol, amount, createdAt: Round.of(0), ratePerRound, lock: null });
  const found = (round: number): readonly number[] =>
    Array.from(dustExpiringAt(world.state, Round.of(round)), (coin) => coin.id);
  expect([found(510), found(513)]).toEqual([[], [id]]);
});

it('finds the small coins that are left after thousands were looked up and spent', () => {
  const engine = openEngine();
  const { dustAtEquality } = settingsOf(engine.state).profile;
  const run = (command: Command): void => {
    const submitted = engine.submit(command, { now: GENESIS_TIME, actAs: [alice] });
    if (!submitted.ok) throw new Error(submitted.error.code);
  };
  const coins = (): readonly Holding[] => [...holdingsOf(engine.state, alice, 'oldest')];
  const found = (round: number): readonly number[] =>
    Array.from(dustExpiringAt(engine.state, Round.of(round)), ({ id }) => id);
  for (const amount of ['0.01', '0.02', '0.03', '0.011'])
    run({ type: 'Tap', receiver: alice, amount: Amount.of(amount) });
  const kept = coins().map(({ id }) => id);
  for (let i = 0; i < 200; i++) {
    for (let j = 0; j < 20; j++) run({ type: 'Tap', receiver: alice, amount: Amount.of('0.01') });
    expect(found(0)).toEqual([]);
    const inputs = coins().flatMap(({ id }) => (kept.includes(id) ? [] : [id]));
    run({ type: 'MergeHoldings', owner: alice, inputs });
  }
  for (const round of [80, 90, 200, 1_000]) {
    const dust = coins().flatMap((coin) => {
      const from = expiryRoundOf(coin, dustAtEquality);
      return from !== null && from <= round ? [{ from, id: coin.id }] : [];
    });
    expect(found(round)).toEqual(dust.sort((a, b) => a.from - b.from || a.id - b.id).map(({ id }) => id));
  }
  expect(found(1_000)).toEqual([kept[0], kept[3], kept[1], kept[2]]);
});
