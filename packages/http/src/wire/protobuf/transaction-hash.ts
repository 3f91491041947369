import { hash } from 'node:crypto';
import type { Create, Exercise, Identifier, InputContract, Metadata, PreparedMessage, Value } from './messages.js';
import { NoHash, type NodeTree } from './node-tree.js';

/*
 * The hash of a prepared transaction that a party signs, version 2. It covers the content of the message, not its bytes: two
 * encodings of one message have one hash.
 * Source: Canton's documentation of the external signing hashing algorithm, version 2.
 */

const PURPOSE = Buffer.from([0, 0, 0, 48]);
const NODE_VERSION = 1;
const METADATA_VERSION = 1;
const SCHEME_VERSION = 2;
/** Records, variants and enums are written without the ids of their types. */
const NO_ID = 0;
const VALUE_TAGS = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  textMap: 11,
  record: 12,
  variant: 13,
  enum: 14,
} as const;

/** @param tree of the message's transaction */
export function transactionHash({ transaction, metadata }: PreparedMessage, tree: NodeTree): string {
  sink.clear();
  const { version } = required(transaction, 'transaction');
  const ofTransaction = sink.hashOf(() => sink.raw(PURPOSE).text(version).children(tree.roots, tree));
  const ofMetadata = sink.hashOf(() => sink.raw(PURPOSE).metadata(required(metadata, 'metadata')));
  const all = (): Sink => sink.raw(PURPOSE).byte(SCHEME_VERSION).digest(ofTransaction).digest(ofMetadata);
  return sink.hashOf(all, 'hex');
}

function required<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new NoHash(`${name} is missing`);
  return part;
}

/** Prepared transactions share their input contracts, whose messages are immutable. */
const inputHashes: WeakMap<InputContract, Digest> = new WeakMap();

/** The network has few templates. */
const identifierBytes: WeakMap<Identifier, Uint8Array> = new WeakMap();

/** The bytes of a SHA-256 as characters: Node returns a text in half of the time of a buffer. */
type Digest = string;

const FIRST_SIZE = 65_536;
/** Number of characters from which Node's encoder is faster than a loop. */
const LONG = 24;
/** Number of bytes that UTF-8 needs for a UTF-16 code unit. */
const MOST_BYTES = 3;

class Sink {
  #buffer: Buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** Also drops the bytes of a hash that failed, and the memory of a large transaction. */
  clear(): void {
    this.#length = 0;
    if (this.#buffer.length > FIRST_SIZE) this.#buffer = Buffer.allocUnsafe(FIRST_SIZE);
  }

  hashOf(write: () => unknown, encoding: 'binary' | 'hex' = 'binary'): Digest {
    const from = this.#length;
    write();
    const digest = hash('sha256', this.#buffer.subarray(from, this.#length), encoding);
    this.#length = from;
    return digest;
  }

  digest(digest: Digest): this {
    const at = this.#reserve(digest.length);
    this.#buffer.write(digest, at, 'latin1');
    return this;
  }

  raw(bytes: Uint8Array): this {
    // Reserving may replace the buffer, so it comes first.
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
    return this;
  }

  byte(value: number): this {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
    return this;
  }

  int(value: number): this {
    const at = this.#reserve(4);
    this.#buffer.writeInt32BE(value, at);
    return this;
  }

  long(value: bigint): this {
    const at = this.#reserve(8);
    this.#buffer.writeBigInt64BE(BigInt.asIntN(64, value), at);
    return this;
  }

  text(value: string): this {
    const start = this.#reserve(4 + MOST_BYTES * value.length) + 4;
    const length = writeText(this.#buffer, value, start);
    this.#buffer.writeInt32BE(length, start - 4);
    this.#length = start + length;
    return this;
  }

  contractId(hex: string): this {
    const start = this.#reserve(4 + (hex.length >> 1)) + 4;
    const length = this.#buffer.write(hex, start, 'hex');
    this.#buffer.writeInt32BE(length, start - 4);
    this.#length = start + length;
    return this;
  }

  optional<Part>(part: Part | undefined, write: (part: Part) => unknown): this {
    this.byte(part === undefined ? 0 : 1);
    if (part !== undefined) write(part);
    return this;
  }

  list<Item>(items: readonly Item[], write: (item: Item) => unknown): this {
    this.int(items.length);
    for (const item of items) write(item);
    return this;
  }

  texts(values: readonly string[]): this {
    return this.list(values, (each) => this.text(each));
  }

  identifier(id: Identifier | undefined): this {
    const own = required(id, 'an identifier');
    const known = identifierBytes.get(own);
    if (known) return this.raw(known);
    const from = this.#length;
    this.text(own.packageId).texts(own.moduleName.split('.')).texts(own.entityName.split('.'));
    identifierBytes.set(own, new Uint8Array(this.#buffer.subarray(from, this.#length)));
    return this;
  }

  children(ids: readonly string[], tree: NodeTree): this {
    return this.list(ids, (id) => this.digest(this.hashOf(() => this.node(id, tree))));
  }

  node(id: string, tree: NodeTree): this {
    const node = tree.nodes.get(id);
    if (node?.oneofKind === 'create') return this.create(node.create, tree.seeds.get(id));
    if (node?.oneofKind === 'exercise') return this.exercise(node.exercise, id, tree);
    throw new NoHash(`node ${id} is neither a create nor an exercise`);
  }

  create(create: Create, seed?: Uint8Array): this {
    return this.byte(NODE_VERSION)
      .text(create.lfVersion)
      .byte(0)
      .optional(seed, (bytes) => this.raw(bytes))
      .contractId(create.contractId)
      .text(create.packageName)
      .identifier(create.templateId)
      .value(create.argument)
      .texts(create.signatories)
      .texts(create.stakeholders);
  }

  exercise(exercise: Exercise, id: string, tree: NodeTree): this {
    return this.byte(NODE_VERSION)
      .text(exercise.lfVersion)
      .byte(1)
      .raw(required(tree.seeds.get(id), `the seed of node ${id}`))
      .contractId(exercise.contractId)
      .text(exercise.packageName)
      .identifier(exercise.templateId)
      .texts(exercise.signatories)
      .texts(exercise.stakeholders)
      .texts(exercise.actingParties)
      .optional(exercise.interfaceId, (each) => this.identifier(each))
      .text(exercise.choiceId)
      .value(exercise.chosenValue)
      .byte(exercise.consuming ? 1 : 0)
      .optional(exercise.exerciseResult, (each) => this.value(each))
      .texts(exercise.choiceObservers)
      .children(exercise.children, tree);
  }

  metadata(metadata: Metadata): this {
    const { actAs, commandId } = required(metadata.submitterInfo, 'metadata.submitterInfo');
    return this.byte(METADATA_VERSION)
      .texts(actAs)
      .text(commandId)
      .text(metadata.transactionUuid)
      .int(metadata.mediatorGroup)
      .text(metadata.synchronizerId)
      .optional(metadata.minLedgerEffectiveTime, (time) => this.long(time))
      .optional(metadata.maxLedgerEffectiveTime, (time) => this.long(time))
      .long(metadata.preparationTime)
      .list(metadata.inputContracts, (each) => this.input(each));
  }

  input(input: InputContract): this {
    const { contract, createdAt } = input;
    if (contract.oneofKind !== 'v1') throw new NoHash('an input contract has no version');
    const { v1: create } = contract;
    const digest = inputHashes.get(input) ?? this.hashOf(() => this.create(create));
    inputHashes.set(input, digest);
    return this.long(createdAt).digest(digest);
  }

  value(value: Value | undefined): this {
    const { sum } = required(value, 'a value');
    if (sum.oneofKind === undefined) throw new NoHash('a value is empty');
    this.byte(VALUE_TAGS[sum.oneofKind]);
    switch (sum.oneofKind) {
      case 'unit':
        return this;
      case 'bool':
        return this.byte(sum.bool ? 1 : 0);
      case 'int64':
        return this.long(sum.int64);
      case 'timestamp':
        return this.long(sum.timestamp);
      case 'numeric':
        return this.text(sum.numeric);
      case 'party':
        return this.text(sum.party);
      case 'text':
        return this.text(sum.text);
      case 'contractId':
        return this.contractId(sum.contractId);
      case 'optional':
        return this.optional(sum.optional.value, (each) => this.value(each));
      case 'list':
        return this.list(sum.list.elements, (each) => this.value(each));
      case 'textMap':
        return this.list(sum.textMap.entries, (each) => this.text(each.key).value(each.value));
      case 'record':
        return this.byte(NO_ID).list(sum.record.fields, (field) => this.byte(1).text(field.label).value(field.value));
      case 'variant':
        return this.byte(NO_ID).text(sum.variant.constructor).value(sum.variant.value);
      case 'enum':
        return this.byte(NO_ID).text(sum.enum.constructor);
    }
  }

  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    return at;
  }
}

/** Allocating a buffer for each hash takes longer than filling it. */
const sink: Sink = new Sink();

function writeText(buffer: Buffer, text: string, at: number): number {
  const { length } = text;
  if (length >= LONG) return buffer.write(text, at);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return buffer.write(text, at);
    buffer[at + i] = code;
  }
  return length;
}
