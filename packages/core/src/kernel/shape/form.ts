import type { ContractId } from '../ids.js';
import type { Malformed } from '../malformed.js';
import type { Packer, Unpacker } from '../packing.js';

/** A JSON value as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How a contract id is written: as its number in the log, as content in the canonical form. */
export type WriteRef = (contract: ContractId) => Json;

export type PrintRef = (contract: ContractId) => string;

/**
 * How values of one type look as JSON: reading them (naming field, value and expectation of whatever does not fit),
 * checking values that programs pass, writing them, and a word for the reference pages. One shape serves the log, commands, state hash and documents.
 */
export interface Shape<Value> {
  /** What is expected, in words. */
  readonly expected: string;
  /** Reads `json`; whatever does not fit is pushed onto `faults` and the result is then meaningless. */
  read(json: unknown, field: string, faults: Malformed[]): Value;
  /**
   * Checks a value that a program passes, such as a command from plain JavaScript, and copies it, so that later changes by the caller
   * do not reach the copy. Whatever does not fit is pushed onto `faults`; fields that the shape does not know are left out.
   * @param tag the field by which a union recognised the record; it is copied too
   */
  check(value: unknown, field: string, faults: Malformed[], tag?: string): Value;
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
  readonly fields?: Readonly<Record<string, Shape<unknown>>>;
  /** What a list or map holds, or what null or absence stands beside: for the reference pages. */
  readonly inner?: Shape<unknown>;
  /** Records of a union by their tag, for the reference pages. */
  readonly variants?: Readonly<Record<string, Shape<unknown>>>;
}

/** The two ways to take a value in: from JSON, or from a program. */
export type Intake = 'read' | 'check';

export type Packing<Value> = Pick<Shape<Value>, 'pack' | 'unpack'>;

/** Contract ids as their numbers: the form of the log. */
export const refNumber: WriteRef = (contract) => contract;

export const refDigits: PrintRef = (contract) => `${contract}`;
