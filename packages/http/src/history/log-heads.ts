import { Instant, type ContractId, Duration } from '@coinlab/core';
import { isOfTransferCommand } from '@coinlab/core/views';
import type { UpdateHead } from '@coinlab/core/codec';
import { Column } from './columns.js';
import { markOf } from './mark.js';

const MICROSECOND = Duration.ofMicros(1n);

/** What a server keeps of every update of its log, in forty bytes: enough to find the right one, which is then read from the log. */
export class LogHeads {
  readonly #times: Column<Instant> = Column.ofBigInts();
  readonly #recordTimes: Column<Instant> = Column.ofBigInts();
  /** By offset: a number that follows from the id of the update. */
  readonly #marks: Column<number> = Column.ofWords();
  /** First contract of each update that created any, and its offset. */
  readonly #firstCreated: Column<ContractId> = Column.ofNumbers();
  readonly #creating: Column<number> = Column.ofNumbers();
  readonly #transferCommands: number[] = [];

  /** How many updates there are: the offset of the last. */
  get count(): number {
    return this.#times.length;
  }

  /** Offsets of the updates about transfer commands, ascending. */
  get transferCommands(): readonly number[] {
    return this.#transferCommands;
  }

  /** Takes in the next update. An offset that comes again takes everything from there on back. */
  add({ offset, recordTime, updateId, kind, firstCreated }: UpdateHead): void {
    this.cut(offset - 1);
    const last = this.#recordTimes.at(this.count - 1);
    this.#times.push(recordTime);
    this.#recordTimes.push(
      last === undefined ? recordTime : Instant.later(recordTime, Instant.plus(last, MICROSECOND)),
    );
    this.#marks.push(markOf(updateId));
    if (firstCreated !== null) {
      this.#firstCreated.push(firstCreated);
      this.#creating.push(offset);
    }
    if (isOfTransferCommand(kind)) this.#transferCommands.push(offset);
  }

  /** Forgets the updates after an offset: a ledger that was reverted. */
  cut(offset: number): void {
    if (offset >= this.count) return;
    for (const column of [this.#times, this.#recordTimes, this.#marks]) column.cut(offset);
    const creating = this.#creating.countUntil(offset);
    for (const column of [this.#firstCreated, this.#creating]) column.cut(creating);
    while ((this.#transferCommands.at(-1) ?? 0) > offset) this.#transferCommands.pop();
  }

  /** Ledger time of the update at an offset from 1 on. */
  timeAt(offset: number): Instant {
    return entryAt(this.#times, offset);
  }

  /** Record time of the update at an offset from 1 on. */
  recordTimeAt(offset: number): Instant {
    return entryAt(this.#recordTimes, offset);
  }

  /** Offset of the last update at or before a time; 0 when there is none. */
  offsetAt(time: Instant): number {
    return this.#times.countUntil(time);
  }

  /** Offset of the last update whose record time is at or before a time; 0 when there is none. */
  recordedUntil(time: Instant): number {
    return this.#recordTimes.countUntil(time);
  }

  /** Offsets of the updates that may have an id: nearly always the one that has. */
  *offsetsOf(updateId: string): Iterable<number> {
    const mark = markOf(updateId);
    for (let at = this.#marks.indexOf(mark); at >= 0; at = this.#marks.indexOf(mark, at + 1)) yield at + 1;
  }

  /** Offset of the update that created a contract, whatever became of it; null when there is none. Ids ascend along a log. */
  offsetCreating(contract: ContractId): number | null {
    return this.#creating.at(this.#firstCreated.countUntil(contract) - 1) ?? null;
  }
}

function entryAt(times: Column<Instant>, offset: number): Instant {
  const time = times.at(offset - 1);
  if (time === undefined) throw new RangeError(`there is no update at offset ${offset}`);
  return time;
}
