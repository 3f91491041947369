import {
  Amount,
  countOf,
  GENESIS_TIME,
  holdingsOf,
  inputsCovering,
  openEngine,
  type ContractId,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { findAny, scanContracts } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol } from './ledger-fixture.ts';

describe('a ledger that has archived most of its many coins', () => {
  it('finds every remaining coin and no spent coin, also in an older version', () => {
    const engine = openEngine();
    for (const receiver of [alice, bob])
      engine.submit({ type: 'Tap', receiver, amount: Amount.of('100') }, { now: GENESIS_TIME, actAs: [receiver] });
    const pass = (times: number): void => {
      for (let i = 0; i < times; i++)
        for (const sender of [alice, bob]) {
          const inputs = inputsCovering(engine.state, sender, Amount.of('1'), 'oldest');
          const command = { type: 'SelfTransfer', sender, amount: Amount.of('1'), inputs } as const;
          expect(engine.submit(command, { now: GENESIS_TIME, actAs: [sender] }).ok).toBe(true);
        }
    };
    const coinsIn = (state: LedgerState): readonly ContractId[] =>
      [alice, bob].flatMap((owner) => Array.from(holdingsOf(state, owner, 'oldest'), ({ id }) => id));
    const isKnown = (state: LedgerState, id: number): boolean => findAny(state, id as ContractId) !== null;
    pass(10);
    const kept = engine.snapshot();
    const then = coinsIn(kept);
    pass(5_000);
    for (const [state, coins] of [
      [engine.state, coinsIn(engine.state)],
      [kept, then],
    ] as const) {
      const scanned = [...scanContracts(state)].filter(({ template }) => template === 'Holding').map(({ id }) => id);
      expect(scanned).toEqual(coins.toSorted((a, b) => a - b));
      expect(coins.every((id) => isKnown(state, id))).toBe(true);
      const spent = Array.from(
        { length: engine.state.nextContract - (then[0] as number) },
        (_, i) => (then[0] as number) + i,
      );
      expect(spent.filter((id) => isKnown(state, id))).toEqual(scanned.filter((id) => id >= (then[0] as number)));
    }
  });

  it('finds old coins after many younger coins were created and spent, in two forks', () => {
    const engine = openEngine();
    const tap = (receiver: PartyId): void => {
      engine.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, { now: GENESIS_TIME, actAs: [receiver] });
    };
    const self = (sender: PartyId, inputs: readonly ContractId[]): void => {
      const command = { type: 'SelfTransfer', sender, amount: Amount.unit, inputs } as const;
      expect(engine.submit(command, { now: GENESIS_TIME, actAs: [sender] }).ok).toBe(true);
    };
    tap(bob);
    const pass = (times: number): void => {
      for (let i = 0; i < times; i++)
        self(
          bob,
          Array.from(holdingsOf(engine.state, bob, 'oldest'), ({ id }) => id),
        );
    };
    // Only alice has coins in some leaves of the index; she spends them one by one, much later.
    const places: ContractId[] = [];
    for (const apart of [40, 40, 500, 20_000, 40, 17_000]) {
      tap(alice);
      places.push([...holdingsOf(engine.state, alice, 'newest')][0]?.id as ContractId);
      pass(apart);
    }
    const all = engine.snapshot();
    const left = [...places];
    for (const nth of [0, 2, 1, 0, 1]) {
      const [spent] = left.splice(nth, 1) as [ContractId];
      self(alice, [spent]);
      engine.submit(
        {
          type: 'MergeHoldings',
          owner: alice,
          inputs: Array.from(holdingsOf(engine.state, alice, 'newest'), ({ id }) => id).slice(0, 2),
        },
        { now: GENESIS_TIME, actAs: [alice] },
      );
      pass(9_000);
      for (const id of places) expect([id, findAny(engine.state, id) !== null]).toEqual([id, left.includes(id)]);
      const coins = Array.from(holdingsOf(engine.state, alice, 'oldest'), ({ id }) => id);
      expect(coins.slice(0, left.length)).toEqual(left);
      const scanned = [...scanContracts(engine.state)].filter(({ template }) => template === 'Holding');
      expect(scanned).toHaveLength(countOf(engine.state, alice) + countOf(engine.state, bob));
    }
    for (const id of places) expect(findAny(all, id)).not.toBeNull();
  });
});

describe('a wallet that returns to a few coins', () => {
  it('loses no coin when the index is pruned while it stores the wallet in the small form again', () => {
    // Some of these ledgers let go just when alice's old coins are packed anew, after younger ones of bob's.
    for (let phase = 0; phase < 24; phase++) {
      const engine = openEngine();
      const tap = (receiver: PartyId, times: number): void => {
        for (let i = 0; i < times; i++)
          engine.submit({ type: 'Tap', receiver, amount: Amount.of('1') }, { now: GENESIS_TIME, actAs: [receiver] });
      };
      const merge = (owner: PartyId, order: 'oldest' | 'newest', most: number): void => {
        const inputs = Array.from(holdingsOf(engine.state, owner, order), ({ id }) => id).slice(0, most);
        engine.submit({ type: 'MergeHoldings', owner, inputs }, { now: GENESIS_TIME, actAs: [owner] });
      };
      for (let i = 0; i < 16_248 / 2 + phase; i++) {
        tap(bob, 1);
        merge(bob, 'oldest', 2);
      }
      for (let turn = 0; turn < 4; turn++) {
        tap(alice, 33);
        tap(bob, 3);
        // No longer small, hers count no more.
        tap(carol, 33);
        merge(alice, 'newest', 22);
        for (const owner of [alice, bob, carol])
          for (const coin of holdingsOf(engine.state, owner, 'oldest'))
            expect(findAny(engine.state, coin.id)).toEqual(coin);
        for (const owner of [alice, bob, carol]) merge(owner, 'newest', 33);
      }
    }
  });
});
