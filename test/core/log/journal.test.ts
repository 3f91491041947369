import { openLedger, type Ledger, type Update } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, worldOf } from '../ledger-fixture.ts';

/** Coin of other rounds and rates, at other times and of other kinds, some of it as numbers. */
function livelyWorld() {
  const world = worldOf();
  const made: Update[] = [...world.ledger.updates()];
  const mint = (): void =>
    void made.push(world.submit({ type: 'Mint', receiver: alice, amount: amount('3') }, dso, alice));
  const advance = (price: string): void => {
    const before = world.ledger.updates().length;
    world.advanceRounds(1, price);
    made.push(...world.ledger.updates(before));
  };
  mint();
  mint();
  const [first, second] = made.slice(-2).map(({ created }) => created[0]!.id); // each has created a coin
  made.push(world.submit({ type: 'MergeHoldings', owner: alice, inputs: [first!, second!] }, alice)); // there are two
  mint();
  world.wait(10);
  // Of one coin and of three, each the first of its kind or time.
  for (const count of [1, 3]) {
    const inputs = world
      .holdings(alice)
      .slice(0, count)
      .map(({ id }) => id);
    made.push(world.submit({ type: 'SelfTransfer', sender: alice, amount: amount('1'), inputs }, alice));
    world.wait(1);
  }
  mint();
  mint();
  for (const price of ['0.01', '0.02', '0.02', '0.02', '0.02', '0.02']) {
    advance(price);
    mint();
    mint();
  }
  return { ledger: world.ledger, made };
}

describe('the log of a ledger', () => {
  it('has the updates that were returned, whatever their time, kind, round and rate', () => {
    const { ledger, made } = livelyWorld();
    expect(ledger.updates()).toEqual(made);
    expect(
      new Set(made.flatMap(({ created }) => created.map((coin) => ('ratePerRound' in coin ? coin.ratePerRound : 0n))))
        .size,
    ).toBeGreaterThan(2);
    for (let after = 0; after <= made.length + 1; after++) expect(ledger.updates(after)).toEqual(made.slice(after));
  });

  it('is that of its version, after long branches from every version', () => {
    const tap = (ledger: Ledger, seconds: number): Ledger => {
      const now = (ledger.state.time + BigInt(seconds)) as typeof ledger.state.time;
      const next = ledger.submit({ type: 'Tap', receiver: bob, amount: amount('1') }, { now, actAs: [bob] });
      if (!next.ok) throw new Error(next.error.code);
      return next.value.ledger;
    };
    let ledger = openLedger();
    const versions: { readonly ledger: Ledger; readonly offsets: number; readonly ids: readonly string[] }[] = [];
    for (let i = 0; i < 20; i++) {
      versions.push({ ledger, offsets: ledger.state.offset, ids: ledger.updates().map(({ updateId }) => updateId) });
      let branch = ledger;
      for (let j = 0; j < 5; j++) branch = tap(branch, 1 + j);
      expect(branch.updates(ledger.state.offset)).toHaveLength(5);
      ledger = tap(ledger, 7);
    }
    for (const { ledger: version, offsets, ids } of versions) {
      expect(version.updates().map(({ updateId }) => updateId)).toEqual(ids);
      expect(version.updates().map(({ offset }) => offset)).toEqual(Array.from({ length: offsets }, (_, i) => i + 1));
    }
  });
});
