import type { Command, ContractId } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, provider, second, worldOf, type World } from '../ledger-fixture.ts';

// Found by random commands: a two-step transfer minted a liveness record that was named among its coins.
describe('coupons as inputs of a transfer', () => {
  const named = (world: World): readonly ContractId[] => [
    world.fund(alice, '10'),
    world.put({
      template: 'UnclaimedActivityRecord',
      beneficiary: alice,
      amount: amount('5'),
      reason: '',
      expiresAt: second(3600),
    }),
  ];

  it.each(['SelfTransfer', 'CreateOffer', 'DirectTransfer'] as const)(
    'are refused in a %s, as in the registry',
    (type) => {
      const world = worldOf();
      const inputs = named(world);
      const paid = { expiresAt: second(86_400), inputs: [world.fund(provider, '10')] };
      world.submit({ type: 'CreatePreapproval', receiver: bob, provider, ...paid }, bob, provider);
      const terms = { sender: alice, amount: amount('1'), inputs };
      const command: Command =
        type === 'SelfTransfer'
          ? { type, ...terms }
          : type === 'CreateOffer'
            ? { type, ...terms, receiver: bob, executeBefore: second(600) }
            : { type, ...terms, receiver: bob };
      expect(world.refused('GROUP_MISMATCH', command, alice).contract).toBe(inputs[1]);
    },
  );

  it('are accepted in a merge, which mints them', () => {
    const world = worldOf();
    const merged = world.accepted(
      'HoldingsMerged',
      { type: 'MergeHoldings', owner: alice, inputs: named(world) },
      alice,
    );
    expect(merged.detail.amount).toBe(amount('15'));
    expect(merged.detail.minted).toBe(amount('5'));
    expect(world.state.minted).toBe(amount('15'));
  });
});
