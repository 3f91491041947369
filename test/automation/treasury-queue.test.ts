import { batchTask } from '@coinlab/automation';
import { Duration, type ContractId } from '@coinlab/core';
import type { BatchOperation } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, provider, second, worldOf, type World } from '../core/ledger-fixture.ts';

const nowhere = 999_999 as ContractId;

function batchOf(world: World, work: BatchOperation, validator = provider) {
  return batchTask(
    { operations: [{ kind: 'other', isAlone: false, work }] },
    { party: alice, validator },
    world.state,
    world.now,
  );
}

function topUp(topUpState: ContractId, tap?: boolean): BatchOperation {
  return {
    type: 'TopUpTraffic',
    topUpState,
    trafficBytes: 200_000,
    minTopupInterval: Duration.minutes(10),
    ...(tap === undefined ? {} : { tap }),
  };
}

describe('a queued operation', () => {
  const expiresAt = second(600);

  it.each<[BatchOperation['type'], (subject: ContractId) => BatchOperation]>([
    ['CompleteWalletOffer', (accepted) => ({ type: 'CompleteWalletOffer', accepted })],
    ['TopUpTraffic', (topUpState) => topUp(topUpState)],
    ['CompleteTrafficRequest', (request) => ({ type: 'CompleteTrafficRequest', request })],
    ['AcceptPreapprovalProposal', (proposal) => ({ type: 'AcceptPreapprovalProposal', proposal, expiresAt })],
    ['RenewPreapproval', (preapproval) => ({ type: 'RenewPreapproval', preapproval, newExpiresAt: expiresAt })],
    ['PayAnsSubscription', (subscription) => ({ type: 'PayAnsSubscription', subscription })],
    ['DirectTransfer', (preapproval) => ({ type: 'DirectTransfer', receiver: bob, amount: amount('1'), preapproval })],
  ])('is dropped once a contract that it names is archived: %s', (_, about) => {
    const world = worldOf();
    const subject = world.fund(bob, '1');
    const stays = batchOf(world, about(subject));
    expect(stays.vanished).toEqual([]);
    expect(stays.task?.command).toMatchObject({ type: 'ExecuteBatch', operations: [about(subject)] });
    const { task, vanished } = batchOf(world, about(nowhere));
    expect(task).toBeNull();
    expect(vanished.map(({ work }) => work)).toEqual([about(nowhere)]);
  });

  it('is kept when it pays a receiver by preapproval, which names no contract', () => {
    const { task, vanished } = batchOf(worldOf(), { type: 'DirectTransfer', receiver: bob, amount: amount('1') });
    expect(vanished).toEqual([]);
    expect(task).not.toBeNull();
  });

  it('leaves one input free when a top-up taps coin, and otherwise uses all inputs', () => {
    const world = worldOf();
    world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '1'),
    );
    const state = world.fund(bob, '1');
    const inputs = (tap?: boolean): unknown => batchOf(world, topUp(state, tap)).task?.command;
    expect(inputs(true)).toMatchObject({ inputs: { length: 99 } });
    expect(inputs(false)).toMatchObject({ inputs: { length: 100 } });
    expect(inputs()).toMatchObject({ inputs: { length: 100 } });
  });

  it('is submitted by the owner and the validator, each listed once', () => {
    const world = worldOf();
    expect(batchOf(world, { type: 'MergeHoldings' }).task?.actAs).toEqual([alice, provider]);
    expect(batchOf(world, { type: 'MergeHoldings' }, alice).task?.actAs).toEqual([alice]);
  });
});
