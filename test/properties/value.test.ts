import { Amount, balanceOf, PROFILE_NAMES, supplyOf, utxoCountOf, type LedgerState, type PartyId } from '@coinlab/core';
import { scanContracts } from '@coinlab/core/views';
import { busyNetwork, cast, play, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { everybody, external } = cast;

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('the supply equals minted minus burned coin, and every coin has an owner (invariants 2 and 10)', () => {
    fc.assert(
      fc.property(sequences(30), (steps) => {
        const { state } = play(busyNetwork(profile), steps);
        const held = coinsByOwner(state);
        const { supply, minted, burned } = supplyOf(state);
        expect(supply).toBe(minted - burned);
        expect(Amount.sum([...held.values()].flatMap(({ unlocked, locked }) => [unlocked, locked]))).toBe(supply);
        for (const party of new Set([...held.keys(), ...everybody, external.party])) {
          const { unlocked, locked, count } = held.get(party) ?? nothing;
          expect(balanceOf(state, party)).toEqual({ unlocked, locked, total: Amount.add(unlocked, locked) });
          expect(utxoCountOf(state, party)).toBe(count);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

const nothing = { unlocked: Amount.zero, locked: Amount.zero, count: 0 };

/** The total of each party, summed over every coin. */
function coinsByOwner(state: LedgerState): ReadonlyMap<PartyId, typeof nothing> {
  const held = new Map<PartyId, typeof nothing>();
  for (const contract of scanContracts(state)) {
    if (contract.template !== 'Holding') continue;
    const { unlocked, locked, count } = held.get(contract.owner) ?? nothing;
    const isLocked = contract.lock !== null;
    held.set(contract.owner, {
      unlocked: isLocked ? unlocked : Amount.add(unlocked, contract.amount),
      locked: isLocked ? Amount.add(locked, contract.amount) : locked,
      count: count + 1,
    });
  }
  return held;
}
