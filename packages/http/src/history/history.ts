import { codec, Engine, type Instant, type LedgerState, type Update, type UpdateId } from '@coinlab/core';
import { headOfLine, type UpdateHead } from '@coinlab/core/codec';
import type { LogHeads } from './log-heads.js';

/** What has happened, and how things stood at any time. Offsets count from 1. */
export interface History {
  /** Offset of the last update; 0 before the first. */
  readonly head: number;
  /** The update at an offset from 1 to the head. */
  updateAt(offset: number): Update;
  /** The id of the update at an offset from 1 to the head. */
  idAt(offset: number): UpdateId;
  /** The offset of an update, or null when there is none of that id. */
  offsetOf(updateId: string): number | null;
  /** Offset of the last update at or before a time; 0 when there is none. */
  offsetAt(time: Instant): number;
  /** Ledger time of the update at an offset from 1 to the head. */
  timeAt(offset: number): Instant;
  /**
   * Record time of the update at an offset from 1 to the head: its ledger time, or a microsecond after the update before it. No two are
   * the same, as on the network, so that a reader goes on after the last one it has. Assumption: A-88.
   */
  recordTimeAt(offset: number): Instant;
  /** Offset of the last update whose record time is at or before a time; 0 when there is none. */
  recordedUntil(time: Instant): number;
  /** Offsets of the updates about transfer commands, ascending. */
  readonly transferCommandOffsets: readonly number[];
  /** The state once the update at an offset had happened, or the empty one for offset 0. */
  stateAt(offset: number): LedgerState;
}

/** A {@link History} that is fed with every update of the log, oldest first. */
export interface HistoryBuilder extends History {
  /** @param after the state that the log leads to by then, or further on in the same group; null when it is not at hand */
  add(update: Update, after: LedgerState | null): void;
  /** Takes in the line of an update that was written earlier. Throws RangeError when it is none. */
  addLine(line: string): void;
  /** Keeps a state that the log led to: what comes after it need not be replayed from further back. */
  keep(state: LedgerState): void;
  /** Forgets the updates from an offset on: a ledger that was reverted. */
  takeBack(offset: number): void;
}

/** So many updates at most are replayed to answer for what was lately. */
const SNAPSHOT_EVERY = 512;
/** So many states are kept at most: each holds on to what has changed since, and a log has no end. */
const MOST_SNAPSHOTS = 64;

/**
 * Reads the updates from the log where it can, and keeps them as lines of text where there is none; and keeps a fork of the state
 * now and then, which shares all that did not change. An offset that comes again takes everything from there on back: a ledger that
 * was reverted.
 * @param heads what is known of the log: of one that was opened again, of every update
 * @param lineAt reads the line of an update from the log; null: nobody can
 */
export function history(heads: LogHeads, lineAt: ((offset: number) => string) | null): HistoryBuilder {
  const lines: string[] | null = lineAt ? null : [];
  let snapshots: LedgerState[] = [];

  const takeBack = (offset: number): void => {
    heads.cut(offset - 1);
    lines?.splice(offset - 1);
    while ((snapshots.at(-1)?.offset ?? 0) >= offset) snapshots.pop();
  };
  const textAt = (offset: number): string => (lines ? (lines[offset - 1] ?? '') : (lineAt?.(offset) ?? ''));
  const updateAt = (offset: number): Update => {
    const read = codec.decode(textAt(offset), offset);
    if (!read.ok) throw new RangeError(`there is no update at offset ${offset}: ${read.error.reason}`);
    return read.value;
  };
  const idAt = (offset: number): UpdateId => headOf(textAt(offset)).updateId;

  const enter = (head: UpdateHead): void => {
    if (head.offset <= heads.count) takeBack(head.offset);
    heads.add(head);
  };
  // The further back, the fewer: of the older half every second goes.
  const thinOut = (): void => {
    if (snapshots.length <= MOST_SNAPSHOTS) return;
    snapshots = snapshots.filter((_, i) => i % 2 === 0 || i > MOST_SNAPSHOTS / 2);
  };
  const keep = (state: LedgerState): void => {
    const at = snapshots.findLastIndex(({ offset }) => offset <= state.offset);
    if (snapshots[at]?.offset !== state.offset) snapshots.splice(at + 1, 0, state);
    thinOut();
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
    idAt,
    offsetOf(updateId) {
      for (const offset of heads.offsetsOf(updateId)) if (idAt(offset) === updateId) return offset;
      return null;
    },
    offsetAt: (time) => heads.offsetAt(time),
    recordedUntil: (time) => heads.recordedUntil(time),
    timeAt: (offset) => heads.timeAt(offset),
    recordTimeAt: (offset) => heads.recordTimeAt(offset),
    stateAt(offset) {
      const from = snapshots.findLast((snapshot) => snapshot.offset <= offset) ?? null;
      if (from?.offset === offset) return from;
      const engine = new Engine({}, from);
      for (let next = (from?.offset ?? 0) + 1; next <= offset; next++) {
        engine.apply(updateAt(next));
        // Whoever asks for one state of the past asks for its neighbours too.
        if (next % SNAPSHOT_EVERY === 0) keep(engine.snapshot());
      }
      return engine.snapshot();
    },
    keep,
    add(update, after) {
      const { offset, recordTime, updateId, kind, created } = update;
      enter({ offset, recordTime, updateId, kind, firstCreated: created[0]?.id ?? null });
      lines?.push(codec.encode(update));
      const last = snapshots.at(-1)?.offset ?? 0;
      if (after?.offset === update.offset && update.offset - last >= SNAPSHOT_EVERY) keep(after);
    },
    addLine(line) {
      enter(headOf(line));
      lines?.push(line);
    },
  };
}

function headOf(line: string): UpdateHead {
  const head = headOfLine(line);
  if (!head) throw new RangeError(`not the line of an update: ${line.slice(0, 80)}`);
  return head;
}
