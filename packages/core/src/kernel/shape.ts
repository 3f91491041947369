import { Amount } from './amount.js';
import { ContractId, PartyId } from './ids.js';
import { shown, type Malformed } from './malformed.js';
import type { Packer, Unpacker } from './packing.js';
import type { Result } from './result.js';
import { Duration, Instant, Round } from './time.js';

/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How a contract id is written: as its number in the log, as content in the canonical form. */
export type WriteRef = (contract: ContractId) => Json;

/** The same as JSON text. */
export type PrintRef = (contract: ContractId) => string;

/**
 * How values of one type look as JSON: reading them (naming field, value and expectation of whatever does not fit),
 * writing them, and a word for the reference pages. One shape serves the log, commands, state hash and documents.
 */
export interface Shape<Value> {
  /** What is expected, in words. */
  readonly expected: string;
  /** Reads `json`; whatever does not fit is pushed onto `faults` and the result is then meaningless. */
  read(json: unknown, field: string, faults: Malformed[]): Value;
  /** The JSON form; fields in declared order. */
  write(value: Value, ref: WriteRef): Json;
  /** The text of the JSON form, byte for byte what `JSON.stringify` makes of `write`, at a third of its cost. */
  print(value: Value, ref: PrintRef): string;
  /** The value as bytes, for the compact log. */
  pack(value: Value, to: Packer): void;
  /** Reads back what `pack` wrote; bytes that make no sense set the unpacker's fault. */
  unpack(from: Unpacker): Value;
  /** Whether the field may be left out: only in commands; updates always carry every field. */
  readonly optional?: true;
  /** Fields of a record, for the reference pages. */
  readonly fields?: Readonly<Record<string, Shape<never>>>;
  /** What a list or map holds, or what null or absence stands beside: for the reference pages. */
  readonly inner?: Shape<never>;
  /** Records of a union by their tag, for the reference pages. */
  readonly variants?: Readonly<Record<string, Shape<never>>>;
}

/** Contract ids as their numbers: the form of the log. */
export const refNumber: WriteRef = (contract) => contract;

/** The same as JSON text. */
export const refDigits: PrintRef = (contract) => `${contract}`;

type Packing<Value> = Pick<Shape<Value>, 'pack' | 'unpack'>;

const packedText: Packing<never> = {
  pack: (value: string, to) => to.text(value),
  unpack: (from) => from.text() as never,
};
const packedWord: Packing<never> = {
  pack: (value: string, to) => to.word(value),
  unpack: (from) => from.word() as never,
};
const packedInteger: Packing<never> = {
  pack: (value: number, to) => to.integer(value),
  unpack: (from) => from.integer() as never,
};
const packedBig: Packing<never> = {
  pack: (value: bigint, to) => to.big(value),
  unpack: (from) => from.big() as never,
};

function leaf<Value>(
  expected: string,
  parse: (json: unknown, field: string) => Result<Value, Malformed>,
  write: (value: Value) => Json,
  print: (value: Value) => string,
  packing: Packing<Value>,
): Shape<Value> {
  return {
    ...packing,
    expected,
    read(json, field, faults) {
      const parsed = parse(json, field);
      if (parsed.ok) return parsed.value;
      faults.push(parsed.error);
      return undefined as Value;
    },
    write,
    print,
  };
}

function checked<Value>(
  expected: string,
  accepts: (json: unknown) => boolean,
  write: (value: Value) => Json,
  packing: Packing<Value>,
): Shape<Value> {
  return {
    ...packing,
    expected,
    read(json, field, faults) {
      if (!accepts(json)) faults.push({ field, value: shown(json), expected });
      return json as Value;
    },
    write,
    print: (value) => JSON.stringify(value),
  };
}

/** A Decimal as text with ten places. */
export const amount: Shape<Amount> = leaf(
  'decimal text',
  Amount.parse,
  Amount.format,
  (value) => `"${Amount.format(value)}"`,
  { pack: (value, to) => to.amount(value), unpack: (from) => from.amount() as Amount },
);
/** A UTC time as text. */
export const instant: Shape<Instant> = leaf(
  'UTC time',
  Instant.parse,
  Instant.format,
  (value) => `"${Instant.format(value)}"`,
  packedBig,
);
/** A span as a text of microseconds. */
export const duration: Shape<Duration> = leaf(
  'microseconds as text',
  Duration.parse,
  Duration.format,
  (value) => `"${value}"`,
  packedBig,
);
/** A round number. */
export const round: Shape<Round> = leaf(
  'round number',
  Round.parse,
  (value) => value,
  (value) => `${value}`,
  packedInteger,
);
/** A party id. */
export const party: Shape<PartyId> = leaf(
  'party id',
  PartyId.parse,
  (value) => value,
  // No character of a party id needs an escape.
  (value) => `"${value}"`,
  packedWord,
);
/** A contract id. */
export const contractId: Shape<ContractId> = {
  expected: 'contract number',
  read(json, field, faults) {
    const parsed = ContractId.read(json, field);
    if (parsed.ok) return parsed.value;
    faults.push(parsed.error);
    return undefined as never;
  },
  write: (value, ref) => ref(value),
  print: (value, ref) => ref(value),
  pack: (value, to) => to.contract(value),
  unpack: (from) => from.contract() as ContractId,
};
/** Any text. */
export const text: Shape<string> = checked(
  'text',
  (json) => typeof json === 'string',
  (value) => value,
  packedText,
);
/** True or false. */
export const bool: Shape<boolean> = checked(
  'true or false',
  (json) => typeof json === 'boolean',
  (value) => value,
  { pack: (value, to) => to.count(value ? 1 : 0), unpack: (from) => from.count() === 1 },
);
/** A whole number that a double holds exactly. */
export const integer: Shape<number> = checked(
  'whole number',
  (json) => Number.isSafeInteger(json),
  (value) => value,
  packedInteger,
);

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Shape<Word> {
  return checked(
    `one of ${words.join(', ')}`,
    (json) => words.includes(json as Word),
    (value) => value,
    packedWord,
  );
}

/** The value or null. */
export function nullable<Value>(inner: Shape<Value>): Shape<Value | null> {
  return {
    expected: `${inner.expected} or null`,
    inner: inner as Shape<never>,
    read: (json, field, faults) => (json === null ? null : inner.read(json, field, faults)),
    write: (value, ref) => (value === null ? null : inner.write(value, ref)),
    print: (value, ref) => (value === null ? 'null' : inner.print(value, ref)),
    pack(value, to) {
      to.count(value === null ? 0 : 1);
      if (value !== null) inner.pack(value, to);
    },
    unpack: (from) => (from.count() === 0 ? null : inner.unpack(from)),
  };
}

/** A field that a command may leave out. */
export function optional<Value>(inner: Shape<Value>): Shape<Value | undefined> {
  return {
    expected: `${inner.expected}, or left out`,
    inner: inner as Shape<never>,
    optional: true,
    read: (json, field, faults) => inner.read(json, field, faults),
    write: (value, ref) => (value === undefined ? null : inner.write(value, ref)),
    print: (value, ref) => (value === undefined ? 'null' : inner.print(value, ref)),
    pack(value, to) {
      to.count(value === undefined ? 0 : 1);
      if (value !== undefined) inner.pack(value, to);
    },
    unpack: (from) => (from.count() === 0 ? undefined : inner.unpack(from)),
  };
}

/** A list. */
export function list<Value>(inner: Shape<Value>): Shape<readonly Value[]> {
  const expected = `list of ${inner.expected}`;
  return {
    expected,
    inner: inner as Shape<never>,
    read(json, field, faults) {
      if (!Array.isArray(json)) {
        faults.push({ field, value: shown(json), expected });
        return [];
      }
      return json.map((item, i) => inner.read(item, `${field}[${i}]`, faults));
    },
    write: (value, ref) => value.map((item) => inner.write(item, ref)),
    print(value, ref) {
      if (value.length === 0) return '[]';
      let printed = `[${inner.print(value[0] as Value, ref)}`;
      for (let i = 1; i < value.length; i++) printed += `,${inner.print(value[i] as Value, ref)}`;
      return `${printed}]`;
    },
    pack(value, to) {
      to.count(value.length);
      for (const item of value) inner.pack(item, to);
    },
    unpack(from) {
      const items: Value[] = [];
      for (let left = from.count(); left > 0 && from.fault === null; left--) items.push(inner.unpack(from));
      return items;
    },
  };
}

/** A free map from texts; keys are written in sorted order. */
export function mapOf<Value>(inner: Shape<Value>): Shape<Readonly<Record<string, Value>>> {
  const expected = `map of ${inner.expected}`;
  return {
    expected,
    inner: inner as Shape<never>,
    read(json, field, faults) {
      if (!isObject(json)) {
        faults.push({ field, value: shown(json), expected });
        return {};
      }
      return Object.fromEntries(
        Object.entries(json).map(([key, item]) => [key, inner.read(item, `${field}.${key}`, faults)]),
      );
    },
    write: (value, ref) => sorted(value, (item) => inner.write(item, ref)),
    print(value, ref) {
      const entries = Object.entries(sorted(value, (item) => inner.print(item, ref)));
      return entries.length === 0 ? '{}' : `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;
    },
    pack(value, to) {
      const keys = Object.keys(value).sort();
      to.count(keys.length);
      for (const key of keys) {
        to.word(key);
        inner.pack(value[key] as Value, to);
      }
    },
    unpack(from) {
      const entries: [string, Value][] = [];
      for (let left = from.count(); left > 0 && from.fault === null; left--)
        entries.push([from.word(), inner.unpack(from)]);
      return Object.fromEntries(entries);
    },
  };
}

/** The shapes of all fields of a record. */
export type Fields<Value> = {
  readonly [Key in keyof Value]-?:
    Shape<Value[Key]> | (undefined extends Value[Key] ? Shape<Value[Key] | undefined> : never);
};

/** A record with exactly these fields; an unknown field is refused, so that a misspelt one cannot hide. */
export function record<Value extends object>(fields: Fields<Value>): Shape<Value> {
  const names = Object.keys(fields) as (keyof Value & string)[];
  const expected = `record of ${names.join(', ')}`;
  const keys = names.map((name) => `,${JSON.stringify(name)}:`);
  const firsts = keys.map((key) => `{${key.slice(1)}`);
  const shapes = names.map((name) => fields[name]);
  return {
    expected,
    fields: fields as unknown as Readonly<Record<string, Shape<never>>>,
    read(json, field, faults) {
      if (!isObject(json)) {
        faults.push({ field, value: shown(json), expected });
        return {} as Value;
      }
      const value: Record<string, unknown> = {};
      for (const name of names) {
        if (name in json) value[name] = fields[name].read(json[name], join(field, name), faults);
        else if (!fields[name].optional)
          faults.push({ field: join(field, name), value: 'nothing', expected: fields[name].expected });
      }
      for (const name of Object.keys(json)) {
        if (!Object.hasOwn(fields, name))
          faults.push({
            field: join(field, name),
            value: shown(json[name]),
            expected: `no such field; known are ${names.join(', ')}`,
          });
      }
      return value as Value;
    },
    write(value, ref) {
      const written: Record<string, Json> = {};
      for (const name of names) {
        const inner = value[name];
        if (inner !== undefined) written[name] = fields[name].write(inner, ref);
      }
      return written;
    },
    print(value, ref) {
      let printed = '';
      for (let i = 0; i < names.length; i++) {
        const inner = value[names[i] as keyof Value & string];
        if (inner !== undefined) printed += `${printed === '' ? firsts[i] : keys[i]}${shapes[i]?.print(inner, ref)}`;
      }
      return printed === '' ? '{}' : `${printed}}`;
    },
    pack(value, to) {
      for (let i = 0; i < names.length; i++) shapes[i]?.pack(value[names[i] as keyof Value & string], to);
    },
    unpack(from) {
      const value: Record<string, unknown> = {};
      for (const name of names) {
        const inner = fields[name].unpack(from);
        if (inner !== undefined) value[name] = inner;
      }
      return value as Value;
    },
  };
}

/** A union of records that one field tells apart. Each record's shape leaves that field out; it is written first. */
export function tagged<Value extends object>(
  tag: keyof Value & string,
  shapes: Readonly<Record<string, Shape<never>>>,
): Shape<Value> {
  const expected = `one of ${Object.keys(shapes).join(', ')}`;
  return {
    expected,
    variants: shapes,
    read(json, field, faults) {
      const word = isObject(json) ? json[tag] : undefined;
      const shape = typeof word === 'string' && Object.hasOwn(shapes, word) ? shapes[word] : undefined;
      if (!isObject(json) || !shape) {
        faults.push({ field: join(field, tag), value: shown(isObject(json) ? word : json), expected });
        return {} as Value;
      }
      const { [tag]: _, ...rest } = json;
      return { [tag]: word, ...(shape.read(rest, field, faults) as object) } as Value;
    },
    write(value, ref) {
      const word = value[tag] as string;
      const { [tag]: _, ...rest } = value;
      return { [tag]: word, ...(shapes[word]?.write(rest as never, ref) as object) } as Json;
    },
    print(value, ref) {
      const word = value[tag] as string;
      const fields = shapes[word]?.print(value as never, ref) ?? '{}';
      return `{"${tag}":"${word}"${fields === '{}' ? '' : ','}${fields.slice(1)}`;
    },
    pack(value, to) {
      const word = value[tag] as string;
      to.word(word);
      shapes[word]?.pack(value as never, to);
    },
    unpack(from) {
      const word = from.word();
      const shape = Object.hasOwn(shapes, word) ? shapes[word] : undefined;
      if (!shape) from.fault ??= `${tag}: got ${word}, ${expected}`;
      return { [tag]: word, ...(shape?.unpack(from) as object | undefined) } as Value;
    },
  };
}

/** A map with its values converted. From entries, so that a key like `__proto__` stays a key; the object itself moves keys that look like numbers to its front. */
function sorted<Value, To>(map: Readonly<Record<string, Value>>, convert: (value: Value) => To): Record<string, To> {
  const keys = Object.keys(map).sort();
  return Object.fromEntries(keys.map((key) => [key, convert(map[key] as Value)]));
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
