import { Amount, brokenLaws, LAWS, Round, supplyOf } from '@coinlab/core';
import { createTestLedger, LedgerAssertionError } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const { alice } = createTestLedger().parties;

describe('a contract that put() adds', () => {
  const impossible = {
    template: 'Holding',
    owner: alice,
    amount: Amount.max,
    createdAt: Round.of(0),
    ratePerRound: Amount.zero,
    lock: null,
  } as const;

  it('is active although no command created it, and counts in the totals', () => {
    const world = createTestLedger();
    const before = supplyOf(world.state);
    const id = world.put(impossible);
    expect(world.holdingsOf(alice, 'largest')[0]).toEqual({ id, ...impossible });
    expect(supplyOf(world.state).supply).toBe(before.supply + Amount.max);
    expect(world.take(id)).toEqual({ id, ...impossible });
    expect(supplyOf(world.state).supply).toBe(before.supply);
  });

  it('is not in the log, so isReplayable of the test ledger is false', () => {
    const world = createTestLedger();
    const updates = world.updates();
    const [untouched, id] = [world.copy(), world.put(impossible)];
    expect(world.updates()).toEqual(updates);
    expect([untouched.isReplayable, world.isReplayable]).toEqual([true, false]);
    expect(world.hash()).not.toBe(untouched.hash());
    expect(untouched.state.nextContract).toBe(id);
    expect(world.copy().isReplayable).toBe(false);
  });

  it('can be used by later commands, which extend the log and satisfy all ledger laws', () => {
    const world = createTestLedger();
    const coin = world.put({ ...impossible, amount: Amount.of('3') });
    const merged = world.execute({ type: 'MergeHoldings', owner: alice, inputs: [coin, ...rest(world, coin)] }, alice);
    expect(merged.archived).toContain(coin);
    expect(merged.created[0]?.id).toBeGreaterThan(coin);
    expect(world.updates().map(({ offset }) => offset)).toEqual(world.updates().map((_, i) => i + 1));
    expect(new Set(world.updates().map(({ updateId }) => updateId)).size).toBe(world.updates().length);
    const [before, after] = [world.state, world.copy()];
    const update = after.execute({ type: 'Tap', receiver: alice, amount: Amount.one }, alice);
    expect(brokenLaws(LAWS, { before, update, after: after.state })).toEqual([]);
  });

  it('is refused when a field of its template is missing', () => {
    const world = createTestLedger();
    const put = (contract: object): unknown => world.put(contract as never);
    expect(() => put({ template: 'Coin' })).toThrow(LedgerAssertionError);
    expect(() => put({ template: 'Holding', owner: alice })).toThrow(LedgerAssertionError);
    const id = world.put(impossible);
    world.take(id);
    expect(() => world.take(id)).toThrow(LedgerAssertionError);
  });
});

function rest(world: ReturnType<typeof createTestLedger>, coin: number) {
  return world.holdingsOf(alice).flatMap(({ id }) => (id === coin ? [] : id));
}
