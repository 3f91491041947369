import { allOf, contractsByKey, trackingOf, updateCreating } from '@coinlab/core/views';
import {
  formatCommand,
  replay,
  type Command,
  type ContractId,
  type Ledger,
  type LedgerState,
  type Offset,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { textHashOf } from '@coinlab/core/codec';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { TEMPLATES, type TrackingRecord } from '@coinlab/core/contracts';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, carol, dso, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const deadline = second(100);
const meta = { [TRACKING_ID_KEY]: 'id-1', reason: 'rent' };

function offerOf(inputs: readonly ContractId[], trackingId = 'id-1'): Extract<Command, { type: 'CreateOffer' }> {
  return {
    type: 'CreateOffer',
    sender: alice,
    receiver: bob,
    amount: amount('30'),
    executeBefore: deadline,
    inputs,
    meta: { [TRACKING_ID_KEY]: trackingId },
  };
}

function offered() {
  const world = worldOf();
  const { detail } = world.accepted('TransferOffered', offerOf([world.fund(alice, '100')]), alice);
  return { world, instruction: detail.instruction, change: detail.change as ContractId };
}

/** Status, failure, reason and contract of the tracking id, as a wallet sees it. */
function statusOf(world: World, wallet: PartyId) {
  const found = trackingOf(world.state, wallet, 'transfer', 'id-1');
  return (
    found && (({ status, failure, reason, contract }: TrackingRecord) => [status, failure, reason, contract])(found)
  );
}

/** The update that a wallet is shown as the transaction of the status. */
function transactionOf(world: World, wallet: PartyId): Update | null {
  const log = world.ledger.updates();
  const found = trackingOf(world.state, wallet, 'transfer', 'id-1');
  return found && updateCreating(found.id, world.state.offset, (offset) => log[offset - 1] as Update);
}

describe('a tracked two-step transfer', () => {
  it('is created, and visible to both sides', () => {
    const { world, instruction } = offered();
    expect(statusOf(world, alice)).toEqual(['created', null, null, instruction]);
    expect(statusOf(world, bob)).toEqual(['created', null, null, instruction]);
    expect(statusOf(world, dso)).toBeNull();
    expect(transactionOf(world, bob)).toEqual(world.ledger.updates(world.state.offset - 1)[0]);
  });

  it('is completed when it is accepted, with the receiver’s coin', () => {
    const { world, instruction } = offered();
    const accepted = world.submit({ type: 'AcceptOffer', instruction }, bob);
    expect(statusOf(world, alice)).toEqual(['completed', null, null, world.holdings(bob)[0]?.id]);
    expect(transactionOf(world, alice)).toEqual(accepted);
    world.submit({ type: 'MergeHoldings', owner: bob, inputs: [world.holdings(bob)[0]?.id as ContractId] }, bob);
    expect(statusOf(world, bob)?.[0]).toBe('completed');
  });

  it.each([
    ['RejectOffer', bob, 0, 'rejected', null],
    ['WithdrawOffer', alice, 0, 'withdrawn', 'Withdrawn by sender'],
    ['ExpireOffer', dso, 100, 'expired', null],
  ] as const)('has failed after the command %s', (type, actor, at, failure, reason) => {
    const { world, instruction } = offered();
    world.at(second(at)).submit({ type, instruction }, actor);
    expect(statusOf(world, bob)).toEqual(['failed', failure, reason, null]);
  });

  it('never frees its tracking id, whatever the outcome', () => {
    const { world, instruction, change } = offered();
    world.submit({ type: 'RejectOffer', instruction }, bob);
    expect(world.refused('DUPLICATE_TRACKING_ID', offerOf([change]), alice).trackingId).toBe('id-1');
    const wallet = { amount: amount('1'), unit: 'coin', description: '', expiresAt: deadline } as const;
    const offer: Command = { type: 'CreateWalletOffer', sender: alice, receiver: bob, trackingId: 'id-1', ...wallet };
    world.refused('DUPLICATE_TRACKING_ID', offer, alice);
    world.submit(offerOf([change], 'id-2'), alice);
  });

  it('can end without a tracking record, as in a log that another program wrote', () => {
    const { world, instruction } = offered();
    for (const { id } of allOf(world.state, 'TrackingRecord')) world.take(id);
    world.submit({ type: 'WithdrawOffer', instruction }, alice);
    expect([...allOf(world.state, 'TrackingRecord')]).toEqual([]);
  });

  it('is refused with a shortened id when the id is too long', () => {
    const world = worldOf();
    const { value } = world.refused('INVALID_ARGUMENT', offerOf([world.fund(alice, '100')], 'x'.repeat(280)), alice);
    expect(value.length).toBeLessThan(30);
  });

  it('has no tracking record when it has no id', () => {
    const world = worldOf();
    const { meta: _, ...untracked } = offerOf([world.fund(alice, '100')]) as Extract<Command, { type: 'CreateOffer' }>;
    const { created } = world.submit(untracked, alice);
    expect(created.filter(({ template }) => template === 'TrackingRecord')).toEqual([]);
  });

  precedence(
    { inputs: 'coin' as 'coin' | 'none', trackingId: 'fresh', amount: '30' },
    [
      ['NO_INPUTS', { inputs: 'none' }],
      ['INVALID_ARGUMENT', { trackingId: 'x'.repeat(280) }],
      ['DUPLICATE_TRACKING_ID', { trackingId: 'id-1' }],
      ['INSUFFICIENT_FUNDS', { amount: '1000' }],
    ],
    (code, { inputs, trackingId, amount: value }) => {
      const { world, change } = offered();
      const command = offerOf(inputs === 'coin' ? [change] : [], trackingId);
      world.refused(code, { ...command, amount: amount(value) } as Command, alice);
    },
  );
});

describe('a tracked transfer in one step', () => {
  it('to a receiver with a preapproval is complete at once', () => {
    const world = worldOf();
    world.put({
      template: 'TransferPreapproval',
      receiver: bob,
      provider: dso,
      validFrom: world.now,
      lastRenewedAt: world.now,
      expiresAt: deadline,
    });
    const inputs = [world.fund(alice, '100')];
    world.submit({ type: 'DirectTransfer', sender: alice, receiver: bob, amount: amount('1'), inputs, meta }, alice);
    const coin = world.holdings(bob)[0]?.id;
    for (const side of [alice, bob]) expect(statusOf(world, side)).toEqual(['completed', null, null, coin]);
  });

  it('to oneself is complete at once', () => {
    const world = worldOf();
    const inputs = [world.fund(alice, '100')];
    const self: Command = { type: 'SelfTransfer', sender: alice, amount: amount('1'), inputs, meta };
    world.submit(self, alice);
    const [coin, rest] = world.holdings(alice);
    expect(statusOf(world, alice)).toEqual(['completed', null, null, coin?.id]);
    world.refused('DUPLICATE_TRACKING_ID', { ...self, inputs: [rest?.id as ContractId] }, alice);
  });
});

describe('the update that created a contract', () => {
  it('is found in few steps for every contract of a log, and is null for every other id', () => {
    const { world, instruction } = offered();
    world.submit({ type: 'AcceptOffer', instruction }, bob);
    for (let i = 0; i < 20; i++) world.advanceRounds();
    for (const expiresAt of [second(100_000), second(100_001)]) {
      // An update that creates nothing lies between others.
      const wallet = { amount: amount('1'), unit: 'coin', description: '', expiresAt } as const;
      const trackingId = String(expiresAt);
      const create: Command = { type: 'CreateWalletOffer', sender: alice, receiver: bob, trackingId, ...wallet };
      world.submit(create, alice);
      const proposal = world.submit({ type: 'ProposePreapproval', receiver: bob, provider: alice }, bob).created[0]?.id;
      world.submit({ type: 'WithdrawPreapprovalProposal', proposal: proposal as ContractId }, bob);
    }
    const log = world.ledger.updates();
    expect(log.filter(({ created }) => created.length === 0)).toHaveLength(2);
    let reads = 0;
    const read = (offset: Offset): Update => {
      reads += 1;
      return log[offset - 1] as Update;
    };
    const head = world.state.offset;
    for (const update of log) {
      for (const { id } of update.created) {
        reads = 0;
        expect(updateCreating(id, head, read)).toBe(update);
        expect(reads).toBeLessThanOrEqual(10);
      }
    }
    expect(updateCreating(world.state.nextContract as ContractId, head, read)).toBeNull();
  });

  it('is null for a coin created and spent within one update', () => {
    const { world, instruction } = offered();
    const { created } = world.submit({ type: 'AcceptOffer', instruction }, bob);
    const log = world.ledger.updates();
    // The freed coin is spent by the same acceptance: its id is skipped.
    const freed = ((created[0]?.id ?? 0) - 1) as ContractId;
    expect(log.flatMap((update) => update.created).some(({ id }) => id === freed)).toBe(false);
    expect(updateCreating(freed, world.state.offset, (offset) => log[offset - 1] as Update)).toBeNull();
  });
});

describe('tracking records', () => {
  it('are equal after a replay of the log', () => {
    const { world, instruction } = offered();
    world.submit({ type: 'RejectOffer', instruction }, bob);
    const again = replay(world.ledger.updates());
    expect(again.hash()).toBe(world.ledger.hash());
    expect(trackingOf(again.state, alice, 'transfer', 'id-1')).toEqual(
      trackingOf(world.state, alice, 'transfer', 'id-1'),
    );
  });
});

describe('two tracking ids with one hash', () => {
  const keyOf = (trackingId: string): string => {
    const contract = { id: 1 as ContractId, template: 'TrackingRecord', status: 'created' } as const;
    const more = { subject: 'transfer', failure: null, reason: null, contract: null } as const;
    const keys = TEMPLATES.TrackingRecord.ownKeys?.({ ...contract, ...more, owner: alice, receiver: null, trackingId });
    return keys?.[0]?.join('') ?? '';
  };

  function alike(): readonly [string, string] {
    const known = new Map<number, string>();
    for (let i = 0; ; i += 7_919) {
      const trackingId = `${i}-id`;
      const hash = textHashOf(keyOf(trackingId));
      const other = known.get(hash);
      if (other !== undefined) return [other, trackingId];
      known.set(hash, trackingId);
    }
  }

  const tracked = (state: LedgerState, trackingId: string) =>
    trackingOf(state, alice, 'transfer', trackingId)?.trackingId;

  it('are told apart, in ledgers that created them in either order and after one has replaced its record', () => {
    const [first, second] = alike();
    const start = worldOf();
    const coins = [start.fund(alice, '100'), start.fund(alice, '100')] as const;
    const open = start.ledger;
    const offer = (ledger: Ledger, coin: ContractId, trackingId: string) =>
      ledger.submit(offerOf([coin], trackingId), { now: start.now, actAs: [alice] });
    const ledgerAfter = (ledger: Ledger, coin: ContractId, trackingId: string): Ledger => {
      const offered = offer(ledger, coin, trackingId);
      if (!offered.ok) throw new Error(offered.error.code);
      return offered.value.ledger;
    };
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const before = ledgerAfter(open, coins[0], one);
      expect([tracked(before.state, one), tracked(before.state, other)]).toEqual([one, undefined]);
      const both = ledgerAfter(before, coins[1], other);
      expect([tracked(both.state, one), tracked(both.state, other)]).toEqual([one, other]);
      for (const used of [one, other]) {
        const again = offer(both, coins[1], used);
        expect(again.ok ? null : again.error.code).toBe('DUPLICATE_TRACKING_ID');
      }
      const instruction = [...allOf(both.state, 'TransferInstruction')][0]?.id as ContractId;
      const ended = both.submit({ type: 'AcceptOffer', instruction }, { now: start.now, actAs: [bob] });
      if (!ended.ok) throw new Error(ended.error.code);
      const { state } = ended.value.ledger;
      const statuses = [one, other].map((id) => trackingOf(state, alice, 'transfer', id)?.status);
      expect(statuses).toEqual(['completed', 'created']);
      // The earlier version and its other continuation are unchanged.
      expect(tracked(before.state, other)).toBeUndefined();
      expect(tracked(ledgerAfter(open, coins[0], other).state, one)).toBeUndefined();
    }
  });

  it('are told apart when each is recorded in a version of its own, and one again after the other', () => {
    const [first, second_] = alike();
    const world = worldOf();
    world.accepted('TransferOffered', offerOf([world.fund(alice, '100')], first), alice);
    const [record] = [...allOf(world.state, 'TrackingRecord')];
    const other = world.fork();
    const { id, ...same } = record!; // of the offer
    world.take(id);
    world.put({ ...same, trackingId: second_ });
    other.take(id);
    world.put(same);
    other.put(same);
    expect([tracked(world.state, first), tracked(world.state, second_)]).toEqual([first, second_]);
    expect([tracked(other.state, first), tracked(other.state, second_)]).toEqual([first, undefined]);
  });
});

describe('an incoming tracking id and a change id with one hash', () => {
  const id = 1 as ContractId;

  const changeKey = (commandId: string): string => {
    const ids = { userId: 'user', actAs: [alice], commandId, submissionId: '', workflowId: '', offset: 1 };
    const record = { id, template: 'SubmittedCommand', ...ids, expiresAt: deadline } as const;
    return TEMPLATES.SubmittedCommand.ownKeys?.(record)[0]?.join('') ?? '';
  };

  const incomingKey = (trackingId: string): string => {
    const status = { status: 'created', failure: null, reason: null, contract: null } as const;
    const terms = { subject: 'transfer', owner: alice, receiver: bob, trackingId } as const;
    const record = { id, template: 'TrackingRecord', ...terms, ...status } as const;
    return TEMPLATES.TrackingRecord.ownKeys?.(record)[1]?.join('') ?? '';
  };

  function alike(): { readonly commandId: string; readonly trackingId: string } {
    const [commands, trackings] = [new Map<number, string>(), new Map<number, string>()];
    for (let i = 0; ; i += 7_919) {
      const own = `${i}-id`;
      const [ofChange, ofIncoming] = [textHashOf(changeKey(own)), textHashOf(incomingKey(own))];
      commands.set(ofChange, own);
      trackings.set(ofIncoming, own);
      const [trackingId, commandId] = [trackings.get(ofChange), commands.get(ofIncoming)];
      if (trackingId !== undefined) return { commandId: own, trackingId };
      if (commandId !== undefined) return { commandId, trackingId: own };
    }
  }

  const tapOnce = (commandId: string): Command => ({
    type: 'SubmitOnce',
    userId: 'user',
    actAs: [alice],
    commandId,
    submissionId: '',
    workflowId: '',
    deduplicateAfter: 0,
    command: formatCommand({ type: 'Tap', receiver: alice, amount: amount('1') }),
  });

  it('are told apart after the record of the change was dropped: all transfers with the tracking id are found', () => {
    const { commandId, trackingId } = alike();
    const world = worldOf();
    const offer = (sender: PartyId): void => {
      const own = { ...offerOf([world.fund(sender, '100')], trackingId), sender, executeBefore: second(26 * 3600) };
      world.accepted('TransferOffered', own, sender);
    };
    world.accepted('Tapped', tapOnce(commandId), alice);
    offer(alice);
    world.wait(25 * 3600);
    world.accepted('Tapped', tapOnce('later'), alice);
    expect([...allOf(world.state, 'SubmittedCommand')].map((record) => record.commandId)).toEqual(['later']);
    offer(carol);
    const incoming = contractsByKey(world.state, 'TrackingRecord', incomingKey(trackingId));
    expect([...incoming].map(({ owner }) => owner)).toEqual([alice, carol]);
  });

  it('are told apart when the record of a change takes the place of a transfer that is then recorded again', () => {
    const { commandId, trackingId } = alike();
    const world = worldOf();
    world.accepted('TransferOffered', offerOf([world.fund(alice, '100')], trackingId), alice);
    const [record] = [...allOf(world.state, 'TrackingRecord')];
    const { id: old, ...same } = record!; // of the offer
    world.take(old);
    world.accepted('Tapped', tapOnce(commandId), alice);
    world.put(same);
    const incoming = contractsByKey(world.state, 'TrackingRecord', incomingKey(trackingId));
    expect([...incoming].map(({ owner }) => owner)).toEqual([alice]);
    expect([...contractsByKey(world.state, 'SubmittedCommand', changeKey(commandId))]).toHaveLength(1);
  });
});
