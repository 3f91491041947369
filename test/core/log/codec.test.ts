import {
  codec,
  emptyLedger,
  openCompactLog,
  readCompactLog,
  replay,
  UPDATE_KINDS,
  settingsOf,
  type Json,
  type Update,
} from '@coinlab/core';
import { LOG_VERSION } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, second, worldOf, type World } from '../ledger-fixture.ts';
import { recordedSteps } from '../recorded.ts';

type JsonObject = { [key: string]: Json };

/** A world with an offer, and its last line. */
function offered(): World {
  const world = worldOf();
  const inputs = [world.fund(alice, '100')];
  const terms = { sender: alice, receiver: bob, amount: amount('30'), executeBefore: second(100) };
  world.submit({ type: 'CreateOffer', ...terms, inputs, meta: { reason: 'rent' } }, alice);
  return world;
}

const world = offered();
const lines = world.ledger.updates().map((update) => codec.encode(update));
const last = JSON.parse(lines.at(-1) ?? '') as JsonObject;
const [locked, change, instruction] = last['created'] as [JsonObject, JsonObject, JsonObject];
const detail = last['detail'] as JsonObject;

describe('a line of the log', () => {
  it('has its version first and is one JSON object that jq can read', () => {
    expect(lines.at(-1)).toMatch(/^\{"v":1,"offset":4,"updateId":"/);
    expect(LOG_VERSION).toBe(1);
    expect(Object.keys(last)).toEqual([
      'v',
      'offset',
      'updateId',
      'recordTime',
      'kind',
      'actAs',
      'archived',
      'created',
      'detail',
    ]);
    expect(Object.keys(detail).slice(0, 2)).toEqual(['minted', 'burned']);
    expect(locked).toEqual({
      template: 'Holding',
      id: locked?.['id'],
      owner: alice,
      amount: '30.0000000000',
      createdAt: 1,
      ratePerRound: '0.0038051800',
      lock: {
        holders: [settingsOf(worldOf().state).dso],
        expiresAt: '2026-01-01T00:01:40.000000Z',
        context: `transfer to '${bob}'`,
      },
    });
  });

  it('is read back as the same update', () => {
    world.ledger.updates().forEach((update, i) => {
      expect(codec.decode(lines[i] ?? '', i + 1)).toEqual({ ok: true, value: update });
    });
  });

  const corrupt: readonly (readonly [string, string, readonly string[]])[] = [
    ['no JSON', '{"v":1,', ['JSON']],
    ['nothing', '', ['JSON']],
    ['a list', '[]', ['JSON']],
    ['null', 'null', ['JSON']],
    ['two objects', '{}{}', ['JSON']],
    ['of no version', edited({ v: undefined }), ['v:', 'undefined', 'version 1']],
    ['of another version', edited({ v: 2 }), ['v:', '2', 'version 1']],
    ['of a version that is text', edited({ v: '1' }), ['v:', '"1"']],
    ['of no kind', edited({ kind: undefined }), ['kind:', 'one of']],
    ['of an unknown kind', edited({ kind: 'CoinStolen' }), ['kind:', 'CoinStolen', 'TransferOffered']],
    ['of a kind that every object has', edited({ kind: 'toString' }), ['kind:', 'toString']],
    ['of a kind in a list', edited({ kind: ['Minted'] }), ['kind:', 'Minted']],
    ['of another kind than its detail', edited({ kind: 'Minted' }), ['detail.']],
    ['with a field too many', edited({ comment: 'hello' }), ['comment', 'no such field']],
    ['without offset', edited({ offset: undefined }), ['offset', 'whole number']],
    ['with a bad update id', edited({ updateId: 'x' }), ['updateId', 'ULID']],
    ['with a bad time', edited({ recordTime: '2026-01-01' }), ['recordTime', '2026-01-01', 'UTC time']],
    ['that archives no list', edited({ archived: {} }), ['archived', 'list of contract number']],
    ['that archives a text', edited({ archived: ['1'] }), ['archived[0]', '"1"']],
    ['of actors that are one party', edited({ actAs: alice }), ['actAs', 'list of party id']],
    ['that creates a number', edited({ created: [5] }), ['created[0]']],
    ['that creates nothing', edited({ created: [null] }), ['created[0]']],
    ['that creates a list', edited({ created: [[]] }), ['created[0]']],
    [
      'with a template in a list',
      edited({ created: [{ ...locked, template: ['Holding'] }] }),
      ['created[0].template', 'Holding'],
    ],
    [
      'with a template that every object has',
      edited({ created: [{ ...locked, template: 'toString' }] }),
      ['created[0].template', 'toString'],
    ],
    [
      'with a lock for a number',
      edited({ created: [{ ...locked, lock: { ...(locked?.['lock'] as JsonObject), context: 5 } }] }),
      ['created[0].lock.context', '5'],
    ],
    ['with no detail', edited({ detail: null }), ['detail']],
    ['with a number for a detail', edited({ detail: 7 }), ['detail']],
    ['with notes in a list', edited({ detail: { ...detail, meta: ['x'] } }), ['detail.meta', 'map of text']],
    ['with a note that is a number', edited({ detail: { ...detail, meta: { x: 1 } } }), ['detail.meta.x', '1']],
    ['with a bad actor', edited({ actAs: ['alice'] }), ['actAs[0]', 'alice']],
    ['with an archived id of 0', edited({ archived: [3, 0] }), ['archived[1]', '0']],
    [
      'with an unknown template',
      edited({ created: [{ ...locked, template: 'Gold' }] }),
      ['created[0].template', 'Gold'],
    ],
    ['with a contract without id', edited({ created: [{ ...change, id: null }] }), ['created[0].id', 'null']],
    [
      'with a contract that has a field too many',
      edited({ created: [{ ...change, color: 'red' }] }),
      ['created[0].color', 'red'],
    ],
    [
      'with a contract that lacks a field',
      edited({ created: [without(change, 'lock')] }),
      ['created[0].lock', 'nothing'],
    ],
    ['with a bad amount inside', edited({ created: [{ ...change, amount: '1e3' }] }), ['created[0].amount', '1e3']],
    [
      'with a bad time deep inside',
      edited({
        created: [
          locked!,
          { ...instruction, transfer: { ...(instruction?.['transfer'] as JsonObject), requestedAt: 0 } },
        ],
      }),
      ['created[1].transfer.requestedAt', '0'],
    ],
    ['with a detail that lacks a field', edited({ detail: without(detail, 'burned') }), ['detail.burned', 'nothing']],
    ['with a detail that has a field too many', edited({ detail: { ...detail, tip: '1.0' } }), ['detail.tip', '1.0']],
  ];

  it.each(corrupt)('is refused when it is %s, with its number and the reason', (_, text, reasons) => {
    const decoded = codec.decode(text, 42);
    if (decoded.ok) throw new Error('it was read');
    expect(decoded.error.line).toBe(42);
    for (const reason of reasons) expect(decoded.error.reason).toContain(reason);
  });

  it('is refused when a boolean is written as text', () => {
    const coupon = { template: 'AppRewardCoupon', id: 99, provider: alice, featured: 'yes', amount: '1.0', round: 1 };
    const decoded = codec.decode(edited({ created: [{ ...coupon, beneficiary: null }] }), 1);
    expect(decoded.ok ? '' : decoded.error.reason).toContain('created[0].featured');
  });

  it('omits absent optional fields, which are absent again when it is read', () => {
    const ended = recordedSteps('feeless').map(({ update }) => update);
    const withdrawn = ended.find(({ kind }) => kind === 'DevelopmentFundCouponWithdrawn');
    if (!withdrawn) throw new Error('a grant was withdrawn');
    for (const reason of [undefined, 'too late']) {
      const update = { ...withdrawn, detail: { ...withdrawn.detail, withdrawnFor: reason } } as Update;
      const line = codec.encode(update);
      expect(line.includes('withdrawnFor')).toBe(reason !== undefined);
      const read = codec.decode(line, 1);
      if (!read.ok) throw new Error(read.error.reason);
      expect('withdrawnFor' in read.value.detail).toBe(reason !== undefined);
      expect(read.value).toEqual(update);
      const log = openCompactLog(0);
      log.append(update);
      const [back] = [...readCompactLog(log.whole())];
      if (!back?.ok) throw new Error('it is read back');
      expect('withdrawnFor' in back.value.detail).toBe(reason !== undefined);
      expect(back.value).toEqual(update);
    }
  });

  it('is the same for every insertion order of metadata, in updates and packed transfers', () => {
    const update = world.ledger.updates().at(-1) as Update;
    const noted = (meta: object): Update => ({ ...update, detail: { ...update.detail, meta } }) as unknown as Update;
    const [one, other] = [noted({ a: '1', b: '2' }), noted({ b: '2', a: '1' })];
    expect(codec.encode(one)).toBe(codec.encode(other));
    const packed = [one, other].map((each) => {
      const log = openCompactLog(0);
      log.append(each);
      return Buffer.from(log.whole()).toString('hex');
    });
    expect(packed[0]).toBe(packed[1]);
  });

  it('can carry every kind of update', () => {
    expect(UPDATE_KINDS).toContain('TransferOffered');
    for (const kind of UPDATE_KINDS) {
      const decoded = codec.decode(edited({ kind, detail: {} }), 1);
      // An empty detail is refused field by field: the kind itself is known.
      if (decoded.ok) throw new Error(`${kind} without minted and burned was read`);
      expect(decoded.error.reason).toContain('detail.minted');
    }
  });
});

describe('a log', () => {
  it('gives the same state, hash and next update when replayed', () => {
    const read = lines.map((line, i) => codec.decode(line, i + 1)).map((line) => (line.ok ? line.value : null));
    const again = replay(read as readonly Update[]);
    expect(again.hash()).toBe(world.ledger.hash());
    expect(again.updates()).toEqual(world.ledger.updates());
    const command = { type: 'WithdrawOffer', instruction: instruction?.['id'] } as never;
    const context = { now: second(5), actAs: [alice] };
    const [one, other] = [again, world.ledger].map((ledger) => ledger.submit(command, context));
    if (!one?.ok || !other?.ok) throw new Error('an offer is withdrawn');
    expect(one.value.update).toEqual(other.value.update);
  });

  it('can be replayed up to any of its updates', () => {
    let ledger = emptyLedger();
    for (const update of world.ledger.updates()) {
      ledger = ledger.apply(update);
      expect(replay(ledger.updates()).hash()).toBe(ledger.hash());
    }
  });

  it('returns the updates after an offset', () => {
    expect(world.ledger.updates(2).map(({ offset }) => offset)).toEqual([3, 4]);
    expect(world.ledger.updates(4)).toEqual([]);
    expect(world.ledger.updates(99)).toEqual([]);
  });
});

/** The last line with some fields replaced, or left out when undefined. */
function edited(fields: { [key: string]: Json | undefined }): string {
  return JSON.stringify({ ...last, ...fields });
}

function without(json: JsonObject | undefined, field: string): JsonObject {
  return Object.fromEntries(Object.entries(json ?? {}).filter(([name]) => name !== field));
}
