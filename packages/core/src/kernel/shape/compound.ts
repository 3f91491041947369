import { keysOf, Literal } from '@coinlab/collections';
import { parseJsonObject, type JsonObject } from '../json.js';
import { shown, type Malformed } from '../malformed.js';
import { anyParty, type Parties } from '../parties.js';
import { checkPart, readPart, uniform, within, type FrequentForms, type Json, type Make, type Shape } from './form.js';

// Casts: TypeScript cannot follow a record that is built field by field, nor that a tag selects the shape of its record.
// Callers of `read` discard the value when it reports a fault.

const NULL = new Literal('null');

export function nullable<Value>(inner: Shape<Value>): Shape<Value | null> {
  return uniform({
    expected: `${inner.expected} or null`,
    inner,
    read: (json, faults, parties) => (json === null ? null : inner.read(json, faults, parties)),
    check: (value, faults, parties) => (value === null ? null : inner.check(value, faults, parties)),
    print: (value, ref) => (value === null ? 'null' : inner.print(value, ref)),
    pack(value, to) {
      to.count(value === null ? 0 : 1);
      if (value !== null) inner.pack(value, to);
    },
    unpack: (from) => (from.count() === 0 ? null : inner.unpack(from)),
    scan: (from) => (from.has(NULL) ? null : inner.scan(from)),
  });
}

export function optional<Value>(inner: Shape<Value>): Shape<Value | undefined> {
  return uniform({
    expected: `${inner.expected}, or left out`,
    inner,
    optional: true,
    read: (json, faults, parties) => inner.read(json, faults, parties),
    check: (value, faults, parties) => (value === undefined ? undefined : inner.check(value, faults, parties)),
    print: (value, ref) => (value === undefined ? 'null' : inner.print(value, ref)),
    pack(value, to) {
      to.count(value === undefined ? 0 : 1);
      if (value !== undefined) inner.pack(value, to);
    },
    unpack: (from) => (from.count() === 0 ? undefined : inner.unpack(from)),
    scan: (from) => inner.scan(from),
  });
}

export function list<Value>(inner: Shape<Value>): Shape<readonly Value[]> {
  const expected = `list of ${inner.expected}`;
  return uniform({
    expected,
    inner,
    read(json, faults, parties) {
      if (!Array.isArray(json)) {
        faults.push({ field: '', value: shown(json), expected });
        return [];
      }
      const items: Value[] = [];
      for (let i = 0; i < json.length; i++) {
        const sound = faults.length;
        items.push(inner.read(json[i], faults, parties));
        if (faults.length > sound) within(`[${i}]`, faults, sound);
      }
      return items;
    },
    check(given, faults, parties) {
      if (!Array.isArray(given)) {
        faults.push({ field: '', value: shown(given), expected });
        return [];
      }
      const items: Value[] = [];
      for (let i = 0; i < given.length; i++) {
        const sound = faults.length;
        items.push(inner.check(given[i], faults, parties));
        if (faults.length > sound) within(`[${i}]`, faults, sound);
      }
      return items;
    },
    scan: (from) => from.list(inner.scan),
    print(value, ref) {
      if (value.length === 0) return '[]';
      let printed = `[${inner.print(value[0] as Value, ref)}`;
      for (let i = 1; i < value.length; i++) printed += `,${inner.print(value[i] as Value, ref)}`;
      return `${printed}]`;
    },
    pack(value, to) {
      to.count(value.length);
      for (let i = 0; i < value.length; i++) inner.pack(value[i] as Value, to);
    },
    unpack(from) {
      const items: Value[] = [];
      for (let left = from.count(); left > 0 && from.fault === null; left--) items.push(inner.unpack(from));
      return items;
    },
  });
}

export function mapOf<Value>(inner: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  const expected = `map of ${inner.expected}`;
  const copyWith =
    (partOf: (key: string, item: unknown, faults: Malformed[], parties: Parties) => Value) =>
    (given: unknown, faults: Malformed[], parties: Parties = anyParty) => {
      if (isObject(given) && isBare(given))
        return Object.fromEntries(
          Object.entries(given).map(([key, item]) => [key, partOf(key, item, faults, parties)]),
        );
      faults.push({ field: '', value: shown(given), expected });
      return {};
    };
  return uniform({
    expected,
    inner,
    read: copyWith((key, item, faults, parties) => readPart(key, inner, item, faults, parties)),
    check: copyWith((key, item, faults, parties) => checkPart(key, inner, item, faults, parties)),
    scan: (from) => from.object(inner.scan),
    print(value, ref) {
      let printed = '';
      for (const key of keysInOrder(value))
        printed += `${printed === '' ? '{' : ','}${JSON.stringify(key)}:${inner.print(value[key] as Value, ref)}`;
      return printed === '' ? '{}' : `${printed}}`;
    },
    pack(value, to) {
      const keys = Object.keys(value);
      to.count(keys.length);
      if (keys.length > 1) keys.sort();
      for (const key of keys) {
        to.word(key);
        inner.pack(value[key] as Value, to);
      }
    },
    unpack(from) {
      let left = from.count();
      if (left === 0) return {};
      const entries: [string, Value][] = [];
      for (; left > 0 && from.fault === null; left--) entries.push([from.word(), inner.unpack(from)]);
      return Object.fromEntries(entries);
    },
  });
}

export type Fields<Value> = {
  readonly [Key in keyof Value]-?:
    Shape<Value[Key]> | (undefined extends Value[Key] ? Shape<Value[Key] | undefined> : never);
};

/**
 * Refuses unknown fields, so that a misspelt one is found.
 * @param frequent hand-written forms of the most frequent records
 */
export function record<Value extends object>(fields: Fields<Value>, frequent?: FrequentForms<Value>): Shape<Value> {
  const names = keysOf(fields);
  const expected = `record of ${names.join(', ')}`;
  const keys = names.map((name) => `,${JSON.stringify(name)}:`);
  const firsts = keys.map((key) => `{${key.slice(1)}`);
  const shapes = names.map((name) => fields[name]);
  const literals: Literal[] = [];
  const isOptional = shapes.map(({ optional: may }) => may ?? false);
  const makeAny: Make<Value> = (from, tag, word) => {
    const value: Record<string, unknown> = {};
    if (tag !== undefined) value[tag] = word;
    for (let i = 0; i < names.length; i++) {
      const part = from.field(shapes[i] as Shape<unknown>);
      if (part !== undefined) value[names[i] as string] = part;
    }
    return value as Value;
  };
  const packAny: Shape<Value>['pack'] = (value, to) => {
    for (let i = 0; i < names.length; i++) shapes[i]?.pack(value[names[i] as keyof Value & string], to);
  };
  const { make = makeAny, pack = packAny } = frequent ?? {};
  return uniform({
    expected,
    fields,
    read(json, faults, parties, tag) {
      if (!isObject(json)) {
        faults.push({ field: '', value: shown(json), expected });
        return {} as Value;
      }
      const value: Record<string, unknown> = {};
      if (tag !== undefined) value[tag] = json[tag];
      let known = tag === undefined ? 0 : 1;
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string;
        const shape = shapes[i] as Shape<unknown>;
        const part = json[name];
        if (part !== undefined) {
          value[name] = readPart(name, shape, part, faults, parties);
          known += 1;
        } else if (!isOptional[i]) faults.push({ field: name, value: 'nothing', expected: shape.expected });
      }
      if (Object.keys(json).length === known) return value as Value;
      for (const name of Object.keys(json)) {
        if (name === tag || Object.hasOwn(fields, name)) continue;
        const expectedNames = `no such field; known are ${names.join(', ')}`;
        faults.push({ field: name, value: shown(json[name]), expected: expectedNames });
      }
      return value as Value;
    },
    check(given, faults, parties, tag) {
      if (!isObject(given)) {
        faults.push({ field: '', value: shown(given), expected });
        return {} as Value;
      }
      const value: Record<string, unknown> = {};
      if (tag !== undefined) value[tag] = given[tag];
      // Reads each field once, because a getter may return another value at the next read.
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string;
        const part = given[name];
        if (part === undefined && isOptional[i]) continue;
        value[name] = checkPart(name, shapes[i] as Shape<unknown>, part, faults, parties);
      }
      return value as Value;
    },
    print(value, ref, start = '') {
      let printed = start;
      for (let i = 0; i < names.length; i++) {
        const inner = value[names[i] as keyof Value & string];
        if (inner !== undefined) printed += `${printed === '' ? firsts[i] : keys[i]}${shapes[i]?.print(inner, ref)}`;
      }
      return printed === '' ? '{}' : `${printed}}`;
    },
    pack,
    unpack: make,
    scan(from, tag, word) {
      if (literals.length === 0) literals.push(...[...keys, ...firsts].map((key) => new Literal(key)));
      return from.record(literals, make, tag, word);
    },
  });
}

/** The shapes of the records leave the tag out; it is written first. */
export function tagged<Value extends object>(
  tag: keyof Value & string,
  shapes: Readonly<Record<string, Shape<unknown>>>,
): Shape<Value> {
  const expected = `one of ${Object.keys(shapes).join(', ')}`;
  const start = new Literal(`{"${tag}":`);
  const byTag = new Map(Object.entries(shapes));
  const shapeOf = (given: unknown, faults: Malformed[]): Shape<unknown> | null => {
    const word = isObject(given) ? given[tag] : undefined;
    const shape = typeof word === 'string' && Object.hasOwn(shapes, word) ? shapes[word] : undefined;
    if (!shape) faults.push({ field: tag, value: shown(isObject(given) ? word : given), expected });
    return shape ?? null;
  };
  return uniform({
    expected,
    variants: shapes,
    read: (json, faults, parties) => (shapeOf(json, faults)?.read(json, faults, parties, tag) ?? {}) as Value,
    check: (given, faults, parties) => (shapeOf(given, faults)?.check(given, faults, parties, tag) ?? {}) as Value,
    print(value, ref) {
      const word = value[tag] as string;
      const start = `{"${tag}":"${word}"`;
      return shapes[word]?.print(value, ref, start) ?? `${start}}`;
    },
    pack(value, to) {
      const word = value[tag] as string;
      to.word(word);
      shapes[word]?.pack(value, to);
    },
    unpack(from) {
      const word = from.word();
      const shape = byTag.get(word);
      if (!shape) from.fault ??= `${tag}: got ${word}, expected ${expected}`;
      return shape?.unpack(from, tag, word) as Value;
    },
    scan(from) {
      from.expect(start);
      const word = from.text();
      return from.found(byTag.get(word))?.scan(from, tag, word) as Value;
    },
  });
}

/** A JSON object that its reader interprets, such as a command inside another one. */
export const jsonObject: Shape<JsonObject> = uniform({
  expected: 'JSON object',
  read(json, faults) {
    if (isObject(json)) return copyOf(json, '', faults, 0) as JsonObject;
    faults.push({ field: '', value: shown(json), expected: 'JSON object' });
    return {};
  },
  check: (value, faults) => jsonObject.read(value, faults),
  print: (value) => JSON.stringify(value),
  pack: (value, to) => to.text(JSON.stringify(value)),
  unpack: (from) => parseJsonObject(from.text()) ?? {},
  scan(from) {
    from.failed = true;
    return {};
  },
});

/** Objects of a program may contain themselves. */
const MOST_DEPTH = 100;

function copyOf(value: unknown, field: string, faults: Malformed[], depth: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (depth < MOST_DEPTH && Array.isArray(value))
    return Array.from(value, (item: unknown, i) => copyOf(item, `${field}[${i}]`, faults, depth + 1));
  if (depth < MOST_DEPTH && isObject(value) && isBare(value)) {
    const copied = (name: string): Json => copyOf(value[name], join(field, name), faults, depth + 1);
    return Object.fromEntries(Object.keys(value).map((name) => [name, copied(name)]));
  }
  faults.push({ field, value: shown(value), expected: 'a JSON value' });
  return null;
}

/** JavaScript lists keys that look like numbers first, wherever they are added. */
function keysInOrder(map: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(map);
  return keys.length < 2 ? keys : Object.keys(Object.fromEntries(keys.sort().map((key) => [key, null])));
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function isBare(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
