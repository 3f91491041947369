import { ScalarType, type FieldInfo, type IMessageType, type MessageType } from '@protobuf-ts/runtime';
import { Backwards } from './backwards.js';

/*
 * Writes messages as the protobuf runtime does, from the same descriptions, ten times as fast: the fields of a type become
 * functions once, instead of being looked up for every message.
 */

/** The bytes are valid until the next message is written. */
export type Write<Message extends object> = (message: Message) => Buffer;

type WriteField = (message: Fields, out: Backwards) => void;
type Fields = Readonly<Record<string, unknown>>;

/** @param kept types of long-lived inner messages, whose bytes are cached for as long as the message exists */
export function writerOf<Message extends object>(
  type: IMessageType<Message>,
  ...kept: readonly MessageType<object>[]
): Write<Message> {
  const compiled = new Map<string, Compiled>();
  const out = new Backwards();

  function compile({ typeName, fields }: IMessageType<object>): Compiled {
    const known = compiled.get(typeName);
    if (known) return known;
    const made: Compiled = { fields: [] };
    compiled.set(typeName, made);
    const last = fields.toSorted((a, b) => b.no - a.no);
    made.fields = oneofsOf(last).map((each) => (Array.isArray(each) ? oneofWriter(each) : fieldWriter(each)));
    return made;
  }

  function fieldWriter(field: FieldInfo): WriteField {
    const write = valueWriter(field);
    const name = field.localName;
    if (field.repeat)
      return (message, to) => {
        // Cast: the field is repeated.
        const items = message[name] as readonly unknown[];
        for (let i = items.length - 1; i >= 0; i--) write(items[i], to);
      };
    const isAlways = field.kind === 'message' || field.opt === true;
    return (message, to) => {
      const value = message[name];
      if (value !== undefined && (isAlways || !isDefault(value))) write(value, to);
    };
  }

  function oneofWriter(fields: readonly FieldInfo[]): WriteField {
    const name = fields[0]?.oneof ?? '';
    const writers = new Map(fields.map((field) => [field.localName, valueWriter(field)]));
    return (message, to) => {
      // Cast: a oneof is an object with the name of its field.
      const group = message[name] as { readonly oneofKind: string | undefined } & Fields;
      if (group.oneofKind !== undefined) writers.get(group.oneofKind)?.(group[group.oneofKind], to);
    };
  }

  function valueWriter(field: FieldInfo): (value: unknown, to: Backwards) => void {
    if (field.kind === 'message') return messageWriter(field.T(), field.no);
    if (field.kind === 'scalar') return scalarWriter(field.T, field.no);
    throw new Error(`${field.name}: no message here has a field of this kind: ${field.kind}`);
  }

  function messageWriter(nested: IMessageType<object>, no: number): (value: unknown, to: Backwards) => void {
    const own = compile(nested);
    const writeFields = (value: unknown, to: Backwards): void => {
      // Cast: the field is a message.
      for (const write of own.fields) write(value as Fields, to);
    };
    if (!kept.some((each) => each === nested))
      return (value, to) => {
        const before = to.length;
        writeFields(value, to);
        to.prefix(no, to.length - before);
      };
    const bytesOf = new WeakMap<object, Uint8Array>();
    return (value, to) => {
      const before = to.length;
      // Cast: as above.
      const key = value as object;
      const known = bytesOf.get(key);
      if (known) to.raw(known);
      else {
        writeFields(value, to);
        bytesOf.set(key, to.copySince(before));
      }
      to.prefix(no, to.length - before);
    };
  }

  const root = compile(type);
  return (message) => {
    out.clear();
    // Cast: a message is an object of fields.
    for (const write of root.fields) write(message as Fields, out);
    return out.viewSince(0);
  };
}

interface Compiled {
  fields: readonly WriteField[];
}

function oneofsOf(fields: readonly FieldInfo[]): readonly (FieldInfo | FieldInfo[])[] {
  const groups: (FieldInfo | FieldInfo[])[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (field.oneof === undefined) groups.push(field);
    else if (Array.isArray(last) && last[0]?.oneof === field.oneof) last.push(field);
    else groups.push([field]);
  }
  return groups;
}

/** Defaults are not written, unless the field is in a oneof, optional or an item of a list. */
function isDefault(value: unknown): boolean {
  return (
    value === 0 ||
    value === 0n ||
    value === false ||
    value === '' ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

type WriteScalar = (value: unknown, to: Backwards, no: number) => void;

/** Casts: the field has the type of its scalar. */
const SCALARS: Partial<Record<ScalarType, WriteScalar>> = {
  [ScalarType.STRING]: (value, to, no) => to.text(no, value as string),
  [ScalarType.BYTES]: (value, to, no) => to.bytes(no, value as Uint8Array),
  [ScalarType.BOOL]: (value, to, no) => to.varint(no, value === true ? 1 : 0),
  [ScalarType.INT32]: (value, to, no) => to.varint(no, value as number),
  [ScalarType.UINT32]: (value, to, no) => to.varint(no, value as number),
  [ScalarType.UINT64]: (value, to, no) => to.varint(no, Number(value as bigint)),
  [ScalarType.SINT64]: (value, to, no) => to.zigzag(no, value as bigint),
  [ScalarType.SFIXED64]: (value, to, no) => to.fixed64(no, value as bigint),
};

function scalarWriter(type: ScalarType, no: number): (value: unknown, to: Backwards) => void {
  const write = SCALARS[type];
  if (!write) throw new Error(`no message here has a scalar of this type: ${type}`);
  return (value, to) => write(value, to, no);
}
