import { allOf } from '@coinlab/core/views';
import type { Command, ContractId, PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, provider, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const validator = provider;
const nowhere = 999_999 as ContractId;
const create: Command = { type: 'CreateValidatorRight', user: alice, validator };

function created(world: World): ContractId {
  return world.accepted('ValidatorRightCreated', create, alice, validator).detail.right;
}

describe('a validator right', () => {
  it('is signed by the user and the validator', () => {
    const world = worldOf();
    const right = created(world);
    expect([...allOf(world.state, 'ValidatorRight')]).toEqual([
      { id: right, template: 'ValidatorRight', user: alice, validator },
    ]);
  });

  it.each([
    ['user', alice],
    ['validator', validator],
  ] as const)('can be ended by the %s', (_, actor) => {
    const world = worldOf();
    const right = created(world);
    const { detail } = world.accepted('ValidatorRightArchived', { type: 'ArchiveValidatorRight', right }, actor);
    expect(detail).toMatchObject({ right, user: alice, validator });
    expect([...allOf(world.state, 'ValidatorRight')]).toEqual([]);
  });

  it('can name the same party as user and validator', () => {
    const world = worldOf();
    world.accepted('ValidatorRightCreated', { ...create, user: validator }, validator);
  });
});

describe('CreateValidatorRight', () => {
  interface Plan {
    readonly actAs: readonly PartyId[];
  }
  precedence<Plan>(
    { actAs: [alice, validator] },
    [
      ['NOT_AUTHORISED', { actAs: [alice] }, 'the validator does not act'],
      ['NOT_AUTHORISED', { actAs: [validator] }, 'the user does not act'],
      ['ALREADY_EXISTS', {}],
    ],
    (code, { actAs }) => {
      const world = worldOf();
      created(world);
      world.refused(code, create, ...actAs);
    },
  );
});

describe('ArchiveValidatorRight', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly right: ContractId | null;
  }
  precedence<Plan>(
    { actAs: bob, right: null },
    [
      ['CONTRACT_NOT_FOUND', { right: nowhere }],
      ['NOT_AUTHORISED', { actAs: carol }],
    ],
    (code, { actAs, right }) => {
      const world = worldOf();
      const made = created(world);
      world.refused(code, { type: 'ArchiveValidatorRight', right: right ?? made }, actAs);
    },
  );
});
