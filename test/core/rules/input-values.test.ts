import { coinsToPay, completeOffers, inputsToBurn } from '@coinlab/automation';
import { Amount, genesisConfig, Round, type ContractId } from '@coinlab/core';
import { inputsOfWalletTransfer } from '@coinlab/core/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { alice, amount, bob, provider, second, worldOf, type World } from '../ledger-fixture.ts';
import { appCoupons, issuingRound, settle } from '../../automation/automation-fixture.ts';

type Profile = 'legacy-fees' | 'feeless';

/** The first open round of a network, and the one that is usable at its start. */
const FIRST = Round.of(1000);
const USABLE = FIRST + 1;

function limited(profile: Profile, maxNumInputs: number): World {
  const { transferConfigUsd } = genesisConfig(profile);
  return worldOf({
    profile,
    initialRound: FIRST,
    config: { transferConfigUsd: { ...transferConfigUsd, maxNumInputs } },
  });
}

interface Coin {
  readonly units: bigint;
  /** Rounds since its creation. */
  readonly age: number;
  readonly rate: bigint;
}

const coins = fc.array(
  fc.record({
    units: fc.bigInt(1n, 1000n),
    age: fc.integer({ min: 0, max: 20 }),
    rate: fc.bigInt(0n, 30n),
  }),
  { minLength: 1, maxLength: 9 },
);

function put(world: World, { units, age, rate }: Coin): ContractId {
  return world.put({
    template: 'Holding',
    owner: alice,
    amount: Amount.ofUnits(units),
    createdAt: Round.of(USABLE - age),
    ratePerRound: Amount.ofUnits(rate),
    lock: null,
  });
}

describe('the inputs of a payment', () => {
  it.each(['legacy-fees', 'feeless'] as const)(
    'are the most valuable coins up to the input limit, in the profile %s',
    (profile) => {
      fc.assert(
        fc.property(coins, fc.integer({ min: 1, max: 4 }), (wallet, most) => {
          const world = limited(profile, most);
          const valueOf = new Map(wallet.map((coin) => [put(world, coin), valueIn(profile, coin)]));
          const best = [...valueOf.values()].sort((a, b) => Number(b - a)).slice(0, most);
          const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
          const chosen = coinsToPay(world.state, alice, world.now).map(({ id }) => id);
          expect(chosen.length).toBeLessThanOrEqual(most);
          expect(sum(chosen.map((id) => valueOf.get(id) ?? 0n))).toBe(sum(best));
          const ofWallet = inputsOfWalletTransfer(world.state, alice, world.now);
          expect(ofWallet.length).toBeLessThanOrEqual(most);
          expect(sum(ofWallet.map((id) => valueOf.get(id) ?? 0n))).toBe(sum(best));
        }),
        { numRuns: runs(200) },
      );
    },
  );
});

describe('a payment of a wallet with too many rewards for its inputs', () => {
  /** 100 inputs: ten coins of 1, 95 rewards of almost nothing; five more coins come after the rewards. */
  function crowded(): World {
    const world = worldOf();
    issuingRound(world, 7);
    appCoupons(
      world,
      alice,
      7,
      Array.from({ length: 95 }, () => '0.0000000001'),
    );
    world.fundEach(
      alice,
      Array.from({ length: 15 }, () => '1'),
    );
    return world;
  }

  it('can burn an amount only if its coins alone, without rewards, suffice', () => {
    const world = crowded();
    expect(inputsToBurn(world.state, alice, amount('14'), world.now)).toHaveLength(15);
    expect(inputsToBurn(world.state, alice, amount('15.1'), world.now)).toBeNull();
  });

  it('completes an accepted offer with coins alone', () => {
    const world = crowded();
    world.put({
      template: 'AcceptedTransferOffer',
      sender: alice,
      receiver: bob,
      amount: amount('14'),
      unit: 'coin',
      expiresAt: second(600),
      trackingId: 'one',
    });
    expect(settle(world, completeOffers({ party: alice, validator: provider }))).toContain('WalletOfferCompleted');
    expect(world.coinsOf(bob)).toEqual(['14.0']);
  });
});

function valueIn(profile: Profile, { units, age, rate }: Coin): bigint {
  const fee = rate * BigInt(age);
  return profile === 'feeless' ? units : units - (fee < units ? fee : units);
}
