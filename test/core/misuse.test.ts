import {
  Amount,
  ContractId,
  Duration,
  emptyLedger,
  Engine,
  GENESIS_TIME,
  holdingsOf,
  inputsCovering,
  Instant,
  ledgerFrom,
  openEngine,
  openLedger,
  PartyId,
  prepare,
  replay,
  Round,
  type Holding,
  type LedgerState,
  type LiveState,
} from '@coinlab/core';
import { createTestLedger } from '@coinlab/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';

const world = createTestLedger();
const { alice, bob } = world.parties;
const { state } = world;
const [coin] = [...holdingsOf(state, alice, 'smallest')] as [Holding];
const context = { now: state.time, actAs: [alice] };
const pay = { type: 'DirectTransfer', sender: alice, receiver: bob, amount: Amount.of('2.5'), inputs: [coin.id] };
const offer = { ...pay, type: 'CreateOffer', executeBefore: Instant.plus(state.time, Duration.hours(1)) };
const batch = {
  type: 'ExecuteBatch',
  owner: alice,
  validator: alice,
  inputs: [coin.id],
  operations: [{ type: 'Tap', amount: '1' }],
};

/** Arguments of a program without types. */
type Untyped = never;

function without(record: object, field: string): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
}

const circular: { meta?: unknown } = {};
circular.meta = circular;

const commands: readonly (readonly [string, unknown, field: string, value: string, expected: string])[] = [
  ['undefined', undefined, 'command', 'undefined', 'a record with a type'],
  ['null', null, 'command', 'null', 'a record with a type'],
  ['a text', 'DirectTransfer', 'command', '"DirectTransfer"', 'a record with a type'],
  ['a list', [pay], 'type', 'undefined', 'one of'],
  ['no type', without(pay, 'type'), 'type', 'undefined', 'DirectTransfer'],
  ['an unknown type', { ...pay, type: 'Pay' }, 'type', 'Pay', 'DirectTransfer'],
  ['a type that every object has', { ...pay, type: 'constructor' }, 'type', 'constructor', 'DirectTransfer'],
  ['a number as type', { ...pay, type: 7 }, 'type', '7', 'DirectTransfer'],
  ['a text as amount', { ...pay, amount: '2.5' }, 'amount', '"2.5"', "Amount.of('2.5')"],
  ['a number as amount', { ...pay, amount: 2.5 }, 'amount', '2.5', "Amount.of('2.5')"],
  ['a whole number as amount', { ...pay, amount: 25_000_000_000 }, 'amount', '25000000000', 'an Amount'],
  ['NaN as amount', { ...pay, amount: NaN }, 'amount', 'NaN', 'an Amount'],
  ['null as amount', { ...pay, amount: null }, 'amount', 'null', 'an Amount'],
  ['no amount', without(pay, 'amount'), 'amount', 'undefined', 'an Amount'],
  ['a symbol as amount', { ...pay, amount: Symbol('2.5') }, 'amount', 'symbol', 'an Amount'],
  ['no receiver', without(pay, 'receiver'), 'receiver', 'undefined', "PartyId.of('alice')"],
  ['a name as receiver', { ...pay, receiver: 'bob' }, 'receiver', '"bob"', 'a PartyId'],
  ['a record as receiver', { ...pay, receiver: { name: 'bob' } }, 'receiver', '{"name":"bob"}', 'a PartyId'],
  ['no inputs', without(pay, 'inputs'), 'inputs', 'undefined', 'list of contract number'],
  ['null as inputs', { ...pay, inputs: null }, 'inputs', 'null', 'list'],
  ['one id as inputs', { ...pay, inputs: coin.id }, 'inputs', String(coin.id), 'list'],
  ['a text as inputs', { ...pay, inputs: 'all' }, 'inputs', '"all"', 'list'],
  ['a set as inputs', { ...pay, inputs: new Set([coin.id]) }, 'inputs', '{}', 'list'],
  ['a coin as input', { ...pay, inputs: [{ id: 7 }] }, 'inputs[0]', '{"id":7}', 'the id of a contract'],
  ['an id as text', { ...pay, inputs: [String(coin.id)] }, 'inputs[0]', `"${coin.id}"`, 'ContractId.parse'],
  ['a hole among the inputs', { ...pay, inputs: Array(1) }, 'inputs[0]', 'undefined', 'a ContractId'],
  ['a preapproval as text', { ...pay, preapproval: '7' }, 'preapproval', '"7"', 'a ContractId'],
  ['null as an optional field', { ...pay, preapproval: null }, 'preapproval', 'null', 'a ContractId'],
  ['a map as meta', { ...pay, meta: new Map([['reason', 'x']]) }, 'meta', '{}', 'map of text'],
  ['a number in meta', { ...pay, meta: { count: 1 } }, 'meta.count', '1', 'text'],
  ['a circular meta', { ...pay, meta: circular }, 'meta.meta', '(again)', 'text'],
  ['a Date as deadline', { ...offer, executeBefore: new Date(0) }, 'executeBefore', 'a Date, "1970', 'Instant.of('],
  ['a deadline as text', { ...offer, executeBefore: '2026-01-02T00:00:00Z' }, 'executeBefore', '"2026', 'an Instant'],
  ['milliseconds as deadline', { ...offer, executeBefore: 1.8e12 }, 'executeBefore', '18', 'an Instant'],
  ['a deadline beyond the year 9999', { ...offer, executeBefore: 10n ** 30n }, 'executeBefore', '1000', 'an Instant'],
  ['an instrument as text', { ...offer, instrument: 'Amulet' }, 'instrument', '"Amulet"', 'record of admin, id'],
  ['a text in a nested record', { ...batch }, 'operations[0].amount', '"1"', 'an Amount'],
  ['an unknown nested type', { ...batch, operations: [{ type: 'Steal' }] }, 'operations[0].type', '"Steal"', 'one of'],
];

describe('a command from plain JavaScript', () => {
  it.each(commands)('with %s is refused with field, value and expectation', (_, command, field, value, expected) => {
    const refusal = {
      ok: false,
      error: {
        code: 'INVALID_ARGUMENT',
        field,
        value: expect.stringContaining(value) as string,
        expected: expect.stringContaining(expected) as string,
      },
    };
    for (const laws of [[], [{ name: 'none', invariant: 1, holds: () => true }]]) {
      const engine = new Engine({ laws: laws as Untyped }, state);
      const before = engine.hash();
      expect(engine.submit(command as Untyped, context)).toEqual(refusal);
      expect(engine.hash()).toBe(before);
    }
    expect(ledgerFrom(state).submit(command as Untyped, context)).toEqual(refusal);
  });

  it.each<[string, unknown, field: string, value: string, expected: string]>([
    ['undefined', undefined, 'context', 'undefined', 'a record with now and actAs'],
    ['null', null, 'context', 'null', 'a record with now and actAs'],
    ['no time', { actAs: [alice] }, 'context.now', 'undefined', 'an Instant'],
    ['a Date', { ...context, now: new Date(0) }, 'context.now', 'a Date, "1970', 'Instant.of('],
    ['a time as text', { ...context, now: '2026-01-02T00:00:00Z' }, 'context.now', '"2026', 'an Instant'],
    ['milliseconds', { ...context, now: 4e12 }, 'context.now', '4000000000000', 'an Instant'],
    ['microseconds as a number', { ...context, now: Number(state.time) }, 'context.now', '', 'an Instant'],
    ['no acting parties', { now: state.time }, 'context.actAs', 'undefined', 'list of party id'],
    ['a party as actAs', { ...context, actAs: alice }, 'context.actAs', `"${alice.slice(0, 9)}`, 'list of party id'],
    ['a name in actAs', { ...context, actAs: ['alice'] }, 'context.actAs[0]', '"alice"', 'a PartyId'],
  ])('with %s in its context is refused with field, value and expectation', (_, given, field, value, expected) => {
    const refused = { code: 'INVALID_ARGUMENT', field, value: expect.stringContaining(value) as string };
    for (const command of [pay, offer]) {
      const rejection = ledgerFrom(state).check(command as Untyped, given as Untyped);
      expect(rejection).toEqual({ ...refused, expected: expect.stringContaining(expected) as string });
    }
  });

  it('is accepted when an optional field is undefined, with the same result as without the field', () => {
    const engine = new Engine({}, state);
    const submitted = engine.submit({ ...offer, requestedAt: undefined } as Untyped, context);
    expect(submitted.ok).toBe(true);
    expect(new Engine({}, state).submit(offer as Untyped, context)).toEqual(submitted);
  });

  it('is accepted when it inherits its fields from a prototype', () => {
    const submitted = new Engine({}, state).submit(Object.create(offer) as Untyped, Object.create(context) as Untyped);
    expect(submitted.ok).toBe(true);
    expect(new Engine({}, state).submit(offer as Untyped, context)).toEqual(submitted);
  });

  it('with a text instead of an Amount is refused by prepare with the path of the field', () => {
    const request = { party: alice, command: { ...pay, amount: '2.5' }, now: state.time };
    expect(prepare(request as Untyped, state)).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', field: 'command.amount' },
    });
  });
});

describe('a call from plain JavaScript', () => {
  const calls: readonly (readonly [string, (value: Untyped) => unknown, value: unknown, Error, names: string])[] = [
    ['Amount.of', Amount.of, 2.5, TypeError(), 'Amount.of(text): got 2.5, expected a decimal text'],
    ['Amount.of', Amount.of, null, TypeError(), 'got null, expected a decimal text'],
    ['Amount.of', Amount.of, '1.5 CC', TypeError(), "such as Amount.of('2.5')"],
    ['Amount.ofUnits', Amount.ofUnits, 5, TypeError(), 'Amount.ofUnits(units): got 5, expected a bigint'],
    ['Amount.ofUnits', Amount.ofUnits, 10n ** 38n, RangeError(), 'at most 38 digits'],
    ['Amount.ofWhole', Amount.ofWhole, '5', TypeError(), 'Amount.ofWhole(whole): got "5", expected a whole number'],
    ['Amount.ofWhole', Amount.ofWhole, 2.5, RangeError(), "Amount.of('2.5') reads fractions"],
    [
      'Amount.add',
      (a) => Amount.add(a, Amount.one),
      '2.5',
      TypeError(),
      'Amount.add(a): got "2.5", expected an Amount',
    ],
    ['Amount.add', (b) => Amount.add(Amount.one, b), 2.5, TypeError(), 'Amount.add(b): got 2.5'],
    ['Amount.sub', (b) => Amount.sub(Amount.one, b), '2.5', TypeError(), 'Amount.sub(b): got "2.5"'],
    ['Amount.sum', (amount) => Amount.sum([amount]), '2.5', TypeError(), 'Amount.sum(amounts): got "2.5"'],
    ['Amount.times', (a) => Amount.times(a, 2), '2.5', TypeError(), 'Amount.times(a): got "2.5"'],
    ['Amount.times', (count) => Amount.times(Amount.one, count), 2.5, RangeError(), 'Amount.times(count): got 2.5'],
    [
      'Amount.mul',
      (b) => Amount.mul(Amount.one, b),
      2,
      TypeError(),
      'Amount.mul(b): got 2, expected an Amount, such as',
    ],
    ['Amount.div', (b) => Amount.div(Amount.one, b), undefined, TypeError(), 'Amount.div(b): got undefined'],
    ['Amount.div', (b) => Amount.div(Amount.one, b), 0n, RangeError(), 'expected a divisor other than zero'],
    ['Amount.divUp', (a) => Amount.divUp(a, Amount.one), null, TypeError(), 'Amount.divUp(a): got null'],
    ['Amount.min', (b) => Amount.min(Amount.one, b), '2.5', TypeError(), 'Amount.min(b): got "2.5"'],
    ['Amount.max2', (b) => Amount.max2(Amount.one, b), '2.5', TypeError(), 'Amount.max2(b): got "2.5"'],
    ['Amount.format', Amount.format, 2.5, TypeError(), 'Amount.format(amount): got 2.5'],
    ['Amount.short', Amount.short, '2.5', TypeError(), 'Amount.format(amount): got "2.5"'],
    [
      'inputsCovering',
      (value) => inputsCovering(state, alice, value, 'smallest'),
      5,
      TypeError(),
      'inputsCovering(amount): got 5',
    ],
    [
      'inputsCovering',
      (value) => inputsCovering(state, alice, value),
      '5',
      TypeError(),
      'expected an Amount, a bigint',
    ],
    ['Amount.floor', Amount.floor, 2.5, TypeError(), 'Amount.floor(amount): got 2.5'],
    ['Amount.ceil', Amount.ceil, 2.5, TypeError(), 'Amount.ceil(amount): got 2.5'],
    ['Amount.round', Amount.round, '2.5', TypeError(), 'Amount.round(amount): got "2.5"'],
    [
      'holdingsOf',
      (order) => holdingsOf(state, alice, order),
      undefined,
      TypeError(),
      'holdingsOf(order): got undefined',
    ],
    [
      'holdingsOf',
      (order) => holdingsOf(state, alice, order),
      'first',
      RangeError(),
      'expected one of largest, smallest, oldest, newest',
    ],
    ['PartyId.of', PartyId.of, 'a b', RangeError(), 'PartyId.of(hint): got "a b", expected 1 to 185 letters'],
    ['PartyId.of', PartyId.of, undefined, TypeError(), 'PartyId.of(hint): got undefined'],
    ['ContractId.of', ContractId.of, '7', TypeError(), 'ContractId.of(number): got "7"'],
    ['ContractId.of', ContractId.of, 0, RangeError(), 'a whole number from 1'],
    ['Instant.of', Instant.of, new Date(0), TypeError(), 'Instant.of(text): got a Date, "1970'],
    ['Instant.of', Instant.of, 'tomorrow', TypeError(), "such as Instant.of('2026-01-01T00:00:00Z')"],
    ['Instant.ofMicros', Instant.ofMicros, 1e15, TypeError(), 'Instant.ofMicros(micros): got 1000000000000000'],
    ['Instant.plus', (span) => Instant.plus(GENESIS_TIME, span), '1h', TypeError(), "such as Duration.of('1h')"],
    ['Duration.of', Duration.of, 3600, TypeError(), 'duration: got 3600, expected a span such as 90s'],
    ['Duration.ofMicros', Duration.ofMicros, 5, TypeError(), 'Duration.ofMicros(micros): got 5, expected a bigint'],
    ['Duration.seconds', Duration.seconds, '1h', TypeError(), "Duration.of('1h30m') reads a text"],
    ['Duration.hours', Duration.hours, 0.0001, RangeError(), 'Duration.hours(hours): got 0.0001'],
    ['Round.of', Round.of, '7', TypeError(), 'Round.of(number): got "7", expected a round number'],
    ['Round.of', Round.of, -1, RangeError(), 'a whole number from 0'],
    ['ledgerFrom', ledgerFrom, openLedger(), TypeError(), 'ledgerFrom(state): got'],
    ['ledgerFrom', ledgerFrom, undefined, TypeError(), 'a LedgerState, such as ledger.state'],
    ['new Engine', (from) => new Engine({}, from), {}, TypeError(), 'such as ledger.state'],
    ['replay', replay, undefined, TypeError(), 'replay(updates): got undefined, expected a list of updates'],
    ['replay', replay, 7, TypeError(), 'such as ledger.updates()'],
    ['replay of text', replay, ['update'], TypeError(), 'apply(update): got "update"'],
    ['Engine.apply', (entry) => openEngine().apply(entry), {}, TypeError(), 'apply(update): got {}'],
    ['emptyLedger', emptyLedger, 'all', TypeError(), 'laws: got "all", expected a list of laws'],
  ];

  it.each(calls)('to %s throws an error that names the wrong argument (case %#)', (_, call, value, error, names) => {
    expect(() => call(value as Untyped)).toThrow(error.constructor as ErrorConstructor);
    expect(() => call(value as Untyped)).toThrow(names);
  });

  it.each<[unknown, string]>([
    [null, 'options: got null'],
    ['feeless', 'options: got "feeless"'],
    [{ amuletPrice: '0.15' }, `amuletPrice: got "0.15", expected an Amount, such as Amount.of('2.5')`],
    [{ amuletPrice: 0.15 }, 'amuletPrice: got 0.15'],
    [{ profile: 'free' }, 'profile: got "free", expected one of legacy-fees, feeless, feeless-24h'],
    [{ rules: 5 }, 'rules: got 5'],
    [{ rules: { chargesHoldingFee: 'yes' } }, 'rules.chargesHoldingFee: got "yes", expected true or false'],
    [{ config: { tickDuration: 600 } }, 'config.tickDuration: got 600, expected a Duration'],
    [{ config: { traffic: null } }, 'config.traffic: got null'],
    [{ at: new Date(0) }, 'at: got a Date'],
    [{ seed: '1' }, 'seed: got "1"'],
    [{ isDevNet: 'no' }, 'isDevNet: got "no"'],
    [{ dso: 'DSO' }, 'dso: got "DSO"'],
    [{ initialRound: 1n }, 'initialRound: got 1'],
    [{ round0Duration: '1h' }, 'round0Duration: got "1h"'],
    [{ laws: 'all' }, 'laws: got "all"'],
  ])('that opens a ledger throws a TypeError that names an option of the wrong type (case %#)', (options, names) => {
    for (const open of [openLedger, openEngine]) {
      expect(() => open(options as Untyped)).toThrow(TypeError);
      expect(() => open(options as Untyped)).toThrow(names);
    }
  });

  it('that opens an engine throws a TypeError when the listener is no function', () => {
    expect(() => openEngine({ onEntry: [] as Untyped })).toThrow('options.onEntry: got [], expected a function');
  });

  it('that opens a ledger throws a RangeError with the rejection code when the price is zero', () => {
    expect(() => openLedger({ amuletPrice: Amount.zero })).toThrow(RangeError);
    expect(() => openLedger({ amuletPrice: Amount.zero })).toThrow('NON_POSITIVE_AMOUNT: amuletPrice is 0.0');
  });
});

describe('the state of an engine', () => {
  it('has a type of its own, which a snapshot does not have', () => {
    const engine = openEngine();
    expectTypeOf(engine.state).toEqualTypeOf<LiveState>();
    expectTypeOf(engine.state).toExtend<LedgerState>();
    expectTypeOf(engine.snapshot()).not.toExtend<LiveState>();
  });
});
