import { Amount, Instant, PartyId } from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { pendingTransfersOf } from '@coinlab/core';
import { createTestLedger, given, LedgerAssertionError } from '@coinlab/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';

const { alice, bob, carol } = createTestLedger().parties;

describe('the verbs of as(party)', () => {
  it('pay in one step and return an update of the kind TransferCompleted', () => {
    const world = createTestLedger();
    const paid = world.as(alice).pay(bob, '2.5');
    expectTypeOf(paid.kind).toEqualTypeOf<'TransferCompleted'>();
    expect(paid).toMatchObject({ kind: 'TransferCompleted', actAs: [alice] });
    expect(world.balanceOf(bob).total).toBe(Amount.of('10002.5'));
  });

  it('throw an error when the command is refused', () => {
    const world = createTestLedger();
    expect(() => world.as(alice).pay(bob, '99999')).toThrow(LedgerAssertionError);
    expect(() => world.as(alice).pay(bob, '99999')).toThrow(
      /DirectTransfer by alice is refused with INSUFFICIENT_FUNDS: .*89999\.0/,
    );
    expect(() => world.as(alice).pay(bob, 'all')).toThrow(/amount is 'all'/);
  });

  it("use the ledger's state at the time of each call", () => {
    const world = createTestLedger();
    const actor = world.as(alice);
    actor.pay(bob, '9000');
    world.advance('1h');
    expect(actor.pay(bob, '1000').recordTime).toBe(world.now);
    expect(world.utxoCountOf(alice)).toBe(0);
  });

  it('accept an offer by its update, its contract or its id', () => {
    const world = createTestLedger();
    const offers = [1, 2, 3].map(() => world.as(alice).offer(bob, '1'));
    const [first, second, third] = offers;
    const pending = pendingTransfersOf(world.state, bob, world.now).map(({ instruction }) => instruction);
    const contract = pending.find(({ id }) => id === second?.detail.instruction);
    if (!first || !contract || !third) throw new Error('three offers are pending');
    expect(world.as(bob).accept(first).detail.instruction).toBe(first.detail.instruction);
    expect(world.as(bob).accept(contract).detail.instruction).toBe(contract.id);
    expect(world.as(bob).accept(third.detail.instruction).kind).toBe('TransferAccepted');
    expect(world.balanceOf(bob).total).toBe(Amount.of('10003'));
  });

  it('reject and withdraw offers; the DSO expires an offer after its deadline', () => {
    const world = createTestLedger();
    const offer = () => world.as(alice).offer(bob, '5', { expiresIn: '10m' });
    expect(world.as(bob).reject(offer()).kind).toBe('TransferRejected');
    expect(world.as(alice).withdraw(offer()).kind).toBe('TransferWithdrawn');
    const open = offer();
    expect(open.detail.executeBefore).toBe(world.later('10m'));
    expect(world.attempt(world.dso).expire(open).ok).toBe(false);
    world.advance('10m');
    expect(world.as(world.dso).expire(open).kind).toBe('TransferExpired');
    expect(world.balanceOf(alice)).toMatchObject({ locked: 0n, total: Amount.of('10000') });
  });

  it('keep an offer open for an hour without the option expiresIn', () => {
    const world = createTestLedger();
    expect(world.as(alice).offer(bob, '5').detail.executeBefore).toBe(world.later('1h'));
  });

  it('merge the coins of a party', () => {
    const world = createTestLedger();
    for (let i = 0; i < 4; i++) world.as(alice).pay(bob, '1');
    expect(world.utxoCountOf(bob)).toBe(5);
    expect(world.as(bob).merge().detail).toMatchObject({ inputs: 5, amount: Amount.of('10004') });
    expect(world.utxoCountOf(bob)).toBe(1);
  });

  it('mint coin with a tap', () => {
    const world = createTestLedger();
    expect(world.as(alice).tap('10', { trackingId: 'a' }).detail.amount).toBe(Amount.of('10'));
    expect(world.attempt(alice).tap('10', { trackingId: 'a' })).toMatchObject({
      error: { code: 'DUPLICATE_TRACKING_ID' },
    });
  });

  it('preapprove by the party itself or by another provider, who must act too', () => {
    const world = createTestLedger();
    const zoe = world.party('zoe');
    expect(world.attempt(alice).pay(zoe, '1').ok).toBe(false);
    expect(() => world.as(zoe).preapprove({ provider: alice })).toThrow(/NOT_AUTHORISED/);
    const { detail } = world.as(zoe, alice).preapprove({ provider: alice, expiresIn: '90d' });
    expect(detail).toMatchObject({ provider: alice, expiresAt: world.later('90d') });
    expect(detail.fee).toBeGreaterThan(0n);
    expect(world.as(bob).pay(zoe, '1').kind).toBe('TransferCompleted');
    expect(world.as(carol).preapprove().detail).toMatchObject({ provider: carol, expiresAt: world.later('365d') });
  });

  it('spend the chosen coins, otherwise the largest coins that cover the amount and its fees', () => {
    const world = createTestLedger({ profile: 'legacy-fees', funds: '0' });
    const [small, ...large] = ['1000', '3000', '3000'].map((amount) => world.mint(alice, amount));
    expect(world.copy().as(alice).pay(bob, '2900').archived).toEqual(expect.arrayContaining(large.slice(0, 1)));
    // A payment of 3,000 and its fees costs more than one coin is worth.
    expect(world.copy().as(alice).pay(bob, '3000').detail.inputs).toBe(2);
    const chosen = world.as(alice).pay(bob, '100', { inputs: small === undefined ? [] : [small] });
    expect(chosen.archived).toContain(small);
    expect(chosen.detail.inputs).toBe(1);
  });

  it('pass the tracking id and the reason to the command', () => {
    const world = createTestLedger();
    const { detail } = world.as(alice).pay(bob, '1', { trackingId: 'rent-1', reason: 'rent' });
    expect(detail.meta).toEqual({ [TRACKING_ID_KEY]: 'rent-1', reason: 'rent' });
    expect(world.attempt(alice).offer(bob, '1', { trackingId: 'rent-1' })).toMatchObject({
      error: { code: 'DUPLICATE_TRACKING_ID', trackingId: 'rent-1' },
    });
  });
});

describe('attempt(party)', () => {
  it('returns the update or the rejection, and a refused command changes no state', () => {
    const world = createTestLedger();
    const hash = world.hash();
    const refused = world.attempt(alice).pay(bob, '10000.5');
    expect(refused).toEqual({ ok: false, error: { code: 'INSUFFICIENT_FUNDS', missing: Amount.of('0.5') } });
    expect(world.hash()).toBe(hash);
    const paid = world.attempt(alice).pay(bob, '1');
    if (!paid.ok) throw new Error('alice can pay 1');
    expectTypeOf(paid.value.update.kind).toEqualTypeOf<'TransferCompleted'>();
    expect(paid.value.update.detail.receiver).toBe(bob);
  });
});

describe('commands(party)', () => {
  it('returns the command of a verb without submitting it', () => {
    const world = createTestLedger();
    const hash = world.hash();
    const command = world.commands(alice).pay(bob, '2.5');
    expect(command).toMatchObject({ type: 'DirectTransfer', sender: alice, receiver: bob, amount: Amount.of('2.5') });
    expect(world.hash()).toBe(hash);
    given(world).as(alice).when(command).then('TransferCompleted');
    given(world)
      .as(alice)
      .when(world.commands(alice).pay(PartyId.of('zoe'), '1'))
      .then('UNKNOWN_PARTY');
    expect(Instant.format(world.now)).toBe('2026-01-01T00:00:00.000000Z');
  });
});
