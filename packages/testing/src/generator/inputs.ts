import { allOf, lockedHoldingsOf } from '@coinlab/core/views';
import { holdingsOf, type ContractId, type Holding, type Instant, type LedgerState, type PartyId } from '@coinlab/core';
import { mintableCouponsOf } from '@coinlab/core/rules';
import { everybody } from './cast.js';
import type { Dice } from './dice.js';

interface Choice {
  readonly state: LedgerState;
  readonly now: Instant;
  readonly dice: Dice;
  anyId(): ContractId;
}

export function coinsOf(state: LedgerState, party: PartyId): readonly Holding[] {
  return [...holdingsOf(state, party, 'largest')];
}

/** Rarely returns invalid inputs: a duplicate, another party's coin, a contract other than a coin, or an empty list. */
export function inputsOf(choice: Choice, owner: PartyId): readonly ContractId[] {
  const { state, dice } = choice;
  const ids = coinsOf(state, owner).map(({ id }) => id);
  const start = dice.roll(Math.max(1, ids.length));
  const few = ids.slice(start, start + 1 + dice.roll(4));
  const nearLimit = (): readonly ContractId[] => ids.slice(0, 99 + dice.roll(4));
  switch (dice.roll(25)) {
    case 13:
    case 14:
    case 15:
    case 16:
      return ids.length >= 99 ? nearLimit() : few;
    case 17:
    case 18:
      return ids;
    case 19:
      return [...few, ...[...lockedHoldingsOf(state, owner)].map(({ id }) => id)];
    case 20:
    case 21:
      return [...few, ...couponsOf(choice, owner)];
    case 22:
      return dice.pick([[...few, ...few], [...few, choice.anyId()], [], [...ids].reverse()]) ?? [];
    case 23:
      return nearLimit();
    case 24:
      return [...few, ...coinOfAnother(choice, owner)];
    default:
      return few;
  }
}

export function purseOf(choice: Choice, owner: PartyId): readonly ContractId[] {
  if (!choice.dice.chance(60)) return inputsOf(choice, owner);
  return coinsOf(choice.state, owner)
    .slice(0, 100)
    .map(({ id }) => id);
}

export function couponsOf({ state, now, dice }: Choice, owner: PartyId): readonly ContractId[] {
  const mintable = dice.chance(60) ? mintableCouponsOf(state, owner, now).map(({ coupon }) => coupon.id) : [];
  const ids = mintable.length > 0 ? mintable : allCouponsOf(state, owner);
  const start = dice.roll(Math.max(1, ids.length));
  return ids.slice(start, start + 1 + dice.roll(6));
}

function allCouponsOf(state: LedgerState, owner: PartyId): readonly ContractId[] {
  const own: ContractId[] = [];
  for (const { id, provider, beneficiary } of allOf(state, 'AppRewardCoupon'))
    if ((beneficiary ?? provider) === owner) own.push(id);
  for (const { id } of allOf(state, 'ValidatorRewardCoupon')) own.push(id);
  for (const { id, beneficiary } of allOf(state, 'SvRewardCoupon')) if (beneficiary === owner) own.push(id);
  for (const { id, validator } of allOf(state, 'ValidatorLivenessActivityRecord'))
    if (validator === owner) own.push(id);
  for (const template of ['UnclaimedActivityRecord', 'DevelopmentFundCoupon'] as const)
    for (const { id, beneficiary } of allOf(state, template)) if (beneficiary === owner) own.push(id);
  return own;
}

function coinOfAnother({ state, dice }: Choice, owner: PartyId): readonly ContractId[] {
  const another = dice.pick(everybody.filter((party) => party !== owner)) ?? owner;
  return coinsOf(state, another)
    .slice(0, 1)
    .map(({ id }) => id);
}
