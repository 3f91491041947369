import { acceptPreapprovals, PREAPPROVAL_DEFAULTS, renewPreapprovals, type Policy } from '@coinlab/automation';
import { allOf } from '@coinlab/core/views';
import { Amount, Duration } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, provider, second, worldOf, type World } from '../core/ledger-fixture.ts';
import { settle } from './automation-fixture.ts';

const day = 86_400;

/** Price 0.15: ninety days cost 1.644. */
function network(): World {
  return worldOf({ amuletPrice: amount('0.15') });
}

function propose(world: World, receiver = alice): void {
  world.submit({ type: 'ProposePreapproval', receiver, provider }, receiver);
}

function host(world: World, user = alice): void {
  world.put({ template: 'ValidatorRight', user, validator: provider });
}

function expiries(world: World): readonly bigint[] {
  return [...allOf(world.state, 'TransferPreapproval')].map(({ expiresAt }) => expiresAt);
}

describe('a provider of preapprovals', () => {
  const accept = acceptPreapprovals(provider, PREAPPROVAL_DEFAULTS);
  const renew = renewPreapprovals(provider, PREAPPROVAL_DEFAULTS);

  it('creates a preapproval of ninety days for each receiver with a wallet at the provider', () => {
    const world = network();
    world.fund(provider, '10');
    propose(world);
    propose(world, bob);
    host(world);
    expect(settle(world, accept)).toEqual(['PreapprovalCreated']);
    expect(world.coinsOf(provider)).toEqual(['8.356']);
    expect(expiries(world)).toEqual([world.now + Duration.days(90)]);
  });

  it('accepts proposals of its own users and of itself, but not of another provider’s users', () => {
    const world = network();
    world.fund(provider, '10');
    world.put({ template: 'WalletAppInstall', validator: carol, endUserName: 'bob', endUser: bob });
    propose(world, bob);
    expect(settle(world, accept)).toEqual([]);
    world.put({ template: 'WalletAppInstall', validator: carol, endUserName: 'alice', endUser: alice });
    world.put({ template: 'WalletAppInstall', validator: provider, endUserName: 'alice', endUser: alice });
    propose(world, alice);
    propose(world, provider);
    expect(settle(world, accept)).toEqual(['PreapprovalCreated', 'PreapprovalCreated']);
    expect([...allOf(world.state, 'TransferPreapproval')].map(({ receiver }) => receiver)).toEqual([alice, provider]);
  });

  it('does not accept proposals that it made to another provider', () => {
    const world = network();
    world.fund(provider, '10');
    world.submit({ type: 'ProposePreapproval', receiver: provider, provider: carol }, provider);
    expect(settle(world, accept)).toEqual([]);
  });

  it('needs no coin where preapprovals are free', () => {
    const world = worldOf({ config: { transferPreapprovalFeeUsd: Amount.zero } });
    host(world);
    propose(world);
    expect(accept(world.state, world.now).map(({ command }) => command)).toMatchObject([{ inputs: [] }]);
    expect(settle(world, accept)).toEqual(['PreapprovalCreated']);
  });

  it('waits until a round is open', () => {
    const world = network();
    world.fund(provider, '10');
    host(world);
    propose(world);
    expect(accept(world.state, second(-1))).toEqual([]);
  });

  it('creates preapprovals for external parties on its own participant only', () => {
    const world = network();
    world.fund(provider, '10');
    propose(world);
    world.put({ template: 'ExternalPartyKey', party: alice, publicKey: '00'.repeat(32), participant: 'PAR::here' });
    const at = (memberId: string): Policy => acceptPreapprovals(provider, PREAPPROVAL_DEFAULTS, memberId);
    expect(settle(world, at('PAR::elsewhere'))).toEqual([]);
    expect(settle(world, at('PAR::here'))).toEqual(['PreapprovalCreated']);
  });

  it('pays for receivers without a wallet only if configured', () => {
    const world = network();
    world.fund(provider, '10');
    propose(world);
    const open = acceptPreapprovals(provider, { ...PREAPPROVAL_DEFAULTS, acceptsForeignReceivers: true });
    expect(settle(world, accept)).toEqual([]);
    expect(settle(world, open)).toEqual(['PreapprovalCreated']);
  });

  it('creates one preapproval for each receiver', () => {
    const world = network();
    world.fund(provider, '10');
    host(world);
    host(world, bob);
    propose(world);
    propose(world);
    propose(world, bob);
    expect(settle(world, accept)).toEqual(['PreapprovalCreated', 'PreapprovalCreated']);
    expect(world.coinsOf(provider)).toEqual(['6.712']);
  });

  it('waits until it has the coin', () => {
    const world = network();
    host(world);
    propose(world);
    world.fund(provider, '1.6439999999');
    expect(settle(world, accept)).toEqual([]);
    world.fund(provider, '0.0000000001');
    expect(settle(world, accept)).toEqual(['PreapprovalCreated']);
  });

  it('renews for ninety days when fewer than thirty remain', () => {
    const world = network();
    world.fund(provider, '10');
    host(world);
    propose(world);
    settle(world, accept);
    const [first] = expiries(world);
    world.wait(60 * day);
    expect(settle(world, renew)).toEqual([]);
    world.wait(1);
    world.fund(carol, '10');
    expect(settle(world, renewPreapprovals(carol, PREAPPROVAL_DEFAULTS))).toEqual([]);
    expect(settle(world, renew)).toEqual(['PreapprovalRenewed']);
    expect(expiries(world)).toEqual([(first ?? 0n) + Duration.days(90)]);
  });

  it('does not renew an expired preapproval, or a preapproval that it lacks the coin for', () => {
    const world = network();
    world.fund(provider, '1.644');
    host(world);
    propose(world);
    settle(world, accept);
    world.wait(89 * day);
    expect(settle(world, renew)).toEqual([]);
    world.fund(provider, '5');
    world.wait(day);
    expect(settle(world, renew)).toEqual([]);
  });
});
