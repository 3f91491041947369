import { firstByKey } from '@coinlab/core/views';
import { isKnownParty, type Command, type Instant, type PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, dso, second, worldOf } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const allocate = (party: PartyId, displayName?: string): Command =>
  displayName === undefined ? { type: 'AllocateParty', party } : { type: 'AllocateParty', party, displayName };

describe('allocating a party', () => {
  it('registers the party as known', () => {
    const world = worldOf();
    expect(isKnownParty(world.state, alice)).toBe(false);
    const { created } = world.accepted('PartyAllocated', allocate(alice, 'Alice of Berlin'), alice);
    expect(created).toMatchObject([{ template: 'KnownParty', party: alice, displayName: 'Alice of Berlin' }]);
    expect(isKnownParty(world.state, alice)).toBe(true);
    expect(isKnownParty(world.state, bob)).toBe(false);
  });

  it('needs no display name', () => {
    const world = worldOf();
    expect(world.submit(allocate(alice), alice).created).toMatchObject([{ displayName: '' }]);
  });

  it('includes the DSO when the ledger opens', () => {
    expect(isKnownParty(worldOf().state, dso)).toBe(true);
    expect(worldOf().refused('ALREADY_EXISTS', allocate(dso), dso).contract).not.toBeNull();
  });

  interface Plan {
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly known: boolean;
  }
  precedence<Plan>(
    { at: second(0), actAs: [alice], known: false },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [bob, dso] }],
      ['ALREADY_EXISTS', { known: true }],
    ],
    (code, { at, actAs, known }) => {
      const world = worldOf();
      if (known) world.submit(allocate(alice), alice);
      world.at(at).refused(code, allocate(alice), ...actAs);
    },
  );

  it('is refused the second time, with the existing record', () => {
    const world = worldOf();
    world.submit(allocate(alice), alice);
    const { contract } = world.refused('ALREADY_EXISTS', allocate(alice, 'again'), alice);
    expect(contract).toBe(firstByKey(world.state, 'KnownParty', `party:${alice}`)?.id);
  });
});
