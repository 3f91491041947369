import { Amount } from '@coinlab/core';
import { createTestLedger } from '@coinlab/testing';
import '@coinlab/testing/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('a payment service', () => {
  const start = createTestLedger({ preapproved: ['bob'] });
  const { alice, bob, carol } = start.parties;
  let world = start;
  beforeEach(() => void (world = start.copy()));
  afterEach(() => expect(world).toKeepTheLaws());

  it('pays a preapproved customer in one step', () => {
    world.as(alice).pay(bob, '2.5');
    expect(world).toHaveBalance(bob, '10002.5');
  });
  it('refuses a payment to a customer without a preapproval', () => {
    expect(world.attempt(alice).pay(carol, '2.5')).toBeRefusedWith('CONTRACT_NOT_FOUND');
  });
  it('refuses an overdraft and changes nothing', () => {
    const refused = world.attempt(alice).pay(bob, '10000.5');
    expect(refused).toBeRefusedWith('INSUFFICIENT_FUNDS', { missing: Amount.of('0.5') });
    expect(world).toHaveBalance(alice, '10000');
  });
  it('pays when the customer accepts the offer in time', () => {
    const offer = world.as(alice).offer(carol, '40', { expiresIn: '1h' });
    expect(world.advance('59m').attempt(carol).accept(offer)).toBeAcceptedAs('TransferAccepted', { receiver: carol });
    expect(world).toHaveBalance(carol, '10040');
  });
  it('refunds an offer that is withdrawn', () => {
    const { detail } = world.as(alice).withdraw(world.as(alice).offer(carol, '40'));
    expect(detail).toMatchObject({ sender: alice, amount: Amount.of('40') });
    expect(world.balanceOf(alice).locked).toBe(Amount.zero);
  });
  it('refunds an offer that expires', () => {
    const offer = world.as(alice).offer(carol, '40', { expiresIn: '10m' });
    expect(world.advance('10m').attempt(carol).accept(offer)).toBeRefusedWith('DEADLINE_PASSED');
    world.as(world.dso).expire(offer);
    expect(world.balanceOf(alice).locked).toBe(Amount.zero);
  });
  it('pays once when a request is repeated with its tracking id', () => {
    const pay = () => world.attempt(alice).pay(bob, '2.5', { trackingId: 'invoice-7' });
    expect(pay()).toBeAcceptedAs('TransferCompleted');
    expect(pay()).toBeRefusedWith('DUPLICATE_TRACKING_ID', { trackingId: 'invoice-7' });
    expect(world).toHaveBalance(bob, '10002.5');
  });
  it('keeps a wallet at 10 UTXOs by merging', () => {
    for (let i = 0; i < 30; i++) {
      world.as(alice).pay(bob, '1');
      if (world.utxoCountOf(bob) === 10) world.as(bob).merge();
      expect(world).toHaveUtxosAtMost(10);
    }
  });
  it('measures the fee of a preapproval on a copy', () => {
    const trial = world.copy();
    trial.as(bob).preapprove({ expiresIn: '90d' });
    expect(trial).toHaveBalance(bob, Amount.sub(Amount.of('10000'), trial.report().total.burned));
    expect(world).toHaveBalance(bob, '10000');
  });
});
