import { balanceOf, ContractId, find } from '@coinlab/core';
import { CHOICES, CREATIONS } from '@coinlab/http';
import { describe, expect, it } from 'vitest';
import { delegatedMerges, executed, mergeCall, offered, onMerge, preapproved, RUNS } from './ledger-choice-runs.ts';
import { ledgerServer, type Exercise, type LedgerServer } from './ledger-commands-fixture.ts';

type MergeCall = Required<Pick<Exercise, 'disclosedContracts'>> & { readonly choiceArg: object };

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

describe('a transfer instruction', () => {
  it.each([
    ['Reject', 'bob'],
    ['Withdraw', 'alice'],
  ] as const)('needs no context of the registry for %s, by %s', async (step, user) => {
    const ledger = await ledgerServer();
    await offered(ledger, 'alice', 'bob');
    const choiceArgument = { extraArgs: { context: { values: {} }, meta: { values: {} } } };
    const { kind } = ledger.updateOf(await ledger.exercise(user, { ...(await ledger.stepOf(step)), choiceArgument }));
    expect(kind).toBe(`Transfer${step === 'Reject' ? 'Rejected' : 'Withdrawn'}`);
  });
});

/** The exercises of an update that merges alice's coins by delegation, as alice sees them. */
async function mergeOf(ledger: LedgerServer, { choiceArg, disclosedContracts }: MergeCall): Promise<readonly any[]> {
  const merge = { ...onMerge(ledger, 'MergeDelegation', 'Merge'), choiceArgument: choiceArg, disclosedContracts };
  const { offset } = ledger.updateOf(await ledger.exercise('ledger-api-user', merge));
  const eventFormat = { filtersByParty: { [ledger.partyOf('alice')]: {} }, verbose: true };
  const transactionFormat = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' };
  const path = '/v2/updates/transaction-by-offset';
  const { body } = await ledger.wallets.post('alice', path, { offset, transactionFormat });
  return body.transaction.events
    .flatMap(({ ExercisedEvent }: any) => ExercisedEvent ?? [])
    .filter(({ consuming }: any) => !consuming);
}

describe('a delegated merge in an update', () => {
  it('contains its transfer, and an argument without absent optional fields', async () => {
    const ledger = await ledgerServer();
    await delegatedMerges(ledger, 'alice');
    const exercised = await mergeOf(ledger, await mergeCall(ledger, 'alice'));
    expect(exercised.map(({ choice }) => choice)).toEqual(['MergeDelegation_Merge', 'TransferFactory_Transfer']);
    expect(Object.keys(exercised[0].choiceArgument)).toEqual(['optMergeTransfer']);
  });

  it('contains no merge if it only has an extra transfer', async () => {
    const ledger = await ledgerServer();
    await delegatedMerges(ledger, 'alice');
    await preapproved(ledger, 'alice');
    await ledger.fund('ledger-api-user', '5');
    const extra = await ledger.transferOf('ledger-api-user', 'alice', '1');
    const { contractId, choiceArgument, disclosedContracts = [] } = extra;
    const choiceArg = { optExtraTransfer: { factoryCid: contractId, choiceArg: choiceArgument } };
    const exercised = await mergeOf(ledger, { choiceArg, disclosedContracts });
    expect(exercised.map(({ choice }) => choice)).toEqual(['MergeDelegation_Merge']);
  });
});

it.each([
  ['alice', 'DelegatedHoldingsMerged'],
  ['alice', 'TransferOffered'],
  ['dave', 'TrafficPurchased'],
] as const)('the contracts of %s after %s have the node ids of their updates', async (user, name) => {
  const ledger = await ledgerServer();
  await Object.values(RUNS).find(([kind]) => kind === name)?.[1](ledger, user);
  const eventFormat = { filtersByParty: { [ledger.partyOf(user)]: {} }, verbose: true };
  const ask = { activeAtOffset: ledger.server.state.offset, eventFormat };
  const active = await ledger.wallets.post(user, '/v2/state/active-contracts', ask);
  expect(active.body.length).toBeGreaterThan(0);
  for (const { contractEntry } of active.body) {
    const { contractId, nodeId, offset } = contractEntry.JsActiveContract.createdEvent;
    const transactionFormat = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' };
    const path = '/v2/updates/transaction-by-offset';
    const { transaction } = (await ledger.wallets.post(user, path, { offset, transactionFormat })).body;
    const created = transaction.events.flatMap(({ CreatedEvent }: any) => CreatedEvent ?? []);
    expect(created).toContainEqual(expect.objectContaining({ contractId, nodeId }));
  }
});
