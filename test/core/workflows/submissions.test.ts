import {
  Duration,
  formatCommand,
  Instant,
  type Command,
  type ContractOf,
  type PartyId,
  type Update,
} from '@coinlab/core';
import { allOf, countOfTemplate } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { external, signed } from '../external-keys.ts';
import { alice, amount, bob, worldOf, type World } from '../ledger-fixture.ts';

type Submit = Extract<Command, { type: 'SubmitOnce' }>;

const tap = (receiver: PartyId = alice): Command => ({ type: 'Tap', receiver, amount: amount('1') });

function once(command: Command, change: Partial<Submit> = {}): Submit {
  return {
    type: 'SubmitOnce',
    userId: 'user',
    actAs: [alice],
    commandId: 'c-1',
    submissionId: 's-1',
    workflowId: 'w-1',
    deduplicateAfter: 0,
    command: formatCommand(command),
    ...change,
  };
}

function recordIn({ created }: Update): ContractOf<'SubmittedCommand'> {
  const record = created.find(({ template }) => template === 'SubmittedCommand');
  if (record?.template !== 'SubmittedCommand') throw new Error('the update has no record');
  return record;
}

describe('a command submitted once', () => {
  it('has the effects of the command and one record that names the user and the ids', () => {
    const [plain, submitted] = [worldOf(), worldOf()];
    const expected = plain.accepted('Tapped', tap(), alice);
    const update = submitted.accepted('Tapped', once(tap()), alice);
    const record = recordIn(update);
    expect({ ...update, created: update.created.filter((contract) => contract !== record) }).toEqual(expected);
    expect(record).toMatchObject({
      userId: 'user',
      actAs: [alice],
      commandId: 'c-1',
      submissionId: 's-1',
      workflowId: 'w-1',
      offset: update.offset,
      expiresAt: Instant.plus(submitted.now, Duration.hours(24)),
    });
  });

  it('is refused when it is submitted again, also with reordered acting parties; the refusal has the id of the first submission', () => {
    const world = worldOf();
    const both = { actAs: [bob, alice] };
    const { offset } = world.accepted('Tapped', once(tap(), both), alice, bob);
    const again = once(tap(), { submissionId: 's-2', actAs: [alice, bob] });
    expect(world.refused('DUPLICATE_COMMAND', again, bob, alice)).toEqual({
      code: 'DUPLICATE_COMMAND',
      commandId: 'c-1',
      submissionId: 's-1',
      offset,
    });
  });

  it.each([
    ['another user', { userId: 'other' }],
    ['another command id', { commandId: 'c-2' }],
    ['a user whose name continues in the command id', { userId: 'user","c-1', commandId: '' }],
  ])('takes effect again for %s', (_, change) => {
    const world = worldOf();
    world.accepted('Tapped', once(tap()), alice);
    world.accepted('Tapped', once(tap(), change), alice);
  });

  it('takes effect again when other parties act', () => {
    const world = worldOf();
    world.accepted('Tapped', once(tap()), alice);
    world.accepted('Tapped', once(tap(bob), { actAs: [bob] }), bob);
  });

  it('takes effect again when its de-duplication period begins after the first submission', () => {
    const world = worldOf();
    const { offset } = world.accepted('Tapped', once(tap()), alice);
    world.refused('DUPLICATE_COMMAND', once(tap(), { deduplicateAfter: offset - 1 }), alice);
    world.accepted('Tapped', once(tap(), { deduplicateAfter: offset }), alice);
  });

  it('is recorded only when it takes effect', () => {
    const world = worldOf();
    world.refused('NON_POSITIVE_AMOUNT', once({ type: 'Tap', receiver: alice, amount: amount('0') }), alice);
    world.accepted('Tapped', once(tap()), alice);
  });

  it('leaves a record for 24 hours; the next submission of any user removes the expired record', () => {
    const world = worldOf();
    world.accepted('Tapped', once(tap()), alice);
    const [record] = allOf(world.state, 'SubmittedCommand');
    world.now = Instant.ofMicros(Instant.plus(world.now, Duration.hours(24)) - 1n);
    world.refused('DUPLICATE_COMMAND', once(tap()), alice);
    world.now = Instant.plus(world.now, Duration.ofMicros(1n));
    const { archived } = world.submit(once(foreign(bob), { actAs: [bob], userId: 'other' }), bob);
    expect(archived).toEqual([record?.id]);
    expect(countOfTemplate(world.state, 'SubmittedCommand')).toBe(1);
  });

  it('takes effect again after 24 hours', () => {
    const world = worldOf();
    const ping = once(foreign(alice));
    world.accepted('ForeignContractCreated', ping, alice);
    world.now = Instant.plus(world.now, Duration.hours(24));
    world.accepted('ForeignContractCreated', ping, alice);
    expect(countOfTemplate(world.state, 'SubmittedCommand')).toBe(1);
  });

  it('is refused when its acting parties differ from those of the command', () => {
    const world = worldOf();
    expect(world.refused('INVALID_ARGUMENT', once(tap(), { actAs: [bob] }), alice)).toMatchObject({ field: 'actAs' });
  });

  it.each([
    ['a text', '{"type":"Tap"}', 'command', 'JSON object'],
    ['a list', [], 'command', 'JSON object'],
    ['an amount of a program', { ...formatCommand(tap()), amount: amount('1') }, 'command.amount', 'a JSON value'],
    ['an infinite number', { type: 'Tap', amounts: [1, Infinity] }, 'command.amounts[1]', 'a JSON value'],
    ['a map', { type: 'Tap', amount: new Map() }, 'command.amount', 'a JSON value'],
    ['itself', cyclic(), expect.stringMatching(/^command(\.list\[0\])+/), 'a JSON value'],
    ['another submission', formatCommand(once(tap())), 'command.type', 'a command other than SubmitOnce'],
    ['an unknown command', { type: 'Taps' }, 'command.type', expect.stringContaining('Tap,')],
    [
      'a wrong amount',
      { ...formatCommand(tap()), amount: 1 },
      'command.amount',
      expect.stringContaining('decimal text'),
    ],
  ])('is refused when it contains %s', (_, command, field, expected) => {
    const world = worldOf();
    // Cast: plain JavaScript may pass anything.
    const submitted = { ...once(tap()), command: command as Submit['command'] };
    expect(world.refused('INVALID_ARGUMENT', submitted, alice)).toMatchObject({ field, expected });
  });

  it('can carry a signed transaction, which acts as its signer', () => {
    const world: World = worldOf();
    const dave = external(world, 'dave');
    const carried = signed(world, dave, foreign(dave.party));
    const change = { actAs: [dave.party] };
    const update = world.accepted('ForeignContractCreated', once(carried, change));
    expect(update.actAs).toEqual([dave.party]);
    expect(update.created.map(({ template }) => template)).toEqual([
      'ForeignContract',
      'ExecutedTransaction',
      'SubmittedCommand',
    ]);
    world.refused('DUPLICATE_COMMAND', once(carried, change));
    world.refused('ALREADY_EXISTS', once(carried, { ...change, commandId: 'c-2' }));
  });
});

function cyclic(): Record<string, unknown> {
  const list: unknown[] = [];
  list.push({ list });
  return { type: 'Tap', list };
}

function foreign(party: PartyId): Command {
  return {
    type: 'CreateForeignContract',
    templateId: '#ping:Ping:Ping',
    arguments: '{"id":"1"}',
    signatories: [party],
    observers: [],
  };
}

describe('a foreign contract', () => {
  it('is created with a template id and fields, and archived, by all its signatories', () => {
    const world = worldOf();
    const create: Command = { ...foreign(alice), signatories: [alice, bob] } as Extract<
      Command,
      { type: 'CreateForeignContract' }
    >;
    world.refused('NOT_AUTHORISED', create, alice);
    const { contract } = world.accepted('ForeignContractCreated', create, alice, bob).detail;
    const archive: Command = { type: 'ArchiveForeignContract', contract };
    world.refused('NOT_AUTHORISED', archive, bob);
    world.accepted('ForeignContractArchived', archive, alice, bob);
    world.refused('CONTRACT_NOT_FOUND', archive, alice, bob);
  });

  it.each([
    ['no signatory', { signatories: [] }, 'signatories'],
    ['fields that are no JSON object', { arguments: '[]' }, 'arguments'],
  ])('is refused with %s', (_, change, field) => {
    const world = worldOf();
    const create = { ...foreign(alice), ...change } as Command;
    expect(world.refused('INVALID_ARGUMENT', create, alice)).toMatchObject({ field });
  });
});
