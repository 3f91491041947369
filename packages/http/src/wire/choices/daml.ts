import { Amount, ContractId, Instant, PartyId, type Json, type Malformed, type Result } from '@coinlab/core';
import type { RecordField, Value as DamlValue } from '../protobuf/messages.js';
import {
  contractIdValue,
  listValue,
  numericValue,
  optionalValue,
  partyValue,
  recordValue,
  textMapValue,
  textValue,
  timestampValue,
  int64Value,
  valueOfJson,
} from '../protobuf/values.js';
import { nearestTo } from '@coinlab/core/workflows';

/*
 * Types of Daml values in the JSON of the ledger API. Reading accepts every dialect: numbers for decimals and integers, absent and
 * null optionals. Writing uses the dialect of the ledger API.
 * Source: specification of the API §9.1, §9.2.
 */

export interface Fault extends Malformed {
  readonly unknownContract?: string;
}

export interface Daml<Value> {
  readonly expected: string;
  /** With any fault the result is meaningless. */
  read(json: unknown, field: string, faults: Fault[]): Value;
  write(value: Value): Json;
  encode(value: Value): DamlValue;
  readonly isOptional?: true;
}

export type DamlFields<Value> = { readonly [Key in keyof Value]: Daml<Value[Key]> };

export const text: Daml<string> = {
  expected: 'a text',
  read: (json, field, faults) => (typeof json === 'string' ? json : refuse(json, field, text.expected, faults)),
  write: (value) => value,
  encode: textValue,
};

export const party: Daml<PartyId> = parsed('a party id hint::fingerprint', PartyId.parse, (value) => value, partyValue);

export const decimal: Daml<Amount> = parsed(
  'a decimal with at most 28 digits before and 10 after the point',
  (json, field) => Amount.parse(typeof json === 'number' ? decimalOf(json) : json, field),
  (value) => Amount.format(value),
  (value) => numericValue(Amount.format(value)),
);

export const time: Daml<Instant> = parsed(
  'a UTC time like 2026-04-28T14:12:22.491706Z',
  Instant.parse,
  (value) => sixDigits(Instant.format(value)),
  timestampValue,
);

export const int: Daml<number> = {
  expected: 'a whole number',
  read(json, field, faults) {
    const isText = typeof json === 'string' && /^-?\d{1,19}$/.test(json);
    const number = isText ? Number(json) : json;
    return typeof number === 'number' && Number.isSafeInteger(number)
      ? number
      : refuse(json, field, int.expected, faults);
  },
  write: (value) => String(value),
  encode: (value) => int64Value(BigInt(value)),
};

export const cid: Daml<ContractId> = {
  expected: 'a contract id',
  read(json, field, faults) {
    const id = ContractId.parse(json, field);
    if (id.ok) return id.value;
    if (typeof json !== 'string' || !/^00[0-9a-f]*$/i.test(json)) return refuse(json, field, cid.expected, faults);
    faults.push({ ...id.error, unknownContract: json });
    return NO_VALUE;
  },
  write: (value) => ContractId.format(value),
  encode: (value) => contractIdValue(ContractId.format(value)),
};

export const anything: Daml<Json> = {
  expected: 'any value',
  // Cast: request bodies are parsed JSON.
  read: (json) => json as Json,
  write: (value) => value,
  encode: (value) => valueOfJson(value),
};

export function list<Item>(item: Daml<Item>): Daml<readonly Item[]> {
  const expected = `a list, each item ${item.expected}`;
  return {
    expected,
    read(json, field, faults) {
      if (!Array.isArray(json)) return refuse(json, field, expected, faults);
      return json.map((each, i) => item.read(each, `${field}[${i}]`, faults));
    },
    write: (value) => value.map((each) => item.write(each)),
    encode: (value) => listValue(value.map((each) => item.encode(each))),
  };
}

export function optional<Value>(inner: Daml<Value>): Daml<Value | null> {
  return {
    expected: `${inner.expected}, or null`,
    isOptional: true,
    read: (json, field, faults) => (json === null || json === undefined ? null : inner.read(json, field, faults)),
    write: (value) => (value === null ? null : inner.write(value)),
    encode: (value) => optionalValue(value === null ? null : inner.encode(value)),
  };
}

export function textMap<Value>(inner: Daml<Value>): Daml<Readonly<Record<string, Value>>> {
  const expected = `an object, each value ${inner.expected}`;
  return {
    expected,
    read(json, field, faults) {
      if (!isObject(json)) return refuse(json, field, expected, faults);
      return Object.fromEntries(
        Object.entries(json).map(([key, value]) => [key, inner.read(value, `${field}.${key}`, faults)]),
      );
    },
    write: (value) => Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner.write(each)])),
    encode: (value) => textMapValue(Object.entries(value).map(([key, each]) => [key, inner.encode(each)])),
  };
}

/** Unknown fields are refused unless they are null, so that a misspelt field is found. */
export function record<Value extends object>(fields: DamlFields<Value>): Daml<Value> {
  // Cast: the keys of the fields are those of the value.
  const names = Object.keys(fields) as (keyof Value & string)[];
  const expected = names.length === 0 ? 'an empty record {}' : `a record of ${names.join(', ')}`;
  return {
    expected,
    read(json, field, faults) {
      if (!isObject(json)) return refuse(json, field, expected, faults);
      const value: Partial<Value> = {};
      for (const name of names) {
        const path = join(field, name);
        if (json[name] !== undefined || fields[name].isOptional)
          value[name] = fields[name].read(json[name], path, faults);
        else faults.push({ field: path, value: 'nothing', expected: fields[name].expected });
      }
      for (const [name, given] of Object.entries(json))
        if (!Object.hasOwn(fields, name) && given !== null)
          faults.push({ field: join(field, name), value: shown(given), expected: noSuchField(name, names) });
      // Cast: every field is set, unless there is a fault.
      return value as Value;
    },
    write(value) {
      const written: Record<string, Json> = {};
      for (const name of names) written[name] = fields[name].write(value[name]);
      return withoutTrailingNulls(
        written,
        names.filter((name) => fields[name].isOptional),
      );
    },
    encode: (value) =>
      recordValue(names.map((label): RecordField => ({ label, value: fields[label].encode(value[label]) }))),
  };
}

export const unit: Daml<Record<never, never>> = record({});

export interface Metadata {
  readonly values: Readonly<Record<string, string>>;
}

export const metadata: Daml<Metadata> = record<Metadata>({ values: orEmpty(textMap(text)) });

export function orEmpty<Value>(map: Daml<Readonly<Record<string, Value>>>): Daml<Readonly<Record<string, Value>>> {
  return {
    ...map,
    isOptional: true,
    read: (json, field, faults) => (json === undefined ? {} : map.read(json, field, faults)),
  };
}

/** A value whose read has a fault; callers discard it. Cast: it fits no type. */
const NO_VALUE = undefined as never;

function refuse(json: unknown, field: string, expected: string, faults: Fault[]): never {
  faults.push({ field: field || 'the value', value: shown(json), expected });
  return NO_VALUE;
}

function parsed<Value>(
  expected: string,
  parse: (json: unknown, field: string) => Result<Value, Malformed>,
  write: (value: Value) => Json,
  encode: (value: Value) => DamlValue,
): Daml<Value> {
  return {
    expected,
    read(json, field, faults) {
      const result = parse(json, field);
      return result.ok ? result.value : refuse(json, field, expected, faults);
    },
    write,
    encode,
  };
}

export function shown(value: unknown): string {
  const printed = value === undefined ? 'nothing' : JSON.stringify(value);
  return printed.length > 120 ? `${printed.slice(0, 117)}...` : printed;
}

export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function noSuchField(name: string, names: readonly string[]): string {
  const nearest = nearestTo(name, names);
  return nearest === null ? 'no fields' : `no such field; the nearest is ${nearest}`;
}

/** The ledger API omits absent optionals at the end of a record. */
function withoutTrailingNulls(written: Record<string, Json>, optionals: readonly string[]): Json {
  const names = Object.keys(written);
  for (let last = names.pop(); last !== undefined; last = names.pop()) {
    if (written[last] !== null || !optionals.includes(last)) break;
    delete written[last];
  }
  return written;
}

/** The shortest decimal that parses to the same number. */
function decimalOf(number: number): string {
  const shortest = String(number);
  if (shortest.includes('e-')) return number.toFixed(10);
  return shortest.includes('e') && Number.isInteger(number) ? String(BigInt(number)) : shortest;
}

function sixDigits(rfc3339: string): string {
  const [seconds = '', fraction = ''] = rfc3339.slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}Z`;
}
