import { acsOf, holdingsSummaryOf, scanAcs, scanContracts } from '@coinlab/core/views';
import { Amount, type Command, type PartyId, type Round } from '@coinlab/core';
import { stakeholdersOf, TEMPLATES, TEMPLATE_NAMES } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { external } from '../external-keys.ts';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';

/** A world with coins, an offer, delegations, an external party, and a coin of alice that carol holds locked. */
function busy(): World {
  const world = worldOf();
  world.accepted('PartyAllocated', { type: 'AllocateParty', party: alice }, alice);
  external(world, 'dave');
  world.fundEach(alice, ['1', '2', '3']);
  world.fundEach(bob, ['4']);
  const offer: Command = {
    type: 'CreateOffer',
    sender: bob,
    receiver: alice,
    amount: amount('2'),
    executeBefore: second(3600),
    inputs: world.holdings(bob).map(({ id }) => id),
  };
  world.submit(offer, bob);
  world.submit({ type: 'ProposeMergeDelegation', owner: alice, operator: provider }, alice);
  world.submit(
    { type: 'ProposeMintingDelegation', beneficiary: bob, delegate: alice, expiresAt: second(60), amuletMergeLimit: 2 },
    bob,
  );
  world.put({
    template: 'Holding',
    owner: alice,
    amount: amount('9'),
    createdAt: 0 as Round,
    ratePerRound: amount('0.001'),
    lock: { holders: [carol], expiresAt: second(60), context: null },
  });
  return world;
}

const parties: readonly PartyId[] = [alice, bob, carol, provider, dso];

describe('the active contract set', () => {
  it.each(parties)('of %s has every contract with that party as signatory or observer, in order', (party) => {
    const { state } = busy();
    const seen = [...scanContracts(state)].filter(
      (contract) => !TEMPLATES[contract.template].isRecord && stakeholdersOf(contract, dso).includes(party),
    );
    expect(acsOf(state, party)).toEqual(seen);
    expect(seen.length).toBeGreaterThan(0);
  });

  it('includes a locked coin for its lock holders', () => {
    const world = busy();
    const [coin] = acsOf(world.state, carol);
    expect(acsOf(world.state, carol)).toEqual([expect.objectContaining({ template: 'Holding', owner: alice })]);
    world.at(second(60));
    const inputs = [coin?.id ?? never()];
    world.submit({ type: 'SelfTransfer', sender: alice, amount: amount('9'), inputs }, alice);
    expect(acsOf(world.state, carol)).toEqual([]);
  });

  it('excludes records, which the network does not have', () => {
    const { state } = busy();
    const records = TEMPLATE_NAMES.filter((name) => TEMPLATES[name].isRecord);
    expect([...scanContracts(state)].some(({ template }) => records.includes(template))).toBe(true);
    expect(scanAcs(state).some(({ template }) => records.includes(template))).toBe(false);
    expect(acsOf(state, alice, { templates: records })).toEqual([]);
  });

  it('can be filtered by template', () => {
    const { state } = busy();
    const names = ['Holding', 'TransferInstruction'] as const;
    const filtered = acsOf(state, alice, { templates: names });
    expect(filtered).toEqual(acsOf(state, alice).filter(({ template }) => names.some((name) => name === template)));
    expect(filtered).toHaveLength(5);
    expect(scanAcs(state, { templates: ['TransferInstruction'] })).toHaveLength(1);
  });

  it('of the whole ledger is the union of the contracts of all parties', () => {
    const { state } = busy();
    const ids = new Set(parties.flatMap((party) => acsOf(state, party).map(({ id }) => id)));
    expect(scanAcs(state).map(({ id }) => id)).toEqual([...ids].sort((a, b) => a - b));
  });
});

describe('the holdings summary', () => {
  it('sums coin and accrued fees at the oldest open round', () => {
    const world = busy();
    world.advanceRounds(3);
    const summary = holdingsSummaryOf(world.state, alice);
    const feesOf = (coins: ReturnType<World['holdings']>, round: number): bigint =>
      coins.reduce(
        (sum, { ratePerRound, createdAt }) => sum + ratePerRound * BigInt(Math.max(0, round - createdAt)),
        0n,
      );
    expect(summary).toEqual({
      owner: alice,
      unlocked: amount('6'),
      locked: amount('9'),
      total: amount('15'),
      feesUnlocked: feesOf(world.holdings(alice), 3),
      feesLocked: amount('0.003'),
      feesTotal: feesOf(world.holdings(alice), 3) + amount('0.003'),
      available: amount('6') - feesOf(world.holdings(alice), 3),
      asOfRound: 3,
    });
  });

  it('accepts any round, and never deducts more than the amount of a coin', () => {
    const { state } = busy();
    const far = holdingsSummaryOf(state, alice, 1_000_000_000 as Round);
    expect(far).toMatchObject({ available: Amount.zero, feesTotal: amount('15'), asOfRound: 1_000_000_000 });
  });

  it('of a party without coin is all zero', () => {
    const summary = holdingsSummaryOf(worldOf().state, carol);
    expect(summary).toMatchObject({ total: 0n, feesTotal: 0n, available: 0n, asOfRound: 0 });
  });
});

function never(): never {
  throw new Error('unreachable');
}
