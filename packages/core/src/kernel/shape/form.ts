import type { ContractId } from '../ids.js';
import type { Malformed } from '../malformed.js';
import type { Packer, Unpacker } from '../packing.js';
import type { Parties } from '../parties.js';
import type { TextReader } from '../text-reader.js';

/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Prints a contract id: as its number in the log, as its content in the canonical form. */
export type PrintRef = (contract: ContractId) => string;

/**
 * Describes a type: reading its JSON (faults name field, value and expectation), checking values from programs,
 * writing and packing. The log, commands, the state hash and the reference pages use the same shape.
 */
export interface Shape<Value> {
  readonly expected: string;
  /**
   * Reads `json`. Faults are pushed onto `faults`, with paths relative to the value; with any the result is meaningless.
   * @param parties recognises party ids; default: each by its text
   * @param tag the field by which a union recognised the record; it is read too
   */
  read(json: unknown, faults: Malformed[], parties?: Parties, tag?: string): Value;
  /**
   * Checks and copies a value from a program, such as a command from plain JavaScript; later changes by the caller do
   * not reach the copy. Faults are pushed onto `faults`, with paths relative to the value; unknown fields are dropped.
   * @param parties recognises party ids; a ledger does so without matching the text of a party that it knows
   * @param tag the field by which a union recognised the record; it is copied too
   */
  check(value: unknown, faults: Malformed[], parties: Parties, tag?: string): Value;
  /** Returns the value as JSON without spaces; `start` is the text of a union's tag. */
  print(value: Value, ref: PrintRef, start?: string): string;
  /**
   * Reads the text that `print` wrote; any other text sets the reader's `failed`.
   * @param tag the field by which a union recognised the record, and `word` its value; they were read
   */
  scan(from: TextReader, tag?: string, word?: string): Value;
  pack(value: Value, to: Packer): void;
  /**
   * Reads the bytes that `pack` wrote; malformed bytes set the unpacker's fault.
   * @param tag as for {@link scan}
   */
  unpack(from: Unpacker, tag?: string, word?: string): Value;
  /** Whether the field may be left out: only in commands; updates always carry every field. */
  readonly optional?: true | undefined;
  /** Fields of a record, for the reference pages. */
  readonly fields?: Readonly<Record<string, Shape<unknown>>> | undefined;
  /** Type of the items of a list or map, or the non-null type of a nullable one; for the reference pages. */
  readonly inner?: Shape<unknown> | undefined;
  /** Records of a union by tag, for the reference pages. */
  readonly variants?: Readonly<Record<string, Shape<unknown>>> | undefined;
}

/** Gives shapes the same fields in the same order. Loops over fields call those of many shapes, and V8 looks a field up slowly in objects of many forms. */
export function uniform<Value>(shape: Shape<Value>): Shape<Value> {
  const { expected, read, check, print, scan, pack, unpack, optional, fields, inner, variants } = shape;
  return { expected, read, check, print, scan, pack, unpack, optional, fields, inner, variants };
}

/** Puts the faults from an index on below a path. Only faults get one: a path for every value costs more than its check. */
export function within(path: string, faults: Malformed[], from: number): void {
  for (let at = from; at < faults.length; at++) {
    const fault = faults[at] as Malformed; // `at` is below the length
    const { field } = fault;
    faults[at] = { ...fault, field: field === '' || field.startsWith('[') ? `${path}${field}` : `${path}.${field}` };
  }
}

/** Reads a part of a value; faults get its name as path. */
export function readPart<Value>(
  name: string,
  shape: Shape<Value>,
  part: unknown,
  faults: Malformed[],
  parties?: Parties,
): Value {
  const sound = faults.length;
  const own = shape.read(part, faults, parties);
  if (faults.length > sound) within(name, faults, sound);
  return own;
}

/** Checks a part of a value; faults get its name as path. */
export function checkPart<Value>(
  name: string,
  shape: Shape<Value>,
  part: unknown,
  faults: Malformed[],
  parties: Parties,
): Value {
  const sound = faults.length;
  const own = shape.check(part, faults, parties);
  if (faults.length > sound) within(name, faults, sound);
  return own;
}

export type Packing<Value> = Pick<Shape<Value>, 'pack' | 'unpack'>;

/** A text or packed bytes that hold a record. */
interface FieldSource {
  /** Returns the next field, which has this shape; undefined if it was left out. */
  field<Value>(shape: Shape<Value>): Value;
}

/** Makes a record from its fields, each read in its order. */
export type Make<Value> = (from: FieldSource, tag?: string, word?: string) => Value;

/**
 * Hand-written forms of a record with all its fields in order, and with its tag. A literal with all fields takes a
 * fraction of the time of an object that gets them by name.
 */
export interface FrequentForms<Value> {
  readonly pack: Shape<Value>['pack'];
  readonly make: Make<Value>;
}

/** Prints contract ids as their numbers: the form of the log. */
export const refDigits: PrintRef = (contract) => `${contract}`;
