import {
  Amount,
  Engine,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  PartyId,
  updateOf,
  type Law,
  type LedgerState,
} from '@coinlab/core';
import { isPacked } from '@coinlab/core/codec';
import { pay, walletOf } from '@coinlab/core/simulation';
import { allOf, contractsByKey } from '@coinlab/core/views';
import { createTestLedger, type TestLedger } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const ledger = createTestLedger();
const { alice, bob } = ledger.parties;
const zoe = PartyId.of('zoe');
const RECEIVERS = [alice, bob, zoe] as const;
const { now } = ledger;

/** An engine with a law decides every transfer by the rules. */
const ANYTHING: Law = { name: 'anything holds', invariant: 1, holds: () => true };

/** Changes of a state that no command makes. */
const CHANGES = {
  removeParty(world: TestLedger, party: PartyId) {
    for (const { id } of contractsByKey(world.state, 'KnownParty', `party:${party}`)) world.take(id);
  },
  addParty(world: TestLedger, party: PartyId) {
    world.put({ template: 'KnownParty', party, displayName: '' });
  },
  addPreapproval(world: TestLedger, receiver: PartyId) {
    const expiresAt = Instant.latest;
    const times = { validFrom: GENESIS_TIME, lastRenewedAt: GENESIS_TIME, expiresAt };
    world.put({ template: 'TransferPreapproval', receiver, provider: alice, ...times });
  },
  allowUnknownParties(world: TestLedger) {
    for (const { id } of allOf(world.state, 'KnownPartiesRequired')) world.take(id);
  },
} as const;

const changes = fc.array(fc.tuple(fc.constantFrom(...Object.values(CHANGES)), fc.constantFrom<PartyId>(...RECEIVERS)), {
  maxLength: 5,
});

function changed(list: readonly (readonly [(world: TestLedger, party: PartyId) => void, PartyId])[]): LedgerState {
  const world = ledger.copy();
  for (const [change, party] of list) change(world, party);
  return world.state;
}

describe('a payment to a party that may not be allocated', () => {
  it('is refused or accepted in the same way by the rules, as a packed transfer and by wallet number', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(changes, fc.constantFrom<PartyId>(...RECEIVERS), fc.boolean(), (list, receiver, isNamed) => {
        const state = changed(list);
        const [preapproval] = contractsByKey(state, 'TransferPreapproval', `receiver:${receiver}`);
        const [coin] = holdingsOf(state, alice, 'smallest');
        if (!coin) throw new Error('alice has coins');
        const amount = Amount.of('1');
        const terms = { sender: alice, receiver, amount, inputs: [coin.id] };
        const command = {
          type: 'DirectTransfer',
          ...terms,
          ...(isNamed && preapproval ? { preapproval: preapproval.id } : {}),
        } as const;
        const [rules, packed, numbers] = [
          new Engine({ laws: [ANYTHING] }, state),
          new Engine({}, state),
          new Engine({}, state),
        ];
        const context = { now, actAs: [alice] };
        const expected = rules.submit(command, context);
        const actual = packed.submit(command, context);
        outcomes.add(expected.ok ? expected.value.update.kind : expected.error.code);
        if (actual.ok) outcomes.add(isPacked(actual.value.entry) ? 'packed' : 'by the rules');
        expect(actual.ok ? updateOf(actual.value.entry) : actual).toEqual(
          expected.ok ? expected.value.update : expected,
        );
        if (isNamed) return;
        const wallets = { from: walletOf(state, alice), to: walletOf(state, receiver) };
        const paid = pay(numbers, { ...wallets, units: Number(amount), now });
        expect(paid.ok ? numbers.hash() : paid).toEqual(expected.ok ? rules.hash() : expected);
      }),
      { numRuns: runs(300) },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['TransferCompleted', 'UNKNOWN_PARTY', 'packed']));
  });
});
