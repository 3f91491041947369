import {
  Amount,
  balanceOf,
  pendingTransfersOf,
  PROFILE_NAMES,
  supplyOf,
  utxoCountOf,
  type Command,
  type ContractId,
  type PartyId,
} from '@coinlab/core';
import { scanUtxoCounts, scanUtxoDistribution, utxoChanges } from '@coinlab/core/views';
import { busyNetwork, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../chance.ts';
import { alice, amount, bob, carol, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';

const offer = (sender: PartyId, receiver: PartyId, inputs: readonly ContractId[], value: string): Command => ({
  type: 'CreateOffer',
  sender,
  receiver,
  amount: amount(value),
  executeBefore: second(100),
  inputs,
});

/** Alice has 70 and 5 unlocked and 30 locked for bob, who has nothing; carol has one coin. */
function smallWorld(): World & { readonly instruction: ContractId } {
  const world = worldOf();
  world.fund(carol, '1');
  const coin = world.fund(alice, '100');
  world.fund(alice, '5');
  const { instruction } = world.accepted('TransferOffered', offer(alice, bob, [coin], '30'), alice).detail;
  return Object.assign(world, { instruction });
}

describe('the balance of a party', () => {
  it('has unlocked and locked coin, and includes the coin of an offer until it is accepted', () => {
    const world = smallWorld();
    const balance = (party: PartyId) => Object.values(balanceOf(world.state, party)).map(Amount.short);
    expect(balance(alice)).toEqual(['75.0', '30.0', '105.0']);
    expect(balance(bob)).toEqual(['0.0', '0.0', '0.0']);
    world.submit({ type: 'AcceptOffer', instruction: world.instruction }, bob);
    expect(balance(alice)).toEqual(['75.0', '0.0', '75.0']);
    expect(balance(bob)).toEqual(['30.0', '0.0', '30.0']);
  });

  it('is zero for an unknown party', () => {
    expect(balanceOf(worldOf().state, carol)).toEqual({ unlocked: 0n, locked: 0n, total: 0n });
  });
});

describe('the UTXOs', () => {
  it('of a party include locked coins', () => {
    const world = smallWorld();
    expect([alice, bob, carol].map((party) => utxoCountOf(world.state, party))).toEqual([3, 0, 1]);
  });

  it('are counted by party and in a histogram', () => {
    const world = smallWorld();
    expect([...scanUtxoCounts(world.state)].sort()).toEqual(
      [
        [alice, 3],
        [carol, 1],
      ].sort(),
    );
    world.fund(bob, '1');
    const { total, parties, histogram } = scanUtxoDistribution(world.state);
    expect([total, parties, [...histogram].sort()]).toEqual([
      5,
      3,
      [
        [1, 2],
        [3, 1],
      ],
    ]);
  });
});

describe('the supply', () => {
  it('equals minted minus burned coin', () => {
    const world = smallWorld();
    expect(supplyOf(world.state)).toEqual({ supply: amount('106'), minted: amount('106'), burned: 0n });
  });
});

describe('the pending transfers of a party', () => {
  it('include sent and incoming transfers, each with a status that follows from the time', () => {
    const world = smallWorld();
    for (const party of [alice, bob]) {
      expect(pendingTransfersOf(world.state, party, tickOf(second(100), -1))).toMatchObject([
        { instruction: { id: world.instruction }, status: 'pending', hasCoin: true },
      ]);
      expect(pendingTransfersOf(world.state, party, second(100))).toMatchObject([{ status: 'expired', hasCoin: true }]);
    }
    expect(pendingTransfersOf(world.state, carol, second(1))).toEqual([]);
  });

  it('include transfers that lost their coin until the transfer ends', () => {
    const world = smallWorld();
    world.at(second(100)).submit({ type: 'OwnerExpireLock', holding: world.locked(alice)[0]!.id }, alice); // locked for bob
    expect(pendingTransfersOf(world.state, bob, world.now)).toMatchObject([{ status: 'expired', hasCoin: false }]);
    world.submit({ type: 'RejectOffer', instruction: world.instruction }, bob);
    expect(pendingTransfersOf(world.state, bob, world.now)).toEqual([]);
  });

  it('of the DSO exclude transfers that the DSO only signs', () => {
    const world = smallWorld();
    world.submit(offer(dso, alice, [world.fund(dso, '2')], '2'), dso);
    world.submit(offer(carol, dso, [world.fund(carol, '3')], '3'), carol);
    const amounts = pendingTransfersOf(world.state, dso, world.now).map(
      ({ instruction }) => instruction.transfer.amount,
    );
    expect(amounts).toEqual([amount('2'), amount('3')]);
  });
});

describe('after random commands', () => {
  it.each(PROFILE_NAMES)('balances sum to the supply and counts follow from the updates (%s)', (profile) => {
    fc.assert(
      fc.property(sequences(25), (steps) => {
        let ledger = busyNetwork(profile);
        const counts = new Map(scanUtxoCounts(ledger.state));
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const result = ledger.submit(command, context);
          if (!result.ok) continue;
          for (const [party, by] of utxoChanges(ledger.state, result.value.update)) {
            const count = (counts.get(party) ?? 0) + by;
            if (count === 0) counts.delete(party);
            else counts.set(party, count);
          }
          ledger = result.value.ledger;
        }
        const { state } = ledger;
        expect(new Map(scanUtxoCounts(state))).toEqual(counts);
        const totals = [...counts.keys()].map((party) => balanceOf(state, party).total);
        expect(Amount.sum(totals)).toBe(supplyOf(state).supply);
        for (const [party, count] of counts) expect(utxoCountOf(state, party)).toBe(count);
      }),
      { numRuns: runs(20) },
    );
  });
});
