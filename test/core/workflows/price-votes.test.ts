import { allOf } from '@coinlab/core/views';
import { Amount, type Command, type Instant, type PartyId } from '@coinlab/core';
import { medianOf, nextAmuletPrice } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

/** A network at 0.15 USD with three super validators. */
function founded(): World {
  const world = worldOf({ amuletPrice: amount('0.15') });
  const svs = [alice, bob, carol].map((party, i) => ({
    party,
    name: `SV${i}`,
    rewardWeight: 1,
    participantId: `PAR::sv${i}`,
  }));
  world.submit({ type: 'BootstrapDso', svs }, dso);
  return world;
}

function vote(sv: PartyId, price: string | null): Command {
  return { type: 'VoteAmuletPrice', sv, amuletPrice: price === null ? null : amount(price) };
}

function next(world: World): string | null {
  const price = nextAmuletPrice(world.state);
  return price === null ? null : Amount.short(price);
}

describe('the price of the next round', () => {
  it('equals the price of the newest round while there are no votes', () => {
    expect(next(founded())).toBe('0.15');
    expect(next(worldOf({ amuletPrice: amount('2') }))).toBe('2.0');
    const world = founded();
    world.advanceRounds(1, '0.25');
    world.advanceRounds(1, '0.5');
    expect(next(world)).toBe('0.5');
  });

  it('is the median of the votes, without votes that name no price', () => {
    const world = founded();
    world.accepted('AmuletPriceVoted', vote(alice, '1'), alice);
    expect(next(world)).toBe('1.0');
    world.submit(vote(bob, '3'), bob);
    expect(next(world)).toBe('2.0');
    world.submit(vote(carol, '10'), carol);
    expect(next(world)).toBe('3.0');
    world.wait(60).submit(vote(bob, null), bob);
    expect(next(world)).toBe('5.5');
  });

  it('ignores votes of former super validators', () => {
    const world = founded();
    world.submit(vote(alice, '1'), alice);
    world.submit(vote(bob, '3'), bob);
    world.submit({ type: 'ExecuteAction', action: { type: 'OffboardSv', party: bob } }, dso);
    expect(next(world)).toBe('1.0');
    world.wait(60).refused('GROUP_MISMATCH', vote(bob, '4'), bob);
  });

  it('is the mean of the two middle votes for an even number, rounded to ten places, ties to even', () => {
    const prices = (...texts: readonly string[]): Amount | null => medianOf(texts.map(amount));
    expect(prices()).toBeNull();
    expect(prices('0.3', '0.1', '0.2')).toBe(amount('0.2'));
    expect(prices('4', '1', '3', '2')).toBe(amount('2.5'));
    expect(prices('0.0000000001', '0.0000000002')).toBe(amount('0.0000000002'));
    expect(prices('0.0000000002', '0.0000000003')).toBe(amount('0.0000000002'));
  });
});

describe('a vote on the price', () => {
  it('exists once per super validator, and can change once per cool-down', () => {
    const world = founded();
    world.submit(vote(alice, '1'), alice);
    expect(world.wait(59).refused('TOO_SOON', vote(alice, '2'), alice).notBefore).toBe(second(60));
    world.wait(1).submit(vote(alice, '2'), alice);
    expect([...allOf(world.state, 'AmuletPriceVote')]).toMatchObject([
      { sv: alice, amuletPrice: amount('2'), lastUpdatedAt: second(60) },
    ]);
  });

  it('is refused before the DSO is bootstrapped', () => {
    worldOf().refused('NOT_BOOTSTRAPPED', vote(alice, '1'), alice);
  });
});

describe('VoteAmuletPrice', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly sv: PartyId;
    readonly price: string;
    readonly at: Instant;
  }
  precedence<Plan>(
    { actAs: alice, sv: alice, price: '1', at: second(60) },
    [
      ['NOT_AUTHORISED', { actAs: dso, sv: provider }],
      ['GROUP_MISMATCH', { actAs: provider, sv: provider }],
      ['NON_POSITIVE_AMOUNT', { price: '0' }],
      ['TOO_SOON', { at: second(59) }],
    ],
    (code, { actAs, sv, price, at }) => {
      const world = founded();
      world.submit(vote(alice, '1'), alice);
      world.at(at).refused(code, vote(sv, price), actAs);
    },
  );
});
