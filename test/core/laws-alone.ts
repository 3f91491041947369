import { allOf } from '@coinlab/core/views';
import {
  Amount,
  find,
  holdingsOf,
  type ContractId,
  type Holding,
  type PartyId,
  type Step,
  type Update,
} from '@coinlab/core';
import { payoutOf } from '@coinlab/core/rules';
import { cast } from '@coinlab/testing';
import { expect } from 'vitest';
import { alice, bob, but, carol, leading, one, remade, type Scene } from './laws-scene.ts';

const { provider } = cast;

/*
 * A law that fails only together with others could go without anybody noticing. Most fail alone for one of the forged updates. For those that
 * do not, here is a step of which everything else is right; or the law that says more, and so fails with it always.
 */
export const ALONE: Readonly<Record<string, (scene: Scene) => Step>> = {
  'the ledger counts minted and burned coin': (s) => {
    const step = s.tap();
    return { ...step, after: { ...step.after, minted: step.before.minted } };
  },

  'without fees a transfer of coins keeps every unit': (s) => leading(s.collected(), { detail: { rewards: null } }),

  'the creation and the end of an offer keep the total of its sender': (s) => {
    const step = s.offer();
    // The change is carol's, who agrees.
    const created = remade(step, 'Holding', ({ lock }) => (lock === null ? { owner: carol } : {}));
    return leading(step, { created, actAs: [bob, carol] });
  },

  'acceptance moves exactly the amount from sender to receiver': (s) => {
    const step = s.settled('AcceptOffer');
    const [coin] = holdingsIn(step);
    const [less, rest] = [Amount.of('0.75'), Amount.of('0.25')];
    expect(coin.amount).toBe(one);
    const created = [{ ...coin, amount: less }, coinLike(coin, 1, alice, rest)];
    return leading(step, { created, actAs: [carol, alice], detail: { amount: less } });
  },

  'no transfer has more inputs than allowed': (s) => {
    for (let i = 0; i < 101; i++) s.tap();
    const step = s.self();
    const inputs = [...holdingsOf(step.before, alice, 'smallest')].slice(0, 101);
    const sum = Amount.sum(inputs.map(({ amount }) => amount));
    const [coin] = holdingsIn(step);
    const created = [{ ...coin, amount: sum }];
    const archived = inputs.map(({ id }) => id);
    return leading(step, { archived, created, detail: { inputs: 101, amount: sum, change: null } });
  },

  'no transfer has more outputs than allowed': (s) => {
    const step = s.self();
    const [coin] = holdingsIn(step);
    const worth = Amount.sum(step.update.archived.map((id) => find(step.before, 'Holding', id)?.amount ?? Amount.zero));
    const last = Amount.sub(worth, Amount.ofUnits(101n));
    const created = Array.from({ length: 102 }, (_, i) => coinLike(coin, i, alice, i === 101 ? last : Amount.unit));
    return leading(step, { created, detail: { amount: Amount.unit, holdings: [coin.id], change: null } });
  },

  'the registry takes coins and no coupons': (s) => {
    const step = s.collected();
    return { ...step, update: { ...step.update, kind: 'SelfTransferred' } as Update };
  },

  'a coupon is minted while its own round is issuing, a grant before it expires': (s) => {
    const issuing = s.issued().update.created.find(({ template }) => template === 'IssuingMiningRound');
    if (issuing?.template !== 'IssuingMiningRound') throw new Error('a round starts to issue');
    expect(issuing.opensAt).toBeGreaterThan(s.now);
    const coupon = s.first('AppRewardCoupon', ({ round, provider: of }) => round === issuing.round && of === provider);
    const worth = payoutOf(coupon, issuing);
    const step = s.collected();
    const created = remade(step, 'Holding', () => ({ amount: worth }));
    return leading(step, { archived: [coupon.id], created, detail: { minted: worth, amount: worth } });
  },

  'a round pays no more than it issues': (s) => {
    const step = s.issued();
    const { round } = s.first('IssuingMiningRound', ({ id }) => step.update.created.some((made) => made.id === id));
    const coupons = [...allOf(step.before, 'SvRewardCoupon')].filter((coupon) => coupon.round === round);
    // What it pays too much to super validators is taken from what nobody claims, of which there is not enough.
    const more = Amount.times(
      Amount.of('1000000'),
      coupons.reduce((sum, { weight }) => sum + weight, 0),
    );
    const { unclaimedSvRewards } = step.update.detail as { readonly unclaimedSvRewards: Amount };
    const created = but(step, {
      created: remade(step, 'IssuingMiningRound', ({ perSvRewardCoupon }) => ({
        perSvRewardCoupon: Amount.add(perSvRewardCoupon, Amount.of('1000000')),
      })),
    });
    return leading(step, {
      created: remade(created, 'UnclaimedReward', ({ amount }) => ({ amount: Amount.sub(amount, more) })),
      detail: { unclaimedSvRewards: Amount.sub(unclaimedSvRewards, more) },
    });
  },

  'the payouts and the unclaimed coin of a round equal its issuance': (s) => {
    const step = s.issued();
    const { unclaimedSvRewards } = step.update.detail as { readonly unclaimedSvRewards: Amount };
    const created = remade(step, 'UnclaimedReward', ({ amount }) => ({ amount: Amount.add(amount, one) }));
    return leading(step, { created, detail: { unclaimedSvRewards: Amount.add(unclaimedSvRewards, one) } });
  },

  'a delegated mint adds all minted coin to the beneficiary and takes none': (s) => {
    const step = s.mint();
    const [coin] = holdingsIn(step);
    const less = Amount.sub(coin.amount, Amount.unit);
    const created = [{ ...coin, amount: less }, coinLike(coin, 1, provider, Amount.unit)];
    return leading(step, { created, detail: { amount: less } });
  },

  'a delegated merge leaves fewer coins than it takes': (s) => {
    const step = s.merge();
    const [coin] = holdingsIn(step);
    const less = Amount.sub(coin.amount, Amount.ofUnits(2n));
    const created = [
      { ...coin, amount: less },
      coinLike(coin, 1, bob, Amount.unit),
      coinLike(coin, 2, bob, Amount.unit),
    ];
    return leading(step, { created });
  },

  'a minting delegation merges no further than its limit': (s) => {
    const step = s.mint();
    const coins = [...holdingsOf(step.before, carol, 'smallest')];
    const [coin] = holdingsIn(step);
    const sum = Amount.sum(coins.map(({ amount }) => amount));
    const archived = coins.map(({ id }) => id);
    return leading(step, {
      archived,
      created: [{ ...coin, amount: sum }],
      detail: { inputs: coins.length, amount: sum },
    });
  },
};

/** Laws that say a part of what another says, for its own sake. */
export const PART_OF: Readonly<Record<string, string>> = {
  'a transfer burns exactly the fees in its detail': 'coin is burned for fees, purchases and dust only',
  'a locked coin is not expired as dust before its lock ends':
    'a running lock is ended only by its instruction, or by owner and holders',
  'no coin except dust is consumed without its owner':
    'every archived contract is archived by its own choice or by all its signatories',
  'only the receiver accepts or rejects, only the sender withdraws': 'the controllers of every choice act',
};

function holdingsIn(step: Step): readonly [Holding, ...Holding[]] {
  return step.update.created.filter(({ template }) => template === 'Holding') as unknown as readonly [Holding];
}

/** A coin as another, made after it. */
function coinLike(coin: Holding, after: number, owner: PartyId, amount: Amount): Holding {
  return { ...coin, id: (coin.id + after) as ContractId, owner, amount };
}
