import { codec, type Instant, type LedgerState, type Update, type UpdateId } from '@coinlab/core';
import { headOfLine, type UpdateHead } from '@coinlab/core/codec';
import type { LogHeads } from './log-heads.js';
import { PastStates } from './past-states.js';

/** Of all ledgers of the process: what it keeps of the updates that it has read takes half a megabyte. */
const reader = codec.reader();

export interface History {
  readonly head: number;
  updateAt(offset: number): Update;
  lineAt(offset: number): string;
  idAt(offset: number): UpdateId;
  offsetOf(updateId: string): number | null;
  offsetAt(time: Instant): number;
  timeAt(offset: number): Instant;
  /**
   * Returns the ledger time of the update, or one microsecond after the previous record time if that is later. Record
   * times are unique, as on the real network, so a reader can continue after the last one it has. Assumption: A-88.
   */
  recordTimeAt(offset: number): Instant;
  recordedUntil(time: Instant): number;
  readonly transferCommandOffsets: readonly number[];
  /** Offset 0 has the empty state. Replays up to 512 updates, more for old offsets. */
  stateAt(offset: number): LedgerState;
  /**
   * Like `stateAt`, for many states in random order. The first call makes the history keep many more checkpoints from then
   * on.
   */
  reachState(offset: number): Promise<LedgerState>;
  /** Later updates and reverts do not change it. Copies 16 bytes for most updates. */
  beginning(offset: number): { readonly heads: LogHeads; readonly before: LinesBefore };
}

export interface LinesBefore {
  readonly count: number;
  lineAt(offset: number): string;
}

export interface HistoryBuilder extends History {
  /**
   * Adds an update. An existing offset first removes the updates from there on.
   * @param after the state after this update or after a later update of the same group; null if not available
   */
  add(update: Update, after: LedgerState | null): void;
  addLine(line: string): void;
  keep(state: LedgerState): void;
  takeBack(offset: number): void;
  /**
   * Copies the lines after an offset for readers of a {@link beginning} that extends beyond it, before the log loses these
   * lines.
   */
  beforeCut(offset: number): void;
}

/**
 * @param lineAt reads the line of an update from the log; null: the lines stay in memory
 * @param before the first lines, for a fork without a log
 */
export function history(
  heads: LogHeads,
  lineAt: ((offset: number) => string) | null,
  before: LinesBefore = { count: 0, lineAt: () => '' },
): HistoryBuilder {
  let inherited = before.count;
  const lines: string[] | null = lineAt ? null : [];
  let readers: WeakRef<StoredLines>[] = [];

  const takeBack = (offset: number): void => {
    heads.cut(offset - 1);
    lines?.splice(Math.max(0, offset - 1 - inherited));
    inherited = Math.min(inherited, offset - 1);
    states.takeBack(offset);
  };
  const textAt = (offset: number): string => {
    if (!lines) return lineAt?.(offset) ?? '';
    return (offset <= inherited ? before.lineAt(offset) : lines[offset - inherited - 1]) ?? '';
  };
  const updateAt = (offset: number): Update => {
    const bytes = Buffer.from(textAt(offset));
    const read = reader.read(bytes, 0, bytes.length, offset);
    if (!read.ok) throw new RangeError(`there is no update at offset ${offset}: ${read.error.reason}`);
    return read.value;
  };
  const states = new PastStates(updateAt);
  const idAt = (offset: number): UpdateId => headOf(textAt(offset)).updateId;

  const enter = (head: UpdateHead): void => {
    if (head.offset <= heads.count) takeBack(head.offset);
    heads.add(head);
  };

  return {
    takeBack,
    get head() {
      return heads.count;
    },
    get transferCommandOffsets() {
      return heads.transferCommands;
    },
    updateAt,
    lineAt: textAt,
    idAt,
    offsetOf(updateId) {
      for (const offset of heads.offsetsOf(updateId)) if (idAt(offset) === updateId) return offset;
      return null;
    },
    offsetAt: (time) => heads.offsetAt(time),
    recordedUntil: (time) => heads.recordedUntil(time),
    timeAt: (offset) => heads.timeAt(offset),
    recordTimeAt: (offset) => heads.recordTimeAt(offset),
    stateAt: (offset) => states.at(offset),
    reachState: (offset) => states.reach(offset),
    beginning(offset) {
      if (!lines) {
        const stored = new StoredLines(offset, textAt);
        readers = [...readers.filter((reader) => reader.deref()), new WeakRef(stored)];
        return { heads: heads.upTo(offset), before: stored };
      }
      const own = lines.slice(0, Math.max(0, offset - inherited));
      const from = inherited;
      const readLine = (at: number): string => (at <= from ? before.lineAt(at) : (own[at - from - 1] ?? ''));
      return { heads: heads.upTo(offset), before: { count: offset, lineAt: readLine } };
    },
    beforeCut(offset) {
      const copied = new Map<number, string>();
      for (const reader of readers) reader.deref()?.copyAfter(offset, copied);
    },
    keep: (state) => states.keep(state),
    add(update, after) {
      const { offset, recordTime, updateId, kind, archived, created } = update;
      const firstCreated = created[0]?.id ?? null;
      enter({ offset, recordTime, updateId, kind, archived: archived.length, firstCreated });
      lines?.push(flat(codec.encode(update)));
      if (after?.offset === update.offset) states.follow(after);
    },
    addLine(line) {
      enter(headOf(line));
      lines?.push(line);
    },
  };
}

class StoredLines implements LinesBefore {
  readonly count: number;
  readonly #lineAt: (offset: number) => string;
  #copied: readonly string[] = [];

  constructor(count: number, lineAt: (offset: number) => string) {
    this.count = count;
    this.#lineAt = lineAt;
  }

  lineAt(offset: number): string {
    const stored = this.count - this.#copied.length;
    return (offset <= stored ? this.#lineAt(offset) : this.#copied[offset - stored - 1]) ?? '';
  }

  copyAfter(offset: number, copied: Map<number, string>): void {
    const added: string[] = [];
    for (let at = offset + 1; at <= this.count - this.#copied.length; at++) {
      const line = copied.get(at) ?? this.#lineAt(at);
      copied.set(at, line);
      added.push(line);
    }
    this.#copied = [...added, ...this.#copied];
  }
}

function headOf(line: string): UpdateHead {
  const head = headOfLine(line);
  if (!head) throw new RangeError(`not the line of an update: ${line.slice(0, 80)}`);
  return head;
}

/** V8 keeps the parts of a concatenated text until one of its letters is read. They take several times its memory, in hundreds of objects. */
function flat(text: string): string {
  return text.charCodeAt(0) > 0 ? text : '';
}
