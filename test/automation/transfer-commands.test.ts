import { sendTransferCommands } from '@coinlab/automation';
import { genesisConfig, type ProfileName } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, provider, worldOf, type World } from '../core/ledger-fixture.ts';
import { appCoupons, dsoRoutine, issuingRound, order, preapprove, settle } from './automation-fixture.ts';

const createCounters = dsoRoutine('create counters');
const policy = sendTransferCommands(provider);

function sent(world: World): readonly object[] {
  return policy(world.state, world.now).map(({ command }) => command);
}

describe('the inputs of an external party’s command', () => {
  it.each<ProfileName>(['feeless', 'feeless-24h'])('are empty when the nonce is spent: %s', (profile) => {
    const world = worldOf({ profile });
    world.fund(alice, '5');
    preapprove(world);
    order(world, 0);
    settle(world, createCounters);
    expect(settle(world, policy)).toEqual(['TransferCommandSent']);
    const command = order(world, 0);
    const late = { type: 'SendTransferCommand', command, inputs: [], preapproval: null };
    expect(sent(world)).toEqual([late]);
    world.fund(alice, '5');
    expect(sent(world)).toEqual([late]);
    expect(settle(world, policy)).toEqual(['TransferCommandFailed']);
    expect(world.coinsOf(alice)).toEqual(['5.0']);
  });

  it('are empty when the receiver has no preapproval', () => {
    const world = worldOf();
    world.fund(alice, '5');
    const command = order(world, 0);
    settle(world, createCounters);
    expect(sent(world)).toEqual([{ type: 'SendTransferCommand', command, inputs: [], preapproval: null }]);
  });

  it.each([
    [2, 2, 0],
    [3, 2, 1],
    [5, 2, 2],
  ])('are at most %i: %i coins, %i coupons', (maxNumInputs, coins, coupons) => {
    const transferConfigUsd = { ...genesisConfig('feeless').transferConfigUsd, maxNumInputs };
    const world = worldOf({ config: { transferConfigUsd } });
    const funded = world.fundEach(alice, ['4', '3']);
    const preapproval = preapprove(world);
    issuingRound(world, 7);
    const rewards = appCoupons(world, alice, 7, ['2', '1']);
    const command = order(world, 0);
    settle(world, createCounters);
    const inputs = [...funded.slice(0, coins), ...rewards.slice(0, coupons)];
    expect(sent(world)).toEqual([{ type: 'SendTransferCommand', command, inputs, preapproval }]);
    expect(settle(world, policy)).toEqual(['TransferCommandSent']);
  });
});
