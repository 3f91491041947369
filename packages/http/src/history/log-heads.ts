import { Instant, type ContractId, Duration } from '@coinlab/core';
import { isOfTransferCommand } from '@coinlab/core/views';
import { Column, textHashOf, type UpdateHead } from '@coinlab/core/codec';
import { firstCreatedNode } from './exercises.js';

const MICROSECOND = Duration.ofMicros(1n);

/** An index of the log's updates, in 14 bytes for most of them. It finds the offsets; the updates are read from the log. */
export class LogHeads {
  #times: Column<Instant> = Column.ofBigInts();
  /** Microseconds from each update's time to its record time. */
  #delays: Column<number> = Column.ofWords();
  #hashes: Column<number> = Column.ofWords();
  /** The first contract of each update; of one that creates none, that of the last one before that does, or 0. */
  #firstCreated: Column<number> = Column.ofNumbers();
  /** Node id of the first contract of each creating update, plus one; 0 when the node id must be read from the tree. */
  #firstNode: Column<number> = Column.ofWords();
  #transferCommands: number[] = [];

  get count(): number {
    return this.#times.length;
  }

  get transferCommands(): readonly number[] {
    return this.#transferCommands;
  }

  /** Adds an update. An existing offset first removes the updates from there on. */
  add({ offset, recordTime, updateId, kind, archived, firstCreated }: UpdateHead): void {
    this.cut(offset - 1);
    const earliest = this.count === 0 ? recordTime : Instant.plus(this.recordTimeAt(this.count), MICROSECOND);
    this.#times.push(recordTime);
    this.#delays.push(earliest > recordTime ? Number(Instant.between(recordTime, earliest)) : 0);
    this.#hashes.push(textHashOf(updateId));
    this.#firstCreated.push(firstCreated ?? this.#firstCreated.at(offset - 2) ?? 0);
    this.#firstNode.push((firstCreatedNode({ kind, archived }) ?? -1) + 1);
    if (isOfTransferCommand(kind)) this.#transferCommands.push(offset);
  }

  /** Returns a copy of the heads up to an offset. */
  upTo(offset: number): LogHeads {
    const copy = new LogHeads();
    copy.#times = this.#times.upTo(offset);
    copy.#delays = this.#delays.upTo(offset);
    copy.#hashes = this.#hashes.upTo(offset);
    copy.#firstCreated = this.#firstCreated.upTo(offset);
    copy.#firstNode = this.#firstNode.upTo(offset);
    copy.#transferCommands = this.#transferCommands.filter((one) => one <= offset);
    return copy;
  }

  cut(offset: number): void {
    if (offset >= this.count) return;
    const columns = [this.#times, this.#delays, this.#hashes, this.#firstCreated, this.#firstNode];
    for (const column of columns) column.cut(offset);
    while ((this.#transferCommands.at(-1) ?? 0) > offset) this.#transferCommands.pop();
  }

  timeAt(offset: number): Instant {
    const time = this.#times.at(offset - 1);
    if (time === undefined) throw new RangeError(`there is no update at offset ${offset}`);
    return time;
  }

  recordTimeAt(offset: number): Instant {
    return Instant.plus(this.timeAt(offset), Duration.ofMicros(BigInt(this.#delays.at(offset - 1) ?? 0)));
  }

  offsetAt(time: Instant): number {
    return this.#times.countUntil(time);
  }

  recordedUntil(time: Instant): number {
    // A record time is not before the update's time.
    let low = 0;
    let high = this.offsetAt(time);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.recordTimeAt(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Yields candidates: the offsets of updates with the hash of this id. Callers compare the ids. */
  *offsetsOf(updateId: string): Iterable<number> {
    const hash = textHashOf(updateId);
    for (let at = this.#hashes.indexOf(hash); at >= 0; at = this.#hashes.indexOf(hash, at + 1)) yield at + 1;
  }

  /** Finds the creating update by binary search, since contract ids ascend along a log. Returns null when there is none. */
  offsetCreating(contract: ContractId): number | null {
    const first = this.#firstCreated.at(this.#firstCreated.countUntil(contract) - 1) ?? 0;
    return first === 0 ? null : this.#firstCreated.countUntil(first - 1) + 1;
  }

  /**
   * Finds a batch that may have created a contract and archived it itself. The head of a batch begins with the first
   * contract that it leaves active, so the ids of such contracts can lie before it.
   * @returns the offset of the first update whose head begins after the contract; null unless that update has several
   * exercises side by side
   */
  batchAfter(contract: ContractId): number | null {
    const at = this.#firstCreated.countUntil(contract);
    return this.#firstNode.at(at) === 0 ? at + 1 : null;
  }

  /**
   * Returns the node id of a created contract in the tree of its update; null when it must be read from the tree.
   * Returns 0 for an unknown contract.
   */
  nodeCreating(contract: ContractId): number | null {
    const at = (this.offsetCreating(contract) ?? 0) - 1;
    const first = this.#firstNode.at(at) ?? 1;
    return first === 0 ? null : first - 1 + contract - (this.#firstCreated.at(at) ?? contract);
  }
}
