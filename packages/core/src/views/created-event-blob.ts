import { bytesToUtf8, utf8ToBytes } from '@noble/hashes/utils.js';
import { contractShape, type Contract } from '../contracts/contract.js';
import { Base64, joined } from '../kernel/bytes.js';
import { parseJsonObject } from '../kernel/json.js';
import { malformed, type Malformed } from '../kernel/malformed.js';
import { err, ok, type Result } from '../kernel/result.js';
import { refNumber } from '../kernel/shape.js';

/**
 * The first bytes of the network's blobs: field 1 with the version, 2.1. In base64 they begin with `CgMyLjE`, which
 * clients test to recognise recent blobs. Field 2 is the contract.
 */
const VERSION = new Uint8Array([0x0a, 3, 0x32, 0x2e, 0x31]);
const CONTENT_FIELD = 0x12;

/**
 * Returns a contract as the opaque text that clients carry from a reader of the ledger to a submission: standard
 * base64 that starts with `CgMy`. {@link readCreatedEventBlob} reads it back.
 */
export function createdEventBlob(contract: Contract): string {
  const content = utf8ToBytes(JSON.stringify(contractShape.write(contract, refNumber)));
  return Base64.format(joined(VERSION, new Uint8Array([CONTENT_FIELD, ...varint(content.length)]), content));
}

/** Reads a text of {@link createdEventBlob}. Does not check that the contract is still active. */
export function readCreatedEventBlob(blob: string): Result<Contract, Malformed> {
  const field = 'createdEventBlob';
  const expected = 'a blob that this ledger gave out';
  const bytes = Base64.parse(blob, field);
  if (!bytes.ok) return bytes;
  const start = VERSION.length + 1;
  const lengthBytes = bytes.value.slice(start).findIndex((byte) => byte < 128) + 1;
  const content = bytes.value.slice(start + lengthBytes);
  const head = joined(VERSION, new Uint8Array([CONTENT_FIELD, ...varint(content.length)]));
  const json = head.every((byte, i) => bytes.value[i] === byte) ? parseJsonObject(bytesToUtf8(content)) : null;
  if (!json) return malformed(field, blob, expected);
  const faults: Malformed[] = [];
  const contract = contractShape.read(json, field, faults);
  return faults[0] ? err(faults[0]) : ok(contract);
}

/** Encodes a whole number with seven bits a byte, the lowest first. */
function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}
