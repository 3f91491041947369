import {
  Amount,
  find,
  genesisConfig,
  type Command,
  type ContractId,
  type LedgerOptions,
  type PartyId,
  type RejectionCode,
} from '@coinlab/core';
import { firstByKey, transferCommandStatuses } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import {
  alice as sender,
  amount,
  bob as receiver,
  carol,
  dso,
  provider as delegate,
  second,
  tickOf,
  worldOf,
  type World,
} from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

type Create = Extract<Command, { type: 'CreateTransferCommand' }>;
type Send = Extract<Command, { type: 'SendTransferCommand' }>;

const nowhere = 999_999 as ContractId;
const expiresAt = second(3600);
const profiles = ['legacy-fees', 'feeless', 'feeless-24h'] as const;

function ordered(world: World, change: Partial<Create> = {}): ContractId {
  const create: Create = {
    type: 'CreateTransferCommand',
    sender,
    receiver,
    delegate,
    amount: amount('10'),
    expiresAt,
    nonce: 0,
    ...change,
  };
  return world.accepted('TransferCommandCreated', create, create.sender).detail.command;
}

function counting(world: World, of: PartyId = sender): ContractId {
  const create: Command = { type: 'CreateTransferCommandCounter', sender: of };
  return world.accepted('TransferCommandCounterCreated', create, dso).detail.counter;
}

function preapproved(world: World, of: PartyId = receiver, until = second(86_400)): ContractId {
  const inputs = [world.fund(carol, '500')];
  const create: Command = { type: 'CreatePreapproval', receiver: of, provider: carol, expiresAt: until, inputs };
  return world.accepted('PreapprovalCreated', create, of, carol).detail.preapproval;
}

const send = (command: ContractId, inputs: readonly ContractId[], preapproval: ContractId | null): Send => ({
  type: 'SendTransferCommand',
  command,
  inputs,
  preapproval,
});

function nextNonce(world: World): number | undefined {
  return firstByKey(world.state, 'TransferCommandCounter', `sender:${sender}`)?.nextNonce;
}

/** A world with a counter, a preapproval of the receiver, an order over 10 and coins of the sender. */
function ready(options: LedgerOptions = {}, coins: readonly string[] = ['8', '7']) {
  const world = worldOf(options);
  counting(world);
  const preapproval = preapproved(world);
  const inputs = world.fundEach(sender, coins);
  return { world, preapproval, inputs, command: ordered(world) };
}

describe('the counter of a sender', () => {
  it('is created by the DSO, once, and starts at nonce 0', () => {
    const world = worldOf();
    const create: Command = { type: 'CreateTransferCommandCounter', sender };
    expect(world.refused('NOT_AUTHORISED', create, sender).required).toBe(dso);
    const { detail, created } = world.accepted('TransferCommandCounterCreated', create, dso);
    expect(created).toEqual([{ id: detail.counter, template: 'TransferCommandCounter', sender, nextNonce: 0 }]);
    expect(world.refused('ALREADY_EXISTS', create, dso).contract).toBe(detail.counter);
  });
});

describe('a transfer command', () => {
  it('is created without a check of balance, nonce or amount', () => {
    const world = worldOf();
    const { command } = world.accepted(
      'TransferCommandCreated',
      {
        type: 'CreateTransferCommand',
        sender,
        receiver,
        delegate,
        amount: amount('-3'),
        expiresAt,
        nonce: 17,
        description: 'rent',
        expectedDso: dso,
      },
      sender,
    ).detail;
    expect(find(world.state, 'TransferCommand', command)).toEqual({
      id: command,
      template: 'TransferCommand',
      sender,
      receiver,
      delegate,
      amount: amount('-3'),
      expiresAt,
      nonce: 17,
      description: 'rent',
    });
  });

  it('is refused with an amount above 38 digits, which the log could not read', () => {
    const order = { type: 'CreateTransferCommand', sender, receiver, delegate, expiresAt, nonce: 0 } as const;
    worldOf().accepted('TransferCommandCreated', { ...order, amount: Amount.max }, sender);
    worldOf().refused('INVALID_DECIMAL', { ...order, amount: (Amount.max + 1n) as Amount }, sender);
  });

  describe('the checks of a new transfer command', () => {
    const world = worldOf();
    interface Plan {
      actAs: readonly PartyId[];
      expectedDso: PartyId;
      expiresAt: typeof expiresAt;
    }
    precedence<Plan>(
      { actAs: [sender], expectedDso: dso, expiresAt },
      [
        ['NOT_AUTHORISED', { actAs: [delegate, receiver, dso] }],
        ['DSO_MISMATCH', { expectedDso: carol }],
        ['DEADLINE_PASSED', { expiresAt: second(0) }],
      ],
      (code: RejectionCode, { actAs, ...plan }: Plan) =>
        void world.refused(
          code,
          { type: 'CreateTransferCommand', sender, receiver, delegate, amount: amount('1'), nonce: 0, ...plan },
          ...actAs,
        ),
    );
  });

  it('can be withdrawn by its sender, before and after it has expired', () => {
    for (const at of [second(0), expiresAt]) {
      const world = worldOf();
      const command = ordered(world);
      const withdraw: Command = { type: 'WithdrawTransferCommand', command };
      world.at(at);
      expect(world.refused('NOT_AUTHORISED', withdraw, delegate, dso).required).toBe(sender);
      expect(world.accepted('TransferCommandWithdrawn', withdraw, sender).archived).toEqual([command]);
      world.refused('CONTRACT_NOT_FOUND', withdraw, sender);
    }
  });

  it.each([
    ['delegate', delegate],
    ['sender', sender],
    ['DSO', dso],
  ])('can be expired by its %s once it has expired, and not before', (_, actor) => {
    const world = worldOf();
    const command = ordered(world);
    const expire: Command = { type: 'ExpireTransferCommand', command };
    world.at(tickOf(expiresAt, -1)).refused('DEADLINE_NOT_REACHED', expire, actor);
    world.refused('NOT_AUTHORISED', expire, receiver);
    expect(world.at(expiresAt).accepted('TransferCommandExpired', expire, actor).archived).toEqual([command]);
    world.refused('CONTRACT_NOT_FOUND', expire, actor);
  });
});

describe.each(profiles)('executing a transfer command (%s)', (profile) => {
  const options = { profile, amuletPrice: amount('1') };

  it('pays the receiver, and spends the nonce', () => {
    const { world, preapproval, inputs, command } = ready(options, ['8', '7']);
    const { detail, archived } = world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    expect(archived).toEqual(expect.arrayContaining([command, ...inputs]));
    expect(detail).toMatchObject({ command, sender, receiver, delegate, nonce: 0, amount: amount('10'), preapproval });
    expect(world.coinsOf(receiver)).toEqual(['10.0']);
    // The sender pays every fee: the legacy profile's 0.03 + 0.1 of the output and 0.03 of the change.
    expect(world.coinsOf(sender)).toEqual([profile === 'legacy-fees' ? '4.84' : '5.0']);
    expect(nextNonce(world)).toBe(1);
    world.refused('CONTRACT_NOT_FOUND', send(command, [], preapproval), delegate);
  });

  it('ends the transfer command and changes nothing else when its nonce is below the counter', () => {
    const { world, preapproval, inputs, command } = ready(options, ['20']);
    const second = ordered(world);
    world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    const rest = world.holdings(sender).map(({ id }) => id);
    const { detail, archived } = world.accepted('TransferCommandFailed', send(second, rest, preapproval), delegate);
    expect(detail).toMatchObject({ reason: 'NONCE_TOO_LOW', spendsNonce: false, inputs: 0, merged: null });
    expect(archived).toEqual([second]);
    expect(nextNonce(world)).toBe(1);
  });

  it('is refused when its nonce is above the counter, and the transfer command stays', () => {
    const { world, preapproval, inputs, command } = ready(options, ['20']);
    const later = ordered(world, { nonce: 1, amount: amount('1') });
    const refused = world.refused('NONCE_TOO_HIGH', send(later, inputs, preapproval), delegate);
    expect(refused).toMatchObject({ nonce: 1, nextNonce: 0 });
    world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    const rest = world.holdings(sender).map(({ id }) => id);
    world.accepted('TransferCommandSent', send(later, rest, preapproval), delegate);
    expect(nextNonce(world)).toBe(2);
  });

  it('fails when the receiver has no preapproval, spends the nonce, and keeps the coins', () => {
    const { world, inputs, command } = ready(options);
    const { detail } = world.accepted('TransferCommandFailed', send(command, inputs, null), delegate);
    expect(detail).toMatchObject({ reason: 'CONTRACT_NOT_FOUND', spendsNonce: true, inputs: 0, merged: null });
    expect(world.coinsOf(sender)).toEqual(['8.0', '7.0']);
    expect(nextNonce(world)).toBe(1);
  });

  const failures: readonly [RejectionCode, Partial<Create>, number][] = [
    ['INSUFFICIENT_FUNDS', { amount: amount('100') }, 0],
    ['NON_POSITIVE_AMOUNT', { amount: amount('0') }, 0],
    ['PREAPPROVAL_EXPIRED', {}, 60],
    ['PREAPPROVAL_EXPIRED', {}, 120],
  ];
  it.each(failures)(
    'aborts or merges the inputs when it fails with %s, as the profile requires',
    (code, change, wait) => {
      const world = worldOf(options);
      counting(world);
      const preapproval = preapproved(world, receiver, second(60));
      const inputs = world.fundEach(sender, ['3', '4']);
      const command = ordered(world, change);
      world.wait(wait);
      if (profile === 'feeless-24h') {
        world.refused(code, send(command, inputs, preapproval), delegate);
        expect(nextNonce(world)).toBe(0);
        expect(world.coinsOf(sender)).toEqual(['3.0', '4.0']);
        expect(find(world.state, 'TransferCommand', command)).not.toBeNull();
        return;
      }
      const { detail } = world.accepted('TransferCommandFailed', send(command, inputs, preapproval), delegate);
      const merged = world.holdings(sender);
      expect(detail).toMatchObject({ reason: code, spendsNonce: true, inputs: 2, merged: merged[0]?.id });
      expect(world.coinsOf(sender)).toEqual([profile === 'legacy-fees' ? '6.97' : '7.0']);
      expect(world.coinsOf(receiver)).toEqual([]);
      expect(nextNonce(world)).toBe(1);
    },
  );

  it('is refused in every profile when its inputs include the command or the counter', () => {
    const { world, preapproval, inputs, command } = ready(options);
    const counter = firstByKey(world.state, 'TransferCommandCounter', `sender:${sender}`)?.id ?? nowhere;
    for (const spent of [command, counter])
      expect(world.refused('DUPLICATE_INPUT', send(command, [...inputs, spent], preapproval), delegate).contract).toBe(
        spent,
      );
  });

  it('is refused in every profile when the inputs cannot be merged', () => {
    const config = { transferConfigUsd: { ...genesisConfig(profile).transferConfigUsd, maxNumInputs: 1 } };
    const { world, preapproval, inputs, command } = ready({ ...options, config });
    world.refused('MAX_INPUTS_EXCEEDED', send(command, inputs, preapproval), delegate);
    const [coin] = inputs as [ContractId];
    world.refused('DUPLICATE_INPUT', send(command, [coin, coin], preapproval), delegate);
    expect(nextNonce(world)).toBe(0);
  });
});

describe('executing a transfer command', () => {
  it('earns a featured app reward for the preapproval’s provider', () => {
    const { world, preapproval, inputs, command } = ready({ amuletPrice: amount('0.15') });
    world.put({ template: 'FeaturedAppRight', provider: carol });
    const { created } = world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    expect(created).toContainEqual(
      expect.objectContaining({ template: 'AppRewardCoupon', provider: carol, amount: amount('6.6666666667') }),
    );
  });

  it('leaves no coin in the legacy profile when it fails and the fee equals the coins', () => {
    const { world, preapproval, inputs, command } = ready({ profile: 'legacy-fees', amuletPrice: amount('1') }, [
      '0.01',
      '0.02',
    ]);
    const { detail } = world.accepted('TransferCommandFailed', send(command, inputs, preapproval), delegate);
    expect(detail).toMatchObject({ reason: 'INSUFFICIENT_FUNDS', inputs: 2, merged: null, burned: amount('0.03') });
    expect(world.coinsOf(sender)).toEqual([]);
  });

  it('is refused with the id of the named counter when that counter does not exist', () => {
    const { world, preapproval, inputs, command } = ready();
    const named: Command = { ...send(command, inputs, preapproval), counter: nowhere };
    expect(world.refused('CONTRACT_NOT_FOUND', named, delegate).contract).toBe(nowhere);
    const uncounted = ordered(world, { sender: receiver });
    expect(world.refused('CONTRACT_NOT_FOUND', send(uncounted, [], preapproval), delegate).contract).toBeNull();
  });

  it('copies the description into the reason of the transfer', () => {
    const { world, preapproval, inputs } = ready();
    const command = ordered(world, { description: 'rent' });
    const { detail } = world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    expect(detail.meta).toEqual({ reason: 'rent' });
  });

  describe('the checks of the execution', () => {
    const { world, preapproval, inputs, command } = ready();
    const ofCarol = preapproved(world, carol);
    const counterOfCarol = counting(world, carol);
    const early = ordered(world, { nonce: 5 });
    const uncounted = ordered(world, { sender: receiver });
    interface Plan {
      command: ContractId;
      actAs: readonly PartyId[];
      counter: ContractId | null;
      preapproval: ContractId;
      late: boolean;
    }
    precedence<Plan>(
      { command, actAs: [delegate], counter: null, preapproval, late: false },
      [
        ['CONTRACT_NOT_FOUND', { command: nowhere }, 'the order'],
        ['NOT_AUTHORISED', { actAs: [sender, dso], command }],
        ['CONTRACT_NOT_FOUND', { counter: nowhere }, 'the counter named'],
        ['CONTRACT_NOT_FOUND', { command: uncounted, counter: null }, 'a counter of the sender'],
        ['GROUP_MISMATCH', { counter: counterOfCarol, command: early }, 'the counter'],
        ['NONCE_TOO_HIGH', { counter: null, command: early }],
        ['CONTRACT_NOT_FOUND', { command, preapproval: nowhere }, 'the preapproval'],
        ['GROUP_MISMATCH', { preapproval: ofCarol }, 'the preapproval'],
        ['DEADLINE_PASSED', { late: true }],
      ],
      (code: RejectionCode, { actAs, counter, late, ...plan }: Plan) =>
        void world
          .fork()
          .at(late ? expiresAt : world.now)
          .refused(
            code,
            { type: 'SendTransferCommand', inputs, ...plan, ...(counter === null ? {} : { counter }) },
            ...actAs,
          ),
    );
  });
});

describe('the status of a transfer command', () => {
  it('changes from created to sent or failed, also for several commands with the same nonce', () => {
    const { world, preapproval, inputs, command } = ready({}, ['20']);
    const again = ordered(world);
    const gone = ordered(world);
    const old = ordered(world);
    const statuses = (): readonly unknown[] =>
      transferCommandStatuses(world.ledger.updates(), sender, 0).map(({ command: id, status, failure }) => [
        id,
        status,
        failure,
      ]);
    expect(statuses()).toEqual([command, again, gone, old].map((id) => [id, 'created', null]));
    world.accepted('TransferCommandSent', send(command, inputs, preapproval), delegate);
    world.accepted('TransferCommandFailed', send(again, [], preapproval), delegate);
    world.accepted('TransferCommandWithdrawn', { type: 'WithdrawTransferCommand', command: gone }, sender);
    world.at(expiresAt).accepted('TransferCommandExpired', { type: 'ExpireTransferCommand', command: old }, delegate);
    expect(statuses()).toEqual([
      [command, 'sent', null],
      [again, 'failed', { kind: 'failed', reason: 'NONCE_TOO_LOW' }],
      [gone, 'failed', { kind: 'withdrawn', reason: null }],
      [old, 'failed', { kind: 'expired', reason: null }],
    ]);
    expect(transferCommandStatuses(world.ledger.updates(), sender, 1)).toEqual([]);
    expect(transferCommandStatuses(world.ledger.updates(), receiver, 0)).toEqual([]);
  });
});
