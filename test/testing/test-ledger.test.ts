import { Amount, brokenLaws, Duration, Instant, LAWS, PartyId, replay, Round, supplyOf } from '@coinlab/core';
import { createTestLedger, LedgerAssertionError, TEST_PARTIES } from '@coinlab/testing';
import { DEV_USERS } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

const [alice, bob] = [PartyId.of('alice'), PartyId.of('bob')];

describe('a test ledger', () => {
  it('has ten funded parties, those of the development server', () => {
    const ledger = createTestLedger();
    expect(TEST_PARTIES).toEqual(DEV_USERS);
    expect(ledger.parties.map((party) => Amount.short(ledger.balanceOf(party).total))).toEqual(
      Array.from({ length: 10 }, () => '10000.0'),
    );
    expect(ledger.parties.map((party) => ledger.utxoCountOf(party))).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('can begin without coin and under other rules', () => {
    const ledger = createTestLedger({ funds: '0', profile: 'legacy-fees', at: Instant.of('2027-01-01T00:00:00Z') });
    expect(supplyOf(ledger.state).supply).toBe(0n);
    expect(Instant.format(ledger.now)).toBe('2027-01-01T00:00:00.000000Z');
  });

  it('is the same in every run', () => {
    expect(createTestLedger().updates()).toEqual(createTestLedger().updates());
  });

  it('throws with the rejection when a command that must be accepted is refused', () => {
    const ledger = createTestLedger();
    const tap = { type: 'Tap', receiver: alice, amount: Amount.of('1') } as const;
    const refused = (): unknown => ledger.submit(tap, bob);
    expect(refused).toThrow(LedgerAssertionError);
    expect(refused).toThrow(expect.objectContaining({ expected: 'accepted', actual: 'NOT_AUTHORISED' }));
    expect(ledger.attempt(tap, bob)).toMatchObject({ ok: false, error: { code: 'NOT_AUTHORISED', required: alice } });
    expect(() => ledger.happens('Minted', tap, alice)).toThrow(
      expect.objectContaining({ expected: 'Minted', actual: 'Tapped' }),
    );
  });

  it('pays from the coins that it chose for an amount', () => {
    const ledger = createTestLedger();
    const small = ledger.mint(alice, '1.5');
    const [large] = ledger.inputsFor(alice, '7');
    expect(ledger.inputsFor(alice, Amount.of('10001'))).toEqual([large, small]);
    expect(ledger.holdingsOf(alice, 'smallest').map(({ id }) => id)).toEqual([small, large]);
  });

  it('moves its clock forward only', () => {
    const ledger = createTestLedger();
    const start = ledger.now;
    expect(ledger.advanceTime(Duration.minutes(5)).now).toBe(start + 300_000_000n);
    expect(() => ledger.advanceTimeTo(start)).toThrow(LedgerAssertionError);
    expect(ledger.submit({ type: 'Tap', receiver: alice, amount: Amount.one }, alice).recordTime).toBe(ledger.now);
  });

  it('advances round by round to the one that is asked for, each as early as it may', () => {
    const ledger = createTestLedger();
    expect(ledger.round).toBe(1);
    ledger.advanceTo(2);
    expect(ledger.updates().filter(({ kind }) => kind === 'RoundsAdvanced')).toHaveLength(0);
    ledger.advanceTo(7);
    expect(ledger.round).toBe(Round.of(7));
    const advances = ledger.updates().filter(({ kind }) => kind === 'RoundsAdvanced');
    expect(advances).toHaveLength(5);
    expect(ledger.advanceTo(7).updates()).toHaveLength(ledger.updates().length);
    expect(() => ledger.advanceTo(6)).toThrow(LedgerAssertionError);
  });

  it('forks into two that do not see each other', () => {
    const ledger = createTestLedger();
    const other = ledger.fork().advanceTime(Duration.minutes(1));
    other.mint(alice, '5');
    expect(ledger.balanceOf(alice).total).toBe(Amount.of('10000'));
    expect(other.balanceOf(alice).total).toBe(Amount.of('10005'));
    expect(ledger.now).toBe(other.now - 60_000_000n);
  });

  it('is what its updates lead to', () => {
    const ledger = createTestLedger().advanceTo(4);
    expect(ledger.isReplayable).toBe(true);
    expect(replay(ledger.updates()).hash()).toBe(ledger.hash());
  });
});

describe('a contract that is put on a test ledger', () => {
  const impossible = {
    template: 'Holding',
    owner: alice,
    amount: Amount.max,
    createdAt: Round.of(0),
    ratePerRound: Amount.zero,
    lock: null,
  } as const;

  it('is there although no command could create it, and the sums stay true', () => {
    const ledger = createTestLedger();
    const before = supplyOf(ledger.state);
    const id = ledger.put(impossible);
    expect(ledger.holdingsOf(alice, 'largest')[0]).toEqual({ id, ...impossible });
    expect(supplyOf(ledger.state).supply).toBe(before.supply + Amount.max);
    expect(ledger.take(id)).toEqual({ id, ...impossible });
    expect(supplyOf(ledger.state).supply).toBe(before.supply);
  });

  it('is no part of the log, and the ledger says so', () => {
    const ledger = createTestLedger();
    const updates = ledger.updates();
    const [untouched, id] = [ledger.fork(), ledger.put(impossible)];
    expect(ledger.updates()).toEqual(updates);
    expect([untouched.isReplayable, ledger.isReplayable]).toEqual([true, false]);
    expect(ledger.hash()).not.toBe(untouched.hash());
    expect(untouched.state.nextContract).toBe(id);
    expect(ledger.fork().isReplayable).toBe(false);
  });

  it('is used by later commands like any other, under all laws, and the log goes on', () => {
    const ledger = createTestLedger();
    const coin = ledger.put({ ...impossible, amount: Amount.of('3') });
    const merged = ledger.submit({ type: 'MergeHoldings', owner: alice, inputs: [coin, ...rest(ledger, coin)] }, alice);
    expect(merged.archived).toContain(coin);
    expect(merged.created[0]?.id).toBeGreaterThan(coin);
    expect(ledger.updates().map(({ offset }) => offset)).toEqual(ledger.updates().map((_, i) => i + 1));
    expect(new Set(ledger.updates().map(({ updateId }) => updateId)).size).toBe(ledger.updates().length);
    const [before, after] = [ledger.state, ledger.fork()];
    const update = after.submit({ type: 'Tap', receiver: alice, amount: Amount.one }, alice);
    expect(brokenLaws(LAWS, { before, update, after: after.state })).toEqual([]);
  });

  it('must at least have the fields of its template', () => {
    const ledger = createTestLedger();
    const put = (contract: object): unknown => ledger.put(contract as never);
    expect(() => put({ template: 'Coin' })).toThrow(LedgerAssertionError);
    expect(() => put({ template: 'Holding', owner: alice })).toThrow(LedgerAssertionError);
    const id = ledger.put(impossible);
    ledger.take(id);
    expect(() => ledger.take(id)).toThrow(LedgerAssertionError);
  });
});

function rest(ledger: ReturnType<typeof createTestLedger>, coin: number) {
  return ledger.holdingsOf(alice).flatMap(({ id }) => (id === coin ? [] : id));
}
