import { Amount, emptyLedger, genesis, type ContractId } from '@coinlab/core';
import { inputsOfWalletTransfer } from '@coinlab/core/rules';
import { tappedFor, walletBalanceOf, walletCoinsOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, second, worldOf, type World } from '../ledger-fixture.ts';

/** Alice has a free coin of 70 and a locked one of 30, for bob until second 100. */
function offering(world: World): { readonly change: ContractId; readonly locked: ContractId } {
  const coin = world.fund(alice, '100');
  const { detail } = world.accepted(
    'TransferOffered',
    {
      type: 'CreateOffer',
      sender: alice,
      receiver: bob,
      amount: amount('30'),
      executeBefore: second(100),
      inputs: [coin],
    },
    alice,
  );
  return { change: detail.change as ContractId, locked: detail.lockedHolding };
}

describe('the coins of a wallet', () => {
  it('count in full in profiles without holding fees, and show their accrued fees', () => {
    const world = worldOf({ amuletPrice: amount('0.15') });
    const { change, locked } = offering(world);
    world.advanceRounds(3);
    const coins = walletCoinsOf(world.state, alice, world.now);
    const fees = Amount.times(world.holdings(alice)[0]!.ratePerRound, (coins?.round ?? 0) - 1); // the change exists
    expect(coins?.unlocked.map(({ holding, ...figures }) => [holding.id, figures])).toEqual([
      [change, { accruedFee: fees, effective: amount('70') }],
    ]);
    expect(coins?.locked.map(({ holding, effective }) => [holding.id, effective])).toEqual([[locked, amount('30')]]);
    expect(walletBalanceOf(world.state, alice, world.now)).toEqual({
      round: coins?.round,
      unlocked: amount('70'),
      locked: amount('30'),
      holdingFees: fees,
    });
    expect(fees).toBeGreaterThan(0n);
  });

  it('count minus their accrued fees in profiles with holding fees', () => {
    const world = worldOf({ profile: 'legacy-fees' });
    world.fund(alice, '100');
    world.advanceRounds(3);
    const balance = walletBalanceOf(world.state, alice, world.now);
    expect(balance?.holdingFees).toBeGreaterThan(0n);
    expect(Amount.add(balance!.unlocked, balance!.holdingFees)).toBe(amount('100')); // a round is open
  });

  it('are zero for an unknown party, and null before the first round', () => {
    const world = worldOf();
    expect(walletBalanceOf(world.state, bob, world.now)).toMatchObject({ unlocked: 0n, locked: 0n, holdingFees: 0n });
    const [open] = genesis({});
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    const { state } = opened.value.ledger;
    expect(walletBalanceOf(state, alice, state.time)).toBeNull();
    expect(tappedFor(state, amount('1'), state.time)).toMatchObject({ ok: false, error: { code: 'ROUND_NOT_OPEN' } });
  });
});

describe('the coin of a tap in USD', () => {
  it('is rounded up at the price of the newest usable round', () => {
    const world = worldOf({ amuletPrice: amount('0.3') });
    expect(tappedFor(world.state, amount('1'), second(1))).toEqual({ ok: true, value: amount('3.3333333334') });
    expect(tappedFor(world.state, amount('0.3'), second(1))).toEqual({ ok: true, value: amount('1') });
  });

  it('is refused when it exceeds 38 digits', () => {
    const world = worldOf({ amuletPrice: amount('0.1') });
    expect(tappedFor(world.state, Amount.max, second(1))).toMatchObject({
      ok: false,
      error: { code: 'INVALID_DECIMAL' },
    });
  });
});

describe('the inputs of a wallet’s registry transfer', () => {
  it('are all its unlocked coins, largest first, and locked coins once their lock has ended', () => {
    const world = worldOf();
    const { change, locked } = offering(world);
    const small = world.fund(alice, '1');
    const large = world.fund(alice, '500');
    expect(inputsOfWalletTransfer(world.state, alice, second(99))).toEqual([large, change, small]);
    expect(inputsOfWalletTransfer(world.state, alice, second(100))).toEqual([large, change, small, locked]);
    expect(inputsOfWalletTransfer(world.state, bob, second(100))).toEqual([]);
  });
});
