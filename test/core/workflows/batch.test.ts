import { archive, create } from '@coinlab/core/workflows';
import {
  Amount,
  brokenLaws,
  codec,
  contractsOf,
  Duration,
  find,
  Instant,
  LAWS,
  parseCommand,
  formatCommand,
  prepare,
  replay,
  type Command,
  type Contract,
  type ContractId,
  type ProfileName,
  type Update,
  type UpdateOf,
} from '@coinlab/core';
import { batchTask } from '@coinlab/automation';
import { countOfTemplate, trackingOf, forkState } from '@coinlab/core/views';
import { HistoryIndex } from '@coinlab/core/histories';
import { happeningsOf } from '@coinlab/core/codec';
import { participantOf } from '@coinlab/core/rules';
import type { BatchOperation, BatchResult } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { issuingRound, appCoupons } from '../../automation/automation-fixture.ts';
import { external } from '../external-keys.ts';
import { alice, amount, bob, carol, dso, provider, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type Batch = Extract<Command, { type: 'ExecuteBatch' }>;

const nowhere = 999_999 as ContractId;
const price = amount('0.15');

function batchOf(inputs: readonly ContractId[], operations: readonly BatchOperation[], change: Partial<Batch> = {}) {
  return { type: 'ExecuteBatch', owner: alice, validator: provider, inputs, operations, ...change } satisfies Batch;
}

function executed(world: World, inputs: readonly ContractId[], ...operations: readonly BatchOperation[]) {
  return world.accepted('BatchExecuted', batchOf(inputs, operations), alice, provider);
}

/** An offer of alice's wallet to bob that he has accepted. */
function accepted(world: World, value: string): BatchOperation & { type: 'CompleteWalletOffer' } {
  const { offer } = world.accepted(
    'WalletOfferCreated',
    {
      type: 'CreateWalletOffer',
      sender: alice,
      receiver: bob,
      amount: amount(value),
      unit: 'coin',
      description: '',
      expiresAt: second(500),
      trackingId: `of ${value}`,
    },
    alice,
  ).detail;
  const { detail } = world.accepted('WalletOfferAccepted', { type: 'AcceptWalletOffer', offer }, bob);
  return { type: 'CompleteWalletOffer', accepted: detail.accepted };
}

const tap = (value: string): BatchOperation => ({ type: 'Tap', amount: amount(value) });
const merge: BatchOperation = { type: 'MergeHoldings' };
const buy = (trafficBytes = 200_000): BatchOperation => ({
  type: 'BuyMemberTraffic',
  memberId: participantOf(alice),
  trafficBytes,
});

/** The outcome of each operation: the kind of update, the code, or `dropped`. */
function told({ detail }: UpdateOf<'BatchExecuted'>): readonly string[] {
  const tell = (result: BatchResult): string => {
    if (result.outcome === 'done') return result.happened.kind;
    return result.outcome === 'failed' ? result.code : result.outcome;
  };
  return detail.operations.map(tell);
}

function historyOf(world: World, party = alice) {
  const index = new HistoryIndex();
  const updates = world.ledger.updates();
  for (const update of updates) index.add(update);
  const page = index.page(party, { pageSize: 100 }, (offset) => updates[offset - 1] as Update);
  return page ?? [];
}

describe('a batch', () => {
  it('pays several receivers in one transaction, each payment from the change of the one before', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['60', '40']);
    const [first, other] = [accepted(world, '30'), accepted(world, '25')];
    const { offset } = world.state;
    const update = executed(world, coins, first, other);
    expect(world.state.offset).toBe(offset + 1);
    expect(told(update)).toEqual(['WalletOfferCompleted', 'WalletOfferCompleted']);
    expect(world.coinsOf(alice)).toEqual(['45.0']);
    expect(world.coinsOf(bob)).toEqual(['30.0', '25.0']);
    expect(update.archived).toEqual(expect.arrayContaining([...coins, first.accepted, other.accepted]));
    const change = happeningsOf(update)[1]?.archived.find((id) =>
      happeningsOf(update)[0]?.created.some((c) => c.id === id),
    );
    expect(change, 'the change of the first is spent by the second').toBeDefined();
    expect(update.created.map(({ id }) => id)).not.toContain(change);
    expect(update.detail).toMatchObject({ minted: 0n, burned: 0n, owner: alice, validator: provider });
    for (const trackingId of ['of 30', 'of 25'])
      expect(trackingOf(world.state, alice, 'transfer', trackingId)?.status).toBe('completed');
  });

  it('has the same effect as its operations one by one', () => {
    const one = worldOf({ amuletPrice: price });
    const coin = one.fund(alice, '100');
    const operations = [accepted(one, '30'), buy(), accepted(one, '25')];
    const apart = one.fork();
    executed(one, [coin], ...operations);
    let inputs: readonly ContractId[] = [coin];
    for (const operation of operations) {
      const alone =
        operation.type === 'CompleteWalletOffer'
          ? { ...operation, walletProvider: provider, inputs }
          : { ...(operation as BatchOperation & { type: 'BuyMemberTraffic' }), payer: alice, inputs };
      const { detail } = apart.submit(alone, alice, provider) as UpdateOf<'TrafficPurchased' | 'WalletOfferCompleted'>;
      inputs = detail.change === null ? [] : [detail.change];
    }
    expect(one.ledger.hash()).toBe(apart.ledger.hash());
  });

  it.each<ProfileName>(['legacy-fees', 'feeless'])(
    'reports a failed operation and commits the others, in the profile %s',
    (profile) => {
      const world = worldOf({ profile });
      const coin = world.fund(alice, '100');
      const operations = [accepted(world, '30'), accepted(world, '1000'), accepted(world, '20')];
      const update = executed(world, [coin], ...operations);
      expect(told(update)).toEqual(['WalletOfferCompleted', 'INSUFFICIENT_FUNDS', 'WalletOfferCompleted']);
      expect(update.detail.operations[1]).toMatchObject({
        operation: 'CompleteWalletOffer',
        reason: expect.stringMatching(/^out of funds \(missing /),
      });
      expect(world.coinsOf(bob)).toEqual(['30.0', '20.0']);
      expect(trackingOf(world.state, alice, 'transfer', 'of 1000')?.status).toBe('accepted');
    },
  );

  it('is refused as a whole when one operation fails, in feeless-24h', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const coin = world.fund(alice, '100');
    const [first, dear] = [accepted(world, '30'), accepted(world, '1000')];
    const command = batchOf([coin], [first, dear, { type: 'CompleteWalletOffer', accepted: nowhere }]);
    const { missing } = world.refused('INSUFFICIENT_FUNDS', command, alice, provider);
    expect(missing).toBe(amount('930'));
    expect(world.coinsOf(bob)).toEqual([]);
    expect(told(executed(world, [coin], first))).toEqual(['WalletOfferCompleted']);
  });

  it('commits without archiving or creating a contract when every operation fails', () => {
    const world = worldOf();
    const coin = world.fund(alice, '1');
    const before = world.ledger.hash();
    const update = executed(world, [coin], accepted(world, '30'), { type: 'CompleteWalletOffer', accepted: nowhere });
    expect(told(update)).toEqual(['INSUFFICIENT_FUNDS', 'CONTRACT_NOT_FOUND']);
    expect(update).toMatchObject({ archived: [], created: [], detail: { minted: 0n, burned: 0n } });
    expect(world.coinsOf(alice)).toEqual(['1.0']);
    expect(world.ledger.hash()).not.toBe(before);
  });

  it('puts tapped coin in front of the inputs', () => {
    const world = worldOf();
    const coin = world.fund(alice, '10');
    const update = executed(world, [coin], tap('50'), accepted(world, '55'));
    expect(told(update)).toEqual(['Tapped', 'WalletOfferCompleted']);
    const [tapped, paid] = happeningsOf(update) as [UpdateOf<'Tapped'>, UpdateOf<'WalletOfferCompleted'>];
    expect(paid.archived.filter((id) => [coin, tapped.detail.holding].includes(id))).toEqual([
      tapped.detail.holding,
      coin,
    ]);
    expect(update.detail).toMatchObject({ minted: amount('50'), burned: 0n });
    expect(update.archived).not.toContain(tapped.detail.holding);
    expect(world.coinsOf(alice)).toEqual(['5.0']);
  });

  it('executes a single merge, and drops a merge next to other operations', () => {
    const world = worldOf();
    const coins = world.fundEach(alice, ['1', '2']);
    expect(told(executed(world, coins, merge))).toEqual(['HoldingsMerged']);
    expect(world.coinsOf(alice)).toEqual(['3.0']);
    const more = [...world.holdings(alice).map(({ id }) => id), world.fund(alice, '4')];
    expect(told(executed(world, more, merge, accepted(world, '2')))).toEqual(['dropped', 'WalletOfferCompleted']);
    expect(world.coinsOf(alice)).toEqual(['5.0']);
  });

  it('accepts ten operations and refuses eleven', () => {
    const world = worldOf();
    const taps = Array.from({ length: 11 }, () => tap('1'));
    world.refused('INVALID_ARGUMENT', batchOf([], taps), alice, provider);
    expect(told(executed(world, [], ...taps.slice(1)))).toHaveLength(10);
    expect(world.holdings(alice)).toHaveLength(10);
  });

  it('mints coupons with its first operation that can mint; a preapproved send cannot mint', () => {
    const world = worldOf();
    world.submit(
      {
        type: 'CreatePreapproval',
        receiver: bob,
        provider: bob,
        expiresAt: second(500_000),
        inputs: [world.fund(bob, '100')],
      },
      bob,
    );
    issuingRound(world, 0);
    const inputs = [world.fund(alice, '10'), ...appCoupons(world, alice, 0, ['5'])];
    const send: BatchOperation = { type: 'DirectTransfer', receiver: bob, amount: amount('4') };
    const update = executed(world, inputs, send, accepted(world, '1'));
    expect(told(update)).toEqual(['TransferCompleted', 'WalletOfferCompleted']);
    expect(update.detail.minted).toBe(amount('10'));
    expect(world.coinsOf(alice)).toEqual(['15.0']);
  });

  it.each(['UnclaimedActivityRecord', 'DevelopmentFundCoupon'] as const)(
    'mints a grant with its first operation that can mint; a preapproved send cannot mint (%s)',
    (template) => {
      const world = worldOf();
      const until = second(86_400);
      const payment = { receiver: bob, provider: carol, expiresAt: until, inputs: [world.fund(carol, '500')] };
      world.submit({ type: 'CreatePreapproval', ...payment }, bob, carol);
      const terms = { beneficiary: alice, amount: amount('5'), reason: 'rent', expiresAt: until };
      const grant =
        template === 'UnclaimedActivityRecord'
          ? world.put({ template, ...terms })
          : world.put({ template, ...terms, fundManager: carol });
      const send: BatchOperation = { type: 'DirectTransfer', receiver: bob, amount: amount('3') };
      const update = executed(world, [world.fund(alice, '10'), grant], send, accepted(world, '1'));
      expect(told(update)).toEqual(['TransferCompleted', 'WalletOfferCompleted']);
      expect(update.detail.minted).toBe(amount('5'));
      expect(world.coinsOf(alice)).toEqual(['11.0']);
    },
  );

  it('passes the inputs unchanged to the next operation when one operation burns nothing', () => {
    const world = worldOf({ config: { transferPreapprovalFeeUsd: Amount.zero } });
    const coin = world.fund(alice, '10');
    const proposal: BatchOperation = {
      type: 'CreateExternalPartySetupProposal',
      user: carol,
      preapprovalExpiresAt: second(500_000),
    };
    const update = executed(world, [coin], proposal, accepted(world, '3'));
    expect(told(update)).toEqual(['ExternalPartySetupProposed', 'WalletOfferCompleted']);
    expect(world.coinsOf(alice)).toEqual(['7.0']);
  });

  it('supports every operation of a wallet', () => {
    const world = worldOf({ amuletPrice: price, isDevNet: true });
    world.submit(
      { type: 'BootstrapDso', svs: [{ party: carol, name: 'SV', rewardWeight: 1, participantId: 'PAR::sv' }] },
      dso,
    );
    const memberId = participantOf(alice);
    const { topUpState } = world.accepted(
      'TopUpStateCreated',
      { type: 'CreateTopUpState', validator: alice, memberId },
      alice,
    ).detail;
    const { request } = world.accepted(
      'TrafficRequestCreated',
      {
        type: 'CreateTrafficRequest',
        endUser: alice,
        memberId,
        trafficBytes: 200_000,
        trackingId: 't',
        expiresAt: second(500),
      },
      alice,
    ).detail;
    const { proposal } = world.accepted(
      'PreapprovalProposed',
      { type: 'ProposePreapproval', receiver: bob, provider: alice },
      bob,
    ).detail;
    const { preapproval } = world.accepted(
      'PreapprovalCreated',
      {
        type: 'CreatePreapproval',
        receiver: carol,
        provider: alice,
        expiresAt: second(9000),
        inputs: [world.fund(alice, '1')],
      },
      alice,
      carol,
    ).detail;
    const { reference: subscription } = world.accepted(
      'AnsEntryRequested',
      { type: 'RequestAnsEntry', user: alice, name: 'alice.test', url: 'https://example.org', description: 'me' },
      alice,
    ).detail;
    const update = executed(
      world,
      world.fundEach(alice, ['1000', '1000']),
      buy(),
      { type: 'TopUpTraffic', topUpState, trafficBytes: 200_000, minTopupInterval: Duration.seconds(60), tap: true },
      { type: 'CompleteTrafficRequest', request },
      { type: 'CreateExternalPartySetupProposal', user: carol, preapprovalExpiresAt: second(500_000) },
      { type: 'AcceptPreapprovalProposal', proposal, expiresAt: second(500_000) },
      { type: 'RenewPreapproval', preapproval, newExpiresAt: second(500_000) },
      { type: 'DirectTransfer', receiver: carol, amount: amount('7') },
      { type: 'PayAnsSubscription', subscription },
    );
    expect(told(update)).toEqual([
      'TrafficPurchased',
      'TrafficToppedUp',
      'TrafficRequestCompleted',
      'ExternalPartySetupProposed',
      'PreapprovalCreated',
      'PreapprovalRenewed',
      'TransferCompleted',
      'AnsPaymentMade',
    ]);
    expect(countOfTemplate(world.state, 'MemberTraffic')).toBe(3);
    expect([...contractsOf(world.state, 'TransferPreapproval', alice)]).toHaveLength(2);
    expect(world.coinsOf(carol)).toEqual(['7.0']);
    expect(world.holdings(alice), 'what paid the first preapproval left one coin, the batch another').toHaveLength(2);
  });

  it('is refused when it would mint more than 38 digits in total', () => {
    const world = worldOf();
    const most: BatchOperation = { type: 'Tap', amount: Amount.max };
    const update = executed(world, [], most, most);
    expect(told(update)).toEqual(['Tapped', 'INVALID_DECIMAL']);
    expect(world.holdings(alice)).toHaveLength(1);
  });

  it('appears in histories as its single operations, with a notice of each failed payment', () => {
    const world = worldOf();
    const coin = world.fund(alice, '100');
    executed(world, [coin], accepted(world, '30'), accepted(world, '1000'), tap('1'));
    const items = historyOf(world);
    expect(items.map(({ type }) => type)).toEqual(['notification', 'balance_change', 'transfer', 'balance_change']);
    expect(items[0]).toMatchObject({
      subtype: { choice: 'WalletAppInstall_ExecuteBatch', amuletOperation: 'CO_CompleteAcceptedTransfer' },
      details: 'ITR_InsufficientFunds: out of funds (missing 930.0 CC)',
    });
    expect(items[2]).toMatchObject({ sender: { party: alice, amount: amount('-30') }, receivers: [{ party: bob }] });
    expect(historyOf(world, bob)).toHaveLength(1);
    expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(items.length);
  });

  it('satisfies all ledger laws, and its log reads and replays to the same state', () => {
    const world = worldOf({ amuletPrice: price });
    const coin = world.fund(alice, '100');
    executed(world, [coin], tap('3'), accepted(world, '30'), merge, accepted(world, '1000'), buy());
    const lines = world.ledger.updates().map((update) => codec.encode(update));
    const read = lines
      .map((line, i) => codec.decode(line, i + 1))
      .map((update) => {
        if (!update.ok) throw new Error(update.error.reason);
        return update.value;
      });
    expect(replay(read, LAWS).hash()).toBe(world.ledger.hash());
  });

  it('is written as JSON with its operations', () => {
    const command = batchOf(
      [1 as ContractId],
      [tap('1'), merge, buy(), { type: 'PayAnsSubscription', subscription: nowhere }],
    );
    expect(parseCommand(formatCommand(command))).toEqual({ ok: true, value: command });
    const json = { ...(formatCommand(command) as object), operations: [{ type: 'Tap', amount: '1', receiver: alice }] };
    expect(parseCommand(json)).toMatchObject({ ok: false, error: [{ field: 'operations[0].receiver' }] });
  });
});

describe('the command ExecuteBatch', () => {
  const world = worldOf({ profile: 'feeless-24h' });
  const coin = world.fund(alice, '100');
  const good = {
    operations: [accepted(world, '30')] as readonly BatchOperation[],
    actAs: [alice, provider],
    inputs: [coin],
  };
  const dave = external(world, 'dave');

  precedence(
    good,
    [
      ['NOT_AUTHORISED', { actAs: [provider] }, 'the owner does not act'],
      ['NOT_AUTHORISED', { actAs: [alice] }, 'the validator does not act'],
      ['INVALID_ARGUMENT', { operations: [] }, 'nothing to do'],
      ['INVALID_ARGUMENT', { operations: Array.from({ length: 11 }, () => tap('0')) }, 'more than ten'],
      ['INVALID_ARGUMENT', { operations: [merge, merge, tap('0')] }, 'two merges'],
      ['DUPLICATE_INPUT', { inputs: [coin, coin] }],
      [
        'NON_POSITIVE_AMOUNT',
        { operations: [tap('0'), { type: 'CompleteWalletOffer', accepted: nowhere }] },
        'the first',
      ],
      [
        'CONTRACT_NOT_FOUND',
        { operations: [{ type: 'CompleteWalletOffer', accepted: nowhere }, tap('0')] },
        'the first',
      ],
    ],
    (code, { inputs, operations, actAs }) => world.refused(code, batchOf(inputs, operations), ...actAs),
  );

  it('is refused with INVALID_ARGUMENT when it is prepared for an external party', () => {
    const { party } = dave;
    const command = batchOf([], [tap('1')], { owner: party, validator: party });
    expect(prepare({ party, command, now: world.now }, world.state)).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGUMENT', field: 'owner' },
    });
    world.refused('NOT_AUTHORISED', command, party);
  });
});

describe('the laws of a batch', () => {
  function step() {
    const world = worldOf();
    const coin = world.fund(alice, '100');
    const operations = [accepted(world, '30'), accepted(world, '20')];
    const before = world.state;
    const update = executed(world, [coin], ...operations);
    return { before, update, after: world.state };
  }

  it('check each of its operations', () => {
    const { before, update, after } = step();
    expect(brokenLaws(LAWS, { before, update, after })).toEqual([]);
    const stranger = { ...update, actAs: [bob, provider] };
    const names = brokenLaws(LAWS, { before, update: stranger, after }).map(({ name }) => name);
    expect(names).toContain('the controllers of every choice act');
  });

  it('are broken by an effect outside its operations', () => {
    const { before, update } = step();
    const id = ((update.created.at(-1)?.id ?? 0) + 1) as ContractId;
    const gift = { ...update.created.find(({ template }) => template === 'Holding'), id } as Contract & {
      amount: Amount;
    };
    const more: Update = {
      ...update,
      created: [...update.created, gift],
      detail: { ...update.detail, minted: gift.amount },
    };
    const after = forkState(before);
    for (const gone of more.archived) archive(after, gone, () => '');
    for (const made of more.created) create(after, made, () => '');
    const next = { ...after, minted: (before.minted + gift.amount) as Amount };
    const names = brokenLaws(LAWS, { before, update: more, after: next }).map(({ name }) => name);
    expect(names).toContain('coin is minted by taps and coupons only');
    expect(names).toContain('the signatories of a created contract have agreed to it');
  });
});

describe('the queue of a wallet', () => {
  const wallet = { party: alice, validator: provider };
  const operation = (work: BatchOperation) => ({ kind: 'other', isAlone: false, work }) as const;

  it('becomes one transaction with the wallet’s coins, without operations on archived contracts', () => {
    const world = worldOf();
    world.fundEach(alice, ['1', '50']);
    const [pays, gone] = [accepted(world, '30'), operation({ type: 'CompleteWalletOffer', accepted: nowhere })];
    const { task, vanished } = batchTask(
      { operations: [operation(pays), gone, operation(tap('2'))] },
      wallet,
      world.state,
      world.now,
    );
    expect(vanished).toEqual([gone]);
    if (!task) throw new Error('there is something to do');
    expect(task.actAs).toEqual([alice, provider]);
    const update = world.accepted('BatchExecuted', task.command, ...task.actAs);
    expect(told(update)).toEqual(['WalletOfferCompleted', 'Tapped']);
    expect(world.coinsOf(alice)).toEqual(['21.0', '2.0']);
  });

  it('takes fewer inputs for a batch with taps, because tapped coins take their places', () => {
    const world = worldOf();
    world.fundEach(
      alice,
      Array.from({ length: 101 }, () => '1'),
    );
    const inputsOf = (...operations: readonly BatchOperation[]): number => {
      const { task } = batchTask({ operations: operations.map(operation) }, wallet, world.state, world.now);
      if (!task) throw new Error('there is something to do');
      return (task.command as Batch).inputs.length;
    };
    expect(inputsOf(merge)).toBe(100);
    expect(inputsOf(tap('1'), tap('1'), buy())).toBe(98);
  });

  it('becomes null when the contract of every operation is archived', () => {
    const world = worldOf();
    const gone = operation({
      type: 'RenewPreapproval',
      preapproval: nowhere,
      newExpiresAt: Instant.plus(world.now, Duration.hours(1)),
    });
    expect(batchTask({ operations: [gone] }, wallet, world.state, world.now)).toEqual({ task: null, vanished: [gone] });
    expect(find(world.state, 'TransferPreapproval', nowhere)).toBeNull();
  });
});
