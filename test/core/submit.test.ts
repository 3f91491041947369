import {
  COMMAND_TYPES,
  describeFaults,
  formatCommand,
  parseCommand,
  PartyId,
  type Json,
  type Malformed,
} from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type JsonObject = { [key: string]: Json };

const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const offer: JsonObject = {
  type: 'CreateOffer',
  sender: alice,
  receiver: bob,
  amount: '5.0',
  inputs: [7, 8],
  executeBefore: '2026-01-02T00:00:00Z',
};

/** A valid value for each expectation of a shape. */
const met: readonly (readonly [RegExp, (found: RegExpExecArray) => Json])[] = [
  [
    /^(?:list|map) of (.*)$/,
    (found) => (found[0].startsWith('map') ? { key: answer(found[1]!) } : [answer(found[1]!)]),
  ],
  [/^record of /, () => ({})],
  [/^(.*?)(?:, or left out| or null)$/, (found) => answer(found[1]!)],
  [/decimal/, () => '1.5000000000'],
  [/UTC time/, () => '2026-04-28T14:12:22.491706Z'],
  [/microseconds/, () => '600000000'],
  [/round/, () => 7],
  [/party id/, () => PartyId.of('somebody')],
  [/contract number/, () => 3],
  [/text/, () => 'a text'],
  [/JSON object/, () => ({ key: 'a text' })],
  [/true or false/, () => true],
  [/whole number/, () => 12],
  [/^one of ([^,]+)/, (found) => found[1]!],
];

function answer(expected: string): Json {
  for (const [pattern, meet] of met) {
    const found = pattern.exec(expected);
    if (found) return meet(found);
  }
  throw new Error(`no value is known for the expectation '${expected}'`);
}

/** The JSON with another value at a path of fields (`inputs[0].amount`); values on the path are replaced by records. */
function withField(json: Json, path: string, value: Json): Json {
  const [, key, rest = ''] = /^\[?([^.[\]]+)\]?\.?(.*)$/.exec(path) ?? [];
  if (key === undefined) return value;
  if (Array.isArray(json)) return json.map((item, i) => (i === Number(key) ? withField(item, rest, value) : item));
  const fields = typeof json === 'object' ? (json as JsonObject) : {};
  return { ...fields, [key]: withField(fields?.[key] ?? null, rest, value) };
}

function faultsOf(json: Json): readonly Malformed[] {
  const parsed = parseCommand(json);
  return parsed.ok ? [] : parsed.error;
}

/** A command of a type, made by doing what the refusals ask for until there is none. */
function example(type: string, full: boolean): Json {
  let json: Json = { type };
  if (full) {
    // A field that cannot be tells which ones can; null in each of them asks what it wants.
    const [, known] = /known are (.*)$/.exec(faultsOf({ type, 'no such field': 1 }).at(-1)?.expected ?? '') ?? [];
    for (const field of known ? known.split(', ') : []) json = withField(json, field, null);
  }
  for (let tries = 0; tries < 30; tries++) {
    const faults = faultsOf(json);
    if (faults.length === 0) return json;
    for (const { field, expected } of faults) json = withField(json, field, answer(expected));
  }
  throw new Error(`${type} is never satisfied: ${describeFaults(faultsOf(json))}`);
}

describe('a command as JSON', () => {
  describe.each(COMMAND_TYPES)('of the type %s', (type) => {
    it.each([
      ['with the fields it needs', false],
      ['with every field it may have', true],
    ])('can be completed by correcting each reported fault, %s, and is equal after writing and reading', (_, full) => {
      const json = example(type, full);
      const parsed = parseCommand(json);
      if (!parsed.ok) throw new Error(describeFaults(parsed.error));
      expect(parsed.value.type).toBe(type);
      const written = formatCommand(parsed.value);
      expect(written).toEqual(json);
      expect(parseCommand(JSON.parse(JSON.stringify(written)))).toEqual(parsed);
    });

    it('is refused with an unknown field', () => {
      const faults = faultsOf({ ...(example(type, false) as JsonObject), amounts: '1.0' });
      expect(faults).toEqual([
        { field: 'amounts', value: '"1.0"', expected: expect.stringContaining('no such field') },
      ]);
    });
  });

  it.each<[string, Json, readonly [field: string, value: string, expected: string][]]>([
    ['no object', 'CreateOffer', [['type', '"CreateOffer"', 'one of']]],
    ['null', null, [['type', 'null', 'one of']]],
    ['a list', [offer], [['type', expect.stringContaining('[') as string, 'one of']]],
    ['no type', { ...offer, type: null }, [['type', 'null', 'OpenLedger']]],
    ['an unknown type', { ...offer, type: 'StealCoin' }, [['type', '"StealCoin"', 'one of']]],
    ['a type that every object has', { ...offer, type: 'constructor' }, [['type', '"constructor"', 'one of']]],
    ['an amount that is a number', { ...offer, amount: 5 }, [['amount', '5', '28 digits']]],
    [
      'an amount with eleven places',
      { ...offer, amount: '5.00000000001' },
      [['amount', '"5.00000000001"', '10 after']],
    ],
    [
      'an amount beyond 38 digits',
      { ...offer, amount: '1' + '0'.repeat(28) },
      [['amount', `"1${'0'.repeat(28)}"`, '28']],
    ],
    ['a party without fingerprint', { ...offer, sender: 'alice' }, [['sender', '"alice"', 'hint::fingerprint']]],
    ['a date without time', { ...offer, executeBefore: '2026-01-02' }, [['executeBefore', '"2026-01-02"', 'UTC time']]],
    ['inputs that are no list', { ...offer, inputs: 7 }, [['inputs', '7', 'list of contract number']]],
    [
      'an input that is a text',
      { ...offer, inputs: [7, '8', 0] },
      [
        ['inputs[1]', '"8"', 'contract number'],
        ['inputs[2]', '0', 'whole number from 1'],
      ],
    ],
    ['a missing field', withoutField(offer, 'receiver'), [['receiver', 'nothing', 'party id']]],
    ['an optional field that is null', { ...offer, requestedAt: null }, [['requestedAt', 'null', 'UTC time']]],
    ['meta that is a list', { ...offer, meta: ['x'] }, [['meta', '["x"]', 'map of text']]],
    ['meta that holds a number', { ...offer, meta: { reason: 'x', count: 1 } }, [['meta.count', '1', 'text']]],
    [
      'an instrument with a field too many',
      { ...offer, instrument: { admin: bob, id: 'Amulet', version: 2 } },
      [['instrument.version', '2', 'no such field; known are admin, id']],
    ],
    [
      'a field of the language',
      JSON.parse(JSON.stringify(offer).replace('{', '{"__proto__":{"polluted":true},')) as Json,
      [['__proto__', '{"polluted":true}', 'no such field']],
    ],
  ])('that is or has %s is refused with field, value and expectation', (_, json, faults) => {
    expect(faultsOf(json)).toEqual(
      faults.map(([field, value, expected]) => ({ field, value, expected: expect.stringContaining(expected) })),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is refused with all its faults, in the order of its fields', () => {
    const faults = faultsOf({ type: 'CreateOffer', sender: 1, receiver: bob, amount: 'x', inputs: [null], extra: 0 });
    expect(faults.map(({ field }) => field)).toEqual(['sender', 'amount', 'inputs[0]', 'executeBefore', 'extra']);
    expect(describeFaults(faults)).toContain('sender: got 1, expected');
  });

  it('that is any JSON value is read or refused without an exception', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc
        .record({ type: fc.constantFrom(...COMMAND_TYPES) })
        .chain((base) => fc.jsonValue().map((more) => ({ ...(more as object), ...base }))),
    );
    fc.assert(
      fc.property(anything, (json) => {
        const parsed = parseCommand(json);
        if (!parsed.ok) {
          expect(parsed.error.length).toBeGreaterThan(0);
          for (const { value } of parsed.error) expect(value.length).toBeLessThanOrEqual(120);
        }
      }),
    );
  });
});

function withoutField(json: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== field));
}
