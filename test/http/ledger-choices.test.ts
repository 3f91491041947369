import { balanceOf, ContractId, find } from '@coinlab/core';
import { CHOICES, CREATIONS } from '@coinlab/http';
import { describe, expect, it } from 'vitest';
import { executed, preapproved, RUNS } from './ledger-choice-runs.ts';
import { ledgerServer } from './ledger-commands-fixture.ts';

describe('a choice with the context that the registry returned', () => {
  describe.each(['alice', 'dave'] as const)('takes effect for %s:', (user) => {
    it.each(Object.entries(RUNS).map(([name, [kind, run]]) => [name, kind, run] as const))(
      'the choice %s causes an update of the kind %s',
      async (_, kind, run) => {
        expect(await run(await ledgerServer(), user)).toBe(kind);
      },
    );
  });

  it('has a test for every choice and create command of the table', () => {
    /** Choices that need two acting parties, or the DSO; their commands are tested in the core. */
    const joint = ['AmuletRules_Mint', 'AmuletRules_CreateTransferPreapproval'];
    const all = [
      ...CHOICES.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...CREATIONS.map(({ on }) => `create ${on.split(':').at(-1)}`),
    ];
    expect(all.filter((name) => !executed.has(name) && !joint.includes(name))).toEqual([]);
  });
});

describe('a transfer in the JSON dialect of the ledger API', () => {
  it('accepts numbers for decimals, absent optional fields and metadata, and a package id before the module', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '10');
    const transfer = await ledger.transferOf('alice', 'bob', 2.5);
    const templateId = transfer.templateId.replace(/^#[^:]+/, 'a'.repeat(64));
    const argument = transfer.choiceArgument as { transfer: object; extraArgs: { context: object } };
    const change = { meta: {}, amount: 2.5 };
    const choiceArgument = {
      ...argument,
      transfer: { ...argument.transfer, ...change },
      extraArgs: { ...argument.extraArgs, meta: {} },
    };
    ledger.updateOf(await ledger.exercise('alice', { ...transfer, templateId, choiceArgument }));
    expect(ledger.one('TransferInstruction').transfer.amount).toBe(25_000_000_000n);
    expect(balanceOf(ledger.server.state, ledger.partyOf('alice')).unlocked).toBe(75_000_000_000n);
  });

  it('remains an offer when the receiver creates a preapproval after the context was read', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '10');
    const transfer = await ledger.transferOf('alice', 'bob', '1');
    // The context of an offer makes an offer, although the receiver has a preapproval by now.
    await preapproved(ledger, 'bob');
    expect(ledger.updateOf(await ledger.exercise('alice', transfer)).kind).toBe('TransferOffered');
    expect(find(ledger.server.state, 'TransferInstruction', ContractId.of(1))).toBeNull();
  });
});
