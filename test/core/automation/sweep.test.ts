import { allOf, genesisConfig, sweep, type LedgerState, type OfferForm, type SweepConfig } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, provider, second, worldOf, type World } from '../ledger-fixture.ts';
import { settle } from './automation-fixture.ts';

const config: SweepConfig = {
  receiver: bob,
  maxBalanceUSD: amount('100'),
  minBalanceUSD: amount('20'),
  useTransferPreapproval: false,
};
const direct: SweepConfig = { ...config, useTransferPreapproval: true };

/** Price 0.15, 1000 coins: 150 USD. */
function wealthy(profile: 'feeless' | 'legacy-fees' | 'feeless-24h' = 'feeless', coins = '1000'): World {
  const world = worldOf({ profile, amuletPrice: amount('0.15') });
  world.fund(alice, coins);
  return world;
}

function offered(state: LedgerState): readonly bigint[] {
  return [
    ...[...allOf(state, 'TransferOffer')].map((offer) => offer.amount),
    ...[...allOf(state, 'TransferInstruction')].map(({ transfer }) => transfer.amount),
  ];
}

function preapprove(world: World): void {
  world.put({
    template: 'TransferPreapproval',
    receiver: bob,
    provider,
    validFrom: world.now,
    lastRenewedAt: world.now,
    expiresAt: second(3600),
  });
}

describe('a sweep', () => {
  it.each([
    ['feeless', '866.6666666667'],
    ['feeless-24h', '866.6666666667'],
    ['legacy-fees', '859.4'],
  ] as const)('offers in %s what is above the least balance, less what it costs', (profile, coins) => {
    const world = wealthy(profile);
    expect(settle(world, sweep(alice, config, 'public'))).toEqual(['WalletOfferCreated']);
    expect(offered(world.state)).toEqual([amount(coins)]);
  });

  it('locks what it offers, when offers are locked', () => {
    const world = wealthy();
    expect(settle(world, sweep(alice, config, 'locked'))).toEqual(['TransferOffered']);
    expect(world.coinsOf(alice)).toEqual(['133.3333333333']);
    expect(offered(world.state)).toEqual([amount('866.6666666667')]);
  });

  it('offers nothing where no coin may be locked', () => {
    const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders: 0 };
    const world = worldOf({ amuletPrice: amount('0.15'), config: { transferConfigUsd } });
    world.fund(alice, '1000');
    expect(settle(world, sweep(alice, config, 'locked'))).toEqual([]);
    expect(settle(world, sweep(alice, config, 'public'))).toEqual(['WalletOfferCreated']);
  });

  it('is paid at once to a receiver with a preapproval, and waits for one', () => {
    const world = wealthy();
    expect(settle(world, sweep(alice, direct, 'locked'))).toEqual([]);
    preapprove(world);
    expect(settle(world, sweep(alice, direct, 'locked'))).toEqual(['TransferCompleted']);
    expect(world.coinsOf(bob)).toEqual(['866.6666666667']);
  });

  it.each([
    ['at the greatest balance', '666.6666666666', 0],
    ['above it', '666.67', 1],
  ])('%s acts %i times', (_, coins, times) => {
    const world = wealthy('feeless', coins);
    expect(settle(world, sweep(alice, config, 'public'))).toHaveLength(times);
  });

  it('counts what it has offered as gone, until it is paid or has expired', () => {
    const world = wealthy();
    const policy = sweep(alice, config, 'public');
    settle(world, policy);
    const [offer] = allOf(world.state, 'TransferOffer');
    if (!offer) throw new Error('the sweep is offered');
    world.submit({ type: 'AcceptWalletOffer', offer: offer.id }, bob);
    expect(settle(world, policy)).toEqual([]);
    world.fund(alice, '500');
    expect(settle(world, policy)).toEqual([]);
    world.fund(alice, '100');
    expect(settle(world, policy)).toEqual(['WalletOfferCreated']);
    expect(offered(world.state)).toEqual([amount('600')]);
  });

  it('of more coins than one transfer takes moves what it can, and the rest next', () => {
    const world = worldOf({ amuletPrice: amount('1') });
    world.fundEach(
      alice,
      Array.from({ length: 130 }, () => '1'),
    );
    preapprove(world);
    const moves = { ...direct, maxBalanceUSD: amount('10'), minBalanceUSD: amount('5') };
    expect(settle(world, sweep(alice, moves, 'locked'))).toEqual(['TransferCompleted', 'TransferCompleted']);
    expect(world.coinsOf(bob)).toEqual(['100.0', '25.0']);
  });

  it.each<[OfferForm, SweepConfig]>([
    ['public', config],
    ['locked', config],
    ['locked', direct],
  ])('never leaves less than the least balance: %s', (form, swept) => {
    for (const coins of ['667', '700.1234567891', '1000', '12345.6789']) {
      for (const price of ['0.15', '0.3333333333', '7']) {
        const world = worldOf({ amuletPrice: amount(price) });
        world.fund(alice, coins);
        preapprove(world);
        settle(world, sweep(alice, swept, form));
        const left = form === 'public' ? amount(coins) - (offered(world.state)[0] ?? 0n) : balance(world);
        const leftUsd = (left * amount(price)) / amount('1');
        // A coin amount is rounded to ten places, which moves the balance by half a unit times the price at most.
        expect(leftUsd).toBeGreaterThanOrEqual(swept.minBalanceUSD - 4n);
        expect(leftUsd).toBeLessThanOrEqual(swept.maxBalanceUSD);
      }
    }
  });

  function balance(world: World): bigint {
    return world.holdings(alice).reduce((sum, coin) => sum + coin.amount, 0n);
  }
});
