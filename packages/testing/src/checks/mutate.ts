import type { Json } from '@coinlab/core';
import { dso, everybody, external, founders, stranger } from '../generator/cast.js';
import type { Dice } from '../generator/dice.js';

const PARTIES: readonly string[] = [...everybody, ...founders, dso, stranger, external.party];

const ODD: readonly Json[] = [
  null,
  true,
  false,
  '',
  ' ',
  'x',
  '-1',
  '0',
  '-0.0000000001',
  '0.00000000001',
  '9999999999999999999999999999.9999999999',
  '99999999999999999999999999999999999999999',
  '1e5',
  'NaN',
  '9999-12-31T23:59:59.999999Z',
  '0001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '__proto__',
  'constructor',
  '\ud800',
  '\u0000',
  'ä'.repeat(300),
  `DSO::1220${'f'.repeat(64)}`,
  0,
  -1,
  1,
  0.5,
  1e21,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 31,
  [],
  {},
  [[]],
  [{}],
  { type: 'Tap' },
  nested(200),
];

function nested(depth: number): Json {
  return depth === 0 ? null : [nested(depth - 1)];
}

export function mutated(json: Json, dice: Dice): Json {
  const places = placesIn(json);
  const place = dice.pick(places) ?? [];
  switch (dice.roll(12)) {
    case 0:
      return changed(json, place, () => undefined);
    case 1:
      return changed(json, place, (value) => (Array.isArray(value) ? [...value, ...value] : [value, value]));
    case 2: {
      const other = dice.pick(places) ?? [];
      return changed(json, place, () => at(json, other));
    }
    case 3:
      // A value that is valid for no field.
      return changed(json, place, (value) => (isRecord(value) ? withKey(value, dice) : (dice.pick(ODD) ?? null)));
    case 4:
      return changed(json, place, () => dice.pick(ODD) ?? null);
    default:
      // Mostly a value that the parser accepts, so that the command reaches the ledger.
      return changed(json, place, (value) => alike(value, dice));
  }
}

const DECIMALS = [
  '0',
  '-1',
  '0.0000000001',
  '1',
  '100',
  '9007199254740993.5',
  '9999999999999999999999999999.9999999999',
];
const TIMES = ['0001-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:50:00Z', '9999-12-31T23:59:59.999999Z'];

function alike(value: Json, dice: Dice): Json {
  if (typeof value === 'number') return dice.pick([value + 1, value - 1, dice.roll(500), 2 ** 31, 2 ** 52]) ?? 0;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return dice.chance(50) ? value.slice(1) : [...value, ...value.slice(0, 1)];
  if (typeof value !== 'string') return dice.pick(ODD) ?? null;
  if (/^-?[\d.]+$/.test(value)) return dice.pick(DECIMALS) ?? value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return dice.pick(TIMES) ?? value;
  if (value.includes('::1220')) return dice.pick(PARTIES) ?? value;
  return dice.pick(['', 'x', value + value, 'ä'.repeat(300)]) ?? value;
}

type Place = readonly (string | number)[];

function placesIn(json: Json, here: Place = []): readonly Place[] {
  if (here.length > 8) return [];
  if (Array.isArray(json)) return [here, ...json.slice(0, 5).flatMap((inner, i) => placesIn(inner, [...here, i]))];
  if (!isRecord(json)) return [here];
  return [here, ...Object.entries(json).flatMap(([key, inner]) => placesIn(inner, [...here, key]))];
}

function at(json: Json, [first, ...rest]: Place): Json {
  if (first === undefined) return json;
  // `place` was found in this JSON value, so the key exists.
  const inner = (json as Readonly<Record<string | number, Json>>)[first];
  return inner === undefined ? null : at(inner, rest);
}

function changed(json: Json, [first, ...rest]: Place, change: (value: Json) => Json | undefined): Json {
  if (first === undefined) return change(json) ?? null;
  if (Array.isArray(json)) {
    return json.flatMap((inner: Json, i) => {
      if (i !== first) return [inner];
      const made = rest.length === 0 ? change(inner) : changed(inner, rest, change);
      return made === undefined ? [] : [made];
    });
  }
  if (!isRecord(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, inner]): [string, Json][] => {
      if (key !== first) return [[key, inner]];
      const made = rest.length === 0 ? change(inner) : changed(inner, rest, change);
      return made === undefined ? [] : [[key, made]];
    }),
  );
}

function withKey(json: Readonly<Record<string, Json>>, dice: Dice): Json {
  const key = dice.pick(['__proto__', 'constructor', 'toString', 'type', '', 'inputs', 'x']) ?? 'x';
  // `Object.fromEntries` creates a field even for `__proto__`, as JSON.parse does.
  return Object.fromEntries([...Object.entries(json), [key, dice.pick(ODD) ?? null]]);
}

function isRecord(json: Json): json is Readonly<Record<string, Json>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
