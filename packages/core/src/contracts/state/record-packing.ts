import type { ItemPacking } from '@coinlab/collections';
import { invariant } from '../../kernel/assert.js';
import { Packer, Unpacker } from '../../kernel/packing.js';
import { contractShape, templateOf, type Contract } from '../contract.js';

/** Packs records to bytes that can be read in any order, because all forks share the words. */
export class RecordPacking implements ItemPacking<Contract> {
  readonly #packer = new Packer();
  readonly #unpacker = new Unpacker();

  isFinal(record: Contract): boolean {
    return templateOf(record).isFinal?.(record) ?? false;
  }

  pack(records: readonly Contract[]): Uint8Array {
    const before = this.#packer.wordCount;
    const bytes = this.#bytesOf(records);
    if (this.#packer.wordCount === before) return bytes;
    // The unpacker learns the new words from these bytes; the next ones name them by their numbers.
    this.unpack(bytes);
    return this.#bytesOf(records);
  }

  unpack(packed: Uint8Array): readonly Contract[] {
    const from = this.#unpacker;
    const records: Contract[] = [];
    from.give(packed);
    from.begin();
    from.at(0n);
    from.nextContract = 0;
    while (from.left > 0) {
      const record = Object.freeze(contractShape.unpack(from));
      invariant(from.fault === null, 'packed records are read as they were written');
      records.push(record);
      from.nextContract = record.id;
    }
    return records;
  }

  #bytesOf(records: readonly Contract[]): Uint8Array {
    const to = this.#packer;
    to.begin();
    to.at(0n);
    to.nextContract = 0;
    for (const record of records) {
      contractShape.pack(record, to);
      to.nextContract = record.id;
    }
    return to.take();
  }
}
