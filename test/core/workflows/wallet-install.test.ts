import { contractsOf, type Command, type ContractId, type PartyId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, provider, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

function onboard(endUser: PartyId, endUserName = 'user', validator: PartyId = provider): Command {
  return { type: 'OnboardUser', validator, endUserName, endUser };
}

const offboard = (install: ContractId): Command => ({ type: 'OffboardUser', install });

function onboarded(world: World, endUser: PartyId, name = 'user') {
  return world.accepted('UserOnboarded', onboard(endUser, name), provider, endUser).detail;
}

const rights = (world: World, user: PartyId) => [...contractsOf(world.state, 'ValidatorRight', user)];

describe('onboarding', () => {
  it('installs the wallet and gives the validator its right', () => {
    const world = worldOf();
    const { install, validatorRight } = onboarded(world, alice);
    const wallet = { id: install, validator: provider, endUserName: 'user', endUser: alice };
    expect([...contractsOf(world.state, 'WalletAppInstall', alice)]).toMatchObject([wallet]);
    expect(rights(world, alice)).toMatchObject([{ id: validatorRight, user: alice, validator: provider }]);
  });

  it('is refused for a name in use, with the existing install', () => {
    const world = worldOf();
    const { install } = onboarded(world, alice);
    expect(world.refused('ALREADY_EXISTS', onboard(bob), provider, bob).contract).toBe(install);
    world.submit(onboard(bob, 'user', carol), carol, bob);
  });

  it('adds no second validator right when a party gets a second user name', () => {
    const world = worldOf();
    onboarded(world, alice);
    expect(onboarded(world, alice, 'second').validatorRight).toBeNull();
    expect(rights(world, alice)).toHaveLength(1);
  });

  it('accepts a validator as its own user', () => {
    const world = worldOf();
    world.submit(onboard(provider), provider);
    expect(rights(world, provider)).toHaveLength(1);
  });

  precedence(
    { actAs: [provider, bob], name: 'fresh' },
    [
      ['NOT_AUTHORISED', { actAs: [provider] }],
      ['INVALID_ARGUMENT', { name: '' }],
      ['ALREADY_EXISTS', { name: 'user' }],
    ],
    (code, { actAs, name }) => {
      const world = worldOf();
      onboarded(world, alice);
      world.refused(code, onboard(bob, name), ...actAs);
    },
  );
});

describe('offboarding', () => {
  it.each([alice, provider])(
    'archives wallet and validator right when the validator or the user submits it',
    (side) => {
      const world = worldOf();
      const { install, validatorRight } = onboarded(world, alice);
      const { detail } = world.accepted('UserOffboarded', offboard(install), side);
      expect(detail).toMatchObject({ install, validatorRight, endUserName: 'user' });
      expect([...contractsOf(world.state, 'WalletAppInstall', alice)]).toEqual([]);
      expect(rights(world, alice)).toEqual([]);
      onboarded(world, bob);
    },
  );

  it('keeps the validator right while another user name of the party needs it', () => {
    const world = worldOf();
    const { install } = onboarded(world, alice);
    const second = onboarded(world, alice, 'second');
    expect(world.accepted('UserOffboarded', offboard(install), provider).detail.validatorRight).toBeNull();
    expect(world.accepted('UserOffboarded', offboard(second.install), provider).detail.validatorRight).not.toBeNull();
  });

  it('archives the validator right also if the party has a wallet at another validator', () => {
    const world = worldOf();
    const { install, validatorRight } = onboarded(world, alice);
    world.submit(onboard(alice, 'user', carol), carol, alice);
    expect(world.accepted('UserOffboarded', offboard(install), provider).detail.validatorRight).toBe(validatorRight);
  });

  it('is refused when the wallet does not exist or another party than its validator acts', () => {
    const world = worldOf();
    const { install } = onboarded(world, alice);
    world.refused('CONTRACT_NOT_FOUND', offboard(999_999 as ContractId), provider);
    world.refused('NOT_AUTHORISED', offboard(install), bob);
  });
});
