import { PartyId, type Command, type ContractId } from '@coinlab/core';
import { ledgerUserKey, ledgerUsersKey, type LedgerRight } from '@coinlab/core/contracts';
import { contractsByKey, firstByKey } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, provider, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const participant = 'PAR::participant::1220ab';
const nowhere = 999_999 as ContractId;
const actAsAlice: LedgerRight = { kind: 'CanActAs', party: alice };
const readAsBob: LedgerRight = { kind: 'CanReadAs', party: bob };
const admin: LedgerRight = { kind: 'ParticipantAdmin' };

type Create = Extract<Command, { type: 'CreateLedgerUser' }>;

function createOf(userId: string, more: Partial<Create> = {}): Create {
  return { type: 'CreateLedgerUser', operator: provider, participant, userId, ...more };
}

function created(world: World, userId = 'ann', more: Partial<Create> = {}): ContractId {
  return world.accepted('LedgerUserCreated', createOf(userId, more), provider).detail.user;
}

const userOf = (world: World, userId = 'ann', at = participant) =>
  firstByKey(world.state, 'LedgerUser', ledgerUserKey(at, userId));

describe('a user of a participant', () => {
  it('starts active, without a party and without rights', () => {
    const world = worldOf();
    const user = created(world);
    expect(userOf(world)).toEqual({
      id: user,
      template: 'LedgerUser',
      operator: provider,
      participant,
      userId: 'ann',
      primaryParty: null,
      isDeactivated: false,
      annotations: {},
      resourceVersion: 0,
      rights: [],
    });
  });

  it('starts with the given profile and one copy of each given right', () => {
    const world = worldOf();
    const profile = { primaryParty: alice, isDeactivated: true, annotations: { team: 'a' } };
    created(world, 'ann', { ...profile, rights: [actAsAlice, admin, actAsAlice] });
    expect(userOf(world)).toMatchObject({ ...profile, rights: [actAsAlice, admin] });
  });

  it('has an id that is unique at its participant', () => {
    const world = worldOf();
    const user = created(world);
    expect(world.refused('ALREADY_EXISTS', createOf('ann'), provider).contract).toBe(user);
    const elsewhere = 'PAR::other::1220cd';
    world.submit(createOf('ann', { operator: carol, participant: elsewhere }), carol);
    expect(userOf(world, 'ann', elsewhere)?.operator).toBe(carol);
    expect([...contractsByKey(world.state, 'LedgerUser', ledgerUsersKey(participant))]).toHaveLength(1);
  });

  it.each(["a@b^c$d.e!f`g-h#i+j'k~l_m|n:o(p)", 'x'.repeat(128)])('can be created with the id %s', (userId) => {
    created(worldOf(), userId);
  });

  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(129)])('cannot be created with the id "%s"', (userId) => {
    expect(worldOf().refused('INVALID_ARGUMENT', createOf(userId), provider).field).toBe('userId');
  });

  it('has annotations of at most 256 KiB in UTF-8', () => {
    const annotations = { note: 'ä'.repeat(131_070) };
    created(worldOf(), 'ann', { annotations });
    const longer = createOf('ann', { annotations: { ...annotations, n: 'ä' } });
    expect(worldOf().refused('INVALID_ARGUMENT', longer, provider).field).toBe('annotations');
  });

  precedence(
    { actAs: provider, ...createOf('ben') },
    [
      ['NOT_AUTHORISED', { actAs: bob }],
      ['INVALID_ARGUMENT', { actAs: provider, participant: '' }, 'no participant'],
      ['INVALID_ARGUMENT', { actAs: provider, participant, userId: '' }, 'no id'],
      ['INVALID_ARGUMENT', { userId: 'ann', annotations: { note: 'ä'.repeat(131_071) } }, 'too long annotations'],
      ['INVALID_ARGUMENT', { annotations: {}, rights: many(1_001) }, 'too many rights'],
      ['ALREADY_EXISTS', { userId: 'ann', rights: many(1_000) }],
    ],
    (code, { actAs, ...command }) => {
      const world = worldOf();
      created(world);
      world.refused(code, command, actAs);
    },
  );
});

describe('an update of a user', () => {
  it('changes only the given fields, and increments the counter of versions', () => {
    const world = worldOf();
    const user = created(world, 'ann', { primaryParty: alice, annotations: { team: 'a' }, rights: [admin] });
    const { detail, archived } = world.accepted(
      'LedgerUserUpdated',
      { type: 'UpdateLedgerUser', user, isDeactivated: true },
      provider,
    );
    expect(archived).toEqual([user]);
    expect(userOf(world)).toMatchObject({
      id: detail.user,
      primaryParty: alice,
      isDeactivated: true,
      annotations: { team: 'a' },
      resourceVersion: 1,
      rights: [admin],
    });
    const again: Command = { type: 'UpdateLedgerUser', user: detail.user, primaryParty: null, annotations: {} };
    world.submit(again, provider);
    expect(userOf(world)).toMatchObject({
      primaryParty: null,
      annotations: {},
      isDeactivated: true,
      resourceVersion: 2,
    });
  });

  it('is refused when the annotations would exceed 256 KiB', () => {
    const world = worldOf();
    const user = created(world);
    const annotations = { note: 'x'.repeat(262_140) };
    const after = world.accepted('LedgerUserUpdated', { type: 'UpdateLedgerUser', user, annotations }, provider);
    const more = { ...annotations, n: '' };
    const refused = world.refused(
      'INVALID_ARGUMENT',
      { type: 'UpdateLedgerUser', user: after.detail.user, annotations: more },
      provider,
    );
    expect(refused).toMatchObject({ field: 'annotations', value: '262145 bytes' });
  });
});

describe('rights', () => {
  it('are granted once, and the update names the rights that are new', () => {
    const world = worldOf();
    const user = created(world, 'ann', { rights: [admin] });
    const rights = [admin, actAsAlice, readAsBob, actAsAlice];
    const { detail } = world.accepted('LedgerRightsGranted', { type: 'GrantLedgerRights', user, rights }, provider);
    expect(detail.granted).toEqual([actAsAlice, readAsBob]);
    expect(userOf(world)).toMatchObject({ rights: [admin, actAsAlice, readAsBob], resourceVersion: 0 });
  });

  it('are revoked by kind and party, and the update names the rights that were removed', () => {
    const world = worldOf();
    const readAsAlice: LedgerRight = { kind: 'CanReadAs', party: alice };
    const user = created(world, 'ann', { rights: [admin, actAsAlice, readAsAlice, readAsBob] });
    const rights: LedgerRight[] = [readAsAlice, readAsAlice, { kind: 'CanExecuteAs', party: bob }];
    const { detail } = world.accepted('LedgerRightsRevoked', { type: 'RevokeLedgerRights', user, rights }, provider);
    expect(detail.revoked).toEqual([readAsAlice]);
    expect(userOf(world)?.rights).toEqual([admin, actAsAlice, readAsBob]);
  });

  it('are limited to 1,000 per user', () => {
    const world = worldOf();
    const user = created(world, 'ann', { rights: many(1_000) });
    const one: Command = { type: 'GrantLedgerRights', user, rights: [many(1_000)[7] ?? admin] };
    const { detail } = world.accepted('LedgerRightsGranted', one, provider);
    const more: Command = { type: 'GrantLedgerRights', user: detail.user, rights: [admin] };
    expect(world.refused('INVALID_ARGUMENT', more, provider).field).toBe('rights');
  });
});

describe('a deleted user', () => {
  it('frees its id for a new user without rights', () => {
    const world = worldOf();
    const user = created(world, 'ann', { rights: [admin] });
    const { detail } = world.accepted('LedgerUserDeleted', { type: 'DeleteLedgerUser', user }, provider);
    expect(detail).toMatchObject({ user, userId: 'ann' });
    expect(userOf(world)).toBeNull();
    created(world);
    expect(userOf(world)?.rights).toEqual([]);
  });
});

describe.each([
  ['UpdateLedgerUser', {}],
  ['DeleteLedgerUser', {}],
  ['GrantLedgerRights', { rights: [admin] }],
  ['RevokeLedgerRights', { rights: [admin] }],
] as const)('the command %s', (type, fields) => {
  it('is refused when the user does not exist, and when a party other than the operator acts', () => {
    const world = worldOf();
    const user = created(world, 'ann', { primaryParty: alice, rights: [admin, actAsAlice] });
    // Cast: the rows pair each type with its fields.
    const command = (of: ContractId): Command => ({ type, user: of, ...fields }) as Command;
    world.refused('CONTRACT_NOT_FOUND', command(nowhere), bob);
    expect(world.refused('NOT_AUTHORISED', command(user), alice, bob).required).toBe(provider);
  });
});

function many(count: number): readonly LedgerRight[] {
  return Array.from({ length: count }, (_, i) => ({ kind: 'CanActAs', party: PartyId.of(`p${i}`) }));
}
