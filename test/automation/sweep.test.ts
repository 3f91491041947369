import { allOf } from '@coinlab/core/views';
import { Amount, emptyLedger, genesis, genesisConfig, type LedgerState } from '@coinlab/core';
import { amountToSweep, sweep, type OfferForm, type SweepConfig } from '@coinlab/automation';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { preapprove, settle } from './automation-fixture.ts';

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

describe('a sweep', () => {
  it.each([
    ['feeless', '866.6666666667'],
    ['feeless-24h', '866.6666666667'],
    ['legacy-fees', '859.4'],
  ] as const)(
    'offers the balance above the minimum, minus the cost of paying it, in the profile %s',
    (profile, coins) => {
      const world = wealthy(profile);
      expect(settle(world, sweep(alice, config, 'public'))).toEqual(['WalletOfferCreated']);
      expect(offered(world.state)).toEqual([amount(coins)]);
    },
  );

  it('locks the offered coin when offers are locked', () => {
    const world = wealthy();
    expect(settle(world, sweep(alice, config, 'locked'))).toEqual(['TransferOffered']);
    expect(world.coinsOf(alice)).toEqual(['133.3333333333']);
    expect(offered(world.state)).toEqual([amount('866.6666666667')]);
  });

  it('offers nothing when the configuration allows no lock holder', () => {
    const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders: 0 };
    const world = worldOf({ amuletPrice: amount('0.15'), config: { transferConfigUsd } });
    world.fund(alice, '1000');
    expect(settle(world, sweep(alice, config, 'locked'))).toEqual([]);
    expect(settle(world, sweep(alice, config, 'public'))).toEqual(['WalletOfferCreated']);
  });

  it('locks the offered coin when `maxNumLockHolders` is 1', () => {
    const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumLockHolders: 1 };
    const world = worldOf({ amuletPrice: amount('0.15'), config: { transferConfigUsd } });
    world.fund(alice, '1000');
    expect(settle(world, sweep(alice, config, 'locked'))).toEqual(['TransferOffered']);
  });

  it('gives each offer a reason and a unique tracking id', () => {
    const world = wealthy();
    preapprove(world);
    const updateOf = (swept: SweepConfig, form: OfferForm): object => {
      const fork = world.fork();
      settle(fork, sweep(alice, swept, form));
      return fork.ledger.updates().at(-1)?.detail ?? {};
    };
    expect(updateOf(direct, 'locked')).toMatchObject({ meta: { reason: 'sweep' } });
    const trackingId = `sweep-${world.state.offset}`;
    expect(updateOf(config, 'public')).toMatchObject({ trackingId });
    expect(updateOf(config, 'locked')).toMatchObject({
      meta: {
        reason: 'sweep to bob',
        'splice.lfdecentralizedtrust.org/tracking-id': trackingId,
      },
    });
  });

  it('waits until a round is open', () => {
    const [open] = genesis({ profile: 'feeless' });
    const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
    if (!opened.ok) throw new Error('a ledger opens');
    const { state } = opened.value.ledger;
    for (const form of ['public', 'locked'] as const) expect(sweep(alice, config, form)(state, state.time)).toEqual([]);
  });

  // Per cent of the first 100 USD, per mille to 1,000, a tenth of that to 1,000,000 more, a hundredth beyond; two coins at 0.03 USD.
  it.each([
    ['101.05', '80.1795'],
    ['520', '498.54'],
    ['100000', '99968.142'],
    ['2000020', '1999888.149'],
  ])('offers all of %s USD except the minimum of 20 and the stepped fee: %s', (coins, left) => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    world.fund(alice, coins);
    settle(world, sweep(alice, config, 'public'));
    expect(offered(world.state)).toEqual([amount(left)]);
  });

  it('counts an outstanding offer in USD with its cost', () => {
    const world = wealthy('legacy-fees');
    const terms = { sender: alice, receiver: bob, expiresAt: second(600), trackingId: 't', description: '' } as const;
    // 150 USD less twice 40 and its fees: below the greatest balance.
    world.submit({ type: 'CreateWalletOffer', ...terms, amount: amount('40'), unit: 'usd' }, alice);
    expect(settle(world, sweep(alice, { ...config, maxBalanceUSD: amount('109.55') }, 'public'))).toEqual([]);
    expect(settle(world, sweep(alice, { ...config, maxBalanceUSD: amount('109.53') }, 'public'))).toHaveLength(1);
  });

  it('deducts the accrued holding fees of coins in profiles with fees', () => {
    for (const [profile, times] of [
      ['legacy-fees', 0],
      ['feeless', 1],
    ] as const) {
      const world = wealthy(profile, '666.67');
      world.advanceRounds(40);
      expect(settle(world, sweep(alice, config, 'public'))).toHaveLength(times);
    }
  });

  it('moves nothing when the coins are worth less than the cost of moving them', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    world.fundEach(
      alice,
      Array.from({ length: 400 }, () => '0.0003'),
    );
    preapprove(world);
    const all = { ...direct, maxBalanceUSD: amount('0.1'), minBalanceUSD: amount('0') };
    expect(settle(world, sweep(alice, all, 'locked'))).toEqual([]);
    expect(settle(world, sweep(alice, { ...all, useTransferPreapproval: false }, 'public'))).toHaveLength(1);
  });

  it('moves nothing when the transfer costs more than the surplus', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    world.fund(alice, '10');
    const swept = (minBalance: string): bigint | null => {
      const [, open] = allOf(world.state, 'OpenMiningRound');
      const least = { ...config, maxBalanceUSD: amount('9'), minBalanceUSD: amount(minBalance) };
      return open ? amountToSweep(world.state, alice, least, open) : 0n;
    };
    // 0.06 USD for two coins, and a hundredth of the amount.
    expect(swept('9.95')).toBeNull();
    expect(swept('9.0')).toBe(amount('0.93'));
  });

  it('moves nothing when there is no surplus, or when the surplus rounds to zero coin', () => {
    const world = worldOf({ amuletPrice: amount('7') });
    world.fund(alice, '10');
    const [, open] = allOf(world.state, 'OpenMiningRound');
    if (!open) throw new Error('expected a round');
    const least = { ...config, maxBalanceUSD: amount('9'), minBalanceUSD: amount('70') };
    expect(amountToSweep(world.state, alice, least, open)).toBeNull();
    const nearly = { ...least, minBalanceUSD: amount('69.9999999999') };
    expect(amountToSweep(world.state, alice, nearly, open)).toBe(0n);
    expect(settle(world, sweep(alice, nearly, 'public'))).toEqual([]);
  });

  it('in one step reserves its transfer fees and no lock fee, when it has more coins than a transfer may consume', () => {
    const world = worldOf({ profile: 'legacy-fees', amuletPrice: amount('1') });
    world.fundEach(
      alice,
      Array.from({ length: 130 }, () => '10'),
    );
    preapprove(world);
    const [task] = sweep(alice, { ...direct, minBalanceUSD: amount('5') }, 'public')(world.state, world.now);
    // All but 5 USD are 1293.0105 less fees, of which 1.95930105 are paid: 1, 0.9 and 0.02930105, and a coin at 0.03.
    expect(task?.command).toMatchObject({ type: 'DirectTransfer', amount: amount('998.04069895') });
    if (task) world.submit(task.command, ...task.actAs);
    expect(world.coinsOf(bob)).toEqual(['998.04069895']);
  });

  it('reserves the fees of the completion when it locks an offer', () => {
    const moved = (form: OfferForm, swept: SweepConfig): string => {
      const world = wealthy('legacy-fees');
      preapprove(world);
      settle(world, sweep(alice, { ...swept, minBalanceUSD: amount('0') }, form));
      const last = world.ledger.updates().at(-1)?.detail;
      return last && 'amount' in last ? Amount.short(last.amount as Amount) : '';
    };
    // 150 USD less 1.05, 0.05 and 0.06 are 148.89 USD.
    expect(moved('public', config)).toBe('992.6');
    expect(moved('locked', direct)).toBe('992.6');
    // Locked are four times the fee of the final transfer and what the coin accrues meanwhile, and a coin with a holder is made.
    expect(moved('locked', config)).toBe('970.9957593095');
  });

  it('pays a receiver with a preapproval in one step, and waits for the preapproval', () => {
    const world = wealthy();
    expect(settle(world, sweep(alice, direct, 'locked'))).toEqual([]);
    preapprove(world);
    expect(settle(world, sweep(alice, direct, 'locked'))).toEqual(['TransferCompleted']);
    expect(world.coinsOf(bob)).toEqual(['866.6666666667']);
  });

  it.each([
    ['at the greatest balance', '666.6666666666', 0],
    ['above it', '666.67', 1],
  ])('with a balance %s acts %i times', (_, coins, times) => {
    const world = wealthy('feeless', coins);
    expect(settle(world, sweep(alice, config, 'public'))).toHaveLength(times);
  });

  it('counts an offer as moved coin until the offer is paid or expires', () => {
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

  it('moves the coins that one transfer may consume, and the rest at the next turn', () => {
    const world = worldOf({ amuletPrice: amount('1') });
    world.fundEach(
      alice,
      Array.from({ length: 130 }, () => '1'),
    );
    preapprove(world);
    const moves = { ...direct, maxBalanceUSD: amount('10'), minBalanceUSD: amount('5') };
    expect(settle(world, sweep(alice, moves, 'locked'))).toEqual(['TransferCompleted', 'TransferCompleted']);
    expect(world.coinsOf(bob)).toEqual(['100.0', '25.0']);
    // An offer that locks nothing names no coins.
    world.fundEach(
      carol,
      Array.from({ length: 130 }, () => '1'),
    );
    settle(world, sweep(carol, { ...moves, useTransferPreapproval: false }, 'public'));
    expect(offered(world.state)).toEqual([amount('125')]);
  });

  it.each<[OfferForm, SweepConfig]>([
    ['public', config],
    ['locked', config],
    ['locked', direct],
  ])('never leaves less than the minimum balance: %s', (form, swept) => {
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
