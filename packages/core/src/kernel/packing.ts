import { ValueReader, ValueWriter } from '@coinlab/collections';
import type { Amount } from './amount.js';
import { Base64 } from './bytes.js';
import type { ContractId, PartyId } from './ids.js';
import { Instant } from './time.js';

export type SavedPacker = {
  /** In base64. */
  readonly bytes: string;
  readonly words: readonly string[];
  readonly nextContract: number;
};

/** Packs the values of updates and contracts. Ids of contracts are distances from {@link nextContract}. */
export class Packer extends ValueWriter {
  nextContract = 1;

  constructor() {
    super(Instant.latest);
  }

  save(): SavedPacker {
    return { bytes: Base64.format(this.written()), words: [...this.words], nextContract: this.nextContract };
  }

  /** Only valid for a new packer. */
  restore({ bytes, words, nextContract }: SavedPacker): void {
    const waiting = Base64.parse(bytes);
    if (waiting.ok) this.append(waiting.value);
    for (const word of words) this.addWord(word);
    this.nextContract = nextContract;
  }

  contract(id: number): void {
    this.integer(this.nextContract - id);
  }
}

/** Casts: the packer wrote a value of the branded type; `fault` and the hash of the log reveal changed bytes. */
export class Unpacker extends ValueReader<Amount, Instant> {
  nextContract = 1;

  constructor() {
    super(Instant.latest);
  }

  /** Returns the next field of a record, which has this shape. */
  field<Value>(shape: { unpack(from: Unpacker): Value }): Value {
    return shape.unpack(this);
  }

  contract(): ContractId {
    return (this.nextContract - this.integer()) as ContractId;
  }

  party(): PartyId {
    return this.word() as PartyId;
  }
}
