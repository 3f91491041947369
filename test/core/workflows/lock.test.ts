import { Amount, Round, type Command, type ContractId, type Instant, type PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const expiresAt = second(100);

function lockedCoin(world: World): ContractId {
  return world.put({
    template: 'Holding',
    owner: alice,
    amount: amount('3'),
    createdAt: Round.of(0),
    ratePerRound: Amount.unit,
    lock: { holders: [bob, carol], expiresAt, context: 'deposit' },
  });
}

const unlock = (holding: ContractId): Command => ({ type: 'Unlock', holding });
const expireLock = (holding: ContractId): Command => ({ type: 'OwnerExpireLock', holding });

const ways = [
  ['agreement of the owner and all holders', unlock, [carol, alice, bob], second(1), 'HoldingUnlocked'],
  ['expiry through the owner', expireLock, [alice], expiresAt, 'LockExpired'],
] as const;

describe.each(ways)('the end of a lock by %s', (_, command, actAs, at, kind) => {
  it('creates an unlocked coin of the same amount, round and rate', () => {
    const world = worldOf();
    const coin = lockedCoin(world);
    world.advanceRounds(2);
    const later = world.now > at ? world.now : at;
    const { detail } = world.at(later).accepted(kind, command(coin), ...actAs);
    expect(world.holdings(alice)).toEqual([
      {
        id: detail.holding,
        template: 'Holding',
        owner: alice,
        amount: amount('3'),
        createdAt: 0,
        ratePerRound: Amount.unit,
        lock: null,
      },
    ]);
    expect(world.locked(alice)).toEqual([]);
    expect(detail).toMatchObject({ locked: coin, owner: alice, amount: amount('3'), minted: 0n, burned: 0n });
  });
});

interface Plan {
  readonly at: Instant;
  readonly actAs: readonly PartyId[];
  readonly coin: (world: World) => ContractId;
}

describe('unlocking', () => {
  precedence<Plan>(
    { at: second(1), actAs: [alice, bob, carol], coin: lockedCoin },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['CONTRACT_NOT_FOUND', { coin: () => 999_999 as ContractId }],
      [
        'CONTRACT_NOT_FOUND',
        { coin: (world) => world.put({ template: 'FeaturedAppRight', provider: alice }) },
        'no coin',
      ],
      ['INVALID_ARGUMENT', { coin: (world) => world.fund(alice, '1') }, 'the coin is not locked'],
      ['NOT_AUTHORISED', { actAs: [alice, bob, dso] }, 'one holder does not act'],
    ],
    (code, plan) => {
      const world = worldOf();
      const coin = plan.coin(world);
      world.at(plan.at).refused(code, unlock(coin), ...plan.actAs);
    },
  );

  it('is refused unless the owner is among the acting parties', () => {
    const world = worldOf();
    const coin = lockedCoin(world);
    expect(world.refused('NOT_AUTHORISED', unlock(coin), bob, carol, dso).required).toBe(alice);
  });
});

describe('the owner expiring a lock', () => {
  precedence<Plan>(
    { at: expiresAt, actAs: [alice], coin: lockedCoin },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['CONTRACT_NOT_FOUND', { coin: () => 999_999 as ContractId }],
      ['INVALID_ARGUMENT', { coin: (world) => world.fund(alice, '1') }, 'the coin is not locked'],
      ['NOT_AUTHORISED', { actAs: [bob, carol, dso] }],
      ['LOCK_NOT_EXPIRED', { at: tickOf(expiresAt, -1) }],
    ],
    (code, plan) => {
      const world = worldOf();
      const coin = plan.coin(world);
      world.at(plan.at).refused(code, expireLock(coin), ...plan.actAs);
    },
  );
});
