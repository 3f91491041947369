import { codec, Engine, type Instant, type LedgerState, type Update, type UpdateId } from '@coinlab/core';
import { headOfLine, type UpdateHead } from '@coinlab/core/codec';
import type { LogHeads } from './log-heads.js';

/** Updates and states of the ledger by offset and time. Offsets count from 1. */
export interface History {
  readonly head: number;
  updateAt(offset: number): Update;
  lineAt(offset: number): string;
  idAt(offset: number): UpdateId;
  offsetOf(updateId: string): number | null;
  offsetAt(time: Instant): number;
  timeAt(offset: number): Instant;
  /**
   * Record time: the ledger time, or one microsecond after the previous record time if that is later. Record times are unique, as on
   * the network, so a reader can continue after the last one it has. Assumption: A-88.
   */
  recordTimeAt(offset: number): Instant;
  recordedUntil(time: Instant): number;
  readonly transferCommandOffsets: readonly number[];
  /** The state after the update at an offset; the empty state for offset 0. Replays up to 512 updates, more for old offsets. */
  stateAt(offset: number): LedgerState;
}

export interface HistoryBuilder extends History {
  /** @param after the state after this update or after a later update of the same group; null if not available */
  add(update: Update, after: LedgerState | null): void;
  addLine(line: string): void;
  keep(state: LedgerState): void;
  takeBack(offset: number): void;
}

/** Updates between snapshots: the most that are replayed for a recent state. */
const SNAPSHOT_EVERY = 512;
/** Limits the memory of snapshots: each keeps its differences to later states alive. */
const MOST_SNAPSHOTS = 64;

/**
 * Creates a history. It reads updates from the log or, without a log, keeps their lines in memory. Every 512 updates it keeps a
 * snapshot, a fork that shares unchanged data. Adding an existing offset removes the updates from there on, as after a revert.
 * @param heads the heads of the log's updates so far
 * @param lineAt reads the line of an update from the log; null when there is no log
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
  // Of the older half, drop every second snapshot.
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
    stateAt(offset) {
      const from = snapshots.findLast((snapshot) => snapshot.offset <= offset) ?? null;
      if (from?.offset === offset) return from;
      const engine = new Engine({}, from);
      for (let next = (from?.offset ?? 0) + 1; next <= offset; next++) {
        engine.apply(updateAt(next));
        // Callers that request one past state often request its neighbours.
        if (next % SNAPSHOT_EVERY === 0) keep(engine.snapshot());
      }
      return engine.snapshot();
    },
    keep,
    add(update, after) {
      const { offset, recordTime, updateId, kind, archived, created } = update;
      const firstCreated = created[0]?.id ?? null;
      enter({ offset, recordTime, updateId, kind, archived: archived.length, firstCreated });
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
