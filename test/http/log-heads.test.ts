import { Instant, UpdateId, type ContractId, type Offset } from '@coinlab/core';
import type { UpdateHead } from '@coinlab/core/codec';
import { LogHeads } from '@coinlab/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const START = Instant.of('2026-01-01T00:00:00Z');
/** Exercises before the first contract; null: several in a row. Source: the tree of the update. */
const EXERCISES = { TransferOffered: 1, TransferCommandSent: 2, BatchExecuted: null } as const;

interface Done {
  readonly kind: keyof typeof EXERCISES;
  /** Number of contracts that a batch creates and archives before its first lasting one. */
  readonly skipped: number;
  readonly made: number;
  readonly archived: number;
  /** Microseconds after the update before it. */
  readonly micros: number;
}

const done: fc.Arbitrary<Done> = fc.record({
  kind: fc.constantFrom('TransferOffered', 'TransferCommandSent', 'BatchExecuted'),
  skipped: fc.constantFrom(0, 0, 0, 1, 3),
  made: fc.nat({ max: 3 }),
  archived: fc.nat({ max: 2 }),
  micros: fc.oneof(fc.constantFrom(0, 0, 0, 1, 2 ** 33), fc.nat({ max: 9 })),
});

/** Returns the heads of updates after others. Casts: whole numbers from 1 are offsets and ids, and later times are times. */
function after(before: readonly UpdateHead[], all: readonly Done[]): readonly UpdateHead[] {
  const heads = [...before];
  let time: bigint = heads.at(-1)?.recordTime ?? START;
  let next = Math.max(0, ...heads.map(({ firstCreated }) => (firstCreated ?? 0) + 3)) + 1;
  for (const { kind, skipped, made, archived, micros } of all) {
    const offset = (heads.length + 1) as Offset;
    time += BigInt(micros);
    const recordTime = time as Instant;
    const firstCreated = made === 0 ? null : ((next + skipped) as ContractId);
    heads.push({ offset, recordTime, updateId: UpdateId.of(1, offset, recordTime), kind, archived, firstCreated });
    next += made === 0 ? 0 : skipped + made;
  }
  return heads;
}

/** All that an index says of a log, for the ids and times of a list of heads and those next to them. */
function saidBy(index: LogHeads, heads: readonly UpdateHead[]): unknown {
  const ids = Array.from({ length: 12 + 6 * heads.length }, (_, id) => (id + 1) as ContractId);
  return {
    count: index.count,
    transferCommands: index.transferCommands,
    of: heads.map(({ offset, updateId, recordTime: time }) => ({
      time: index.timeAt(offset),
      recordTime: index.recordTimeAt(offset),
      isFound: [...index.offsetsOf(updateId)].includes(offset),
      counts: [-1n, 0n, 1n].map((by) => [
        index.offsetAt((time + by) as Instant),
        index.recordedUntil((time + by) as Instant),
      ]),
    })),
    ids: ids.map((id) => [index.offsetCreating(id), index.batchAfter(id), index.nodeCreating(id)]),
  };
}

/** The same as {@link saidBy}, by search from the first head on. */
function expectedOf(heads: readonly UpdateHead[]): unknown {
  const recordTimes: bigint[] = [];
  for (const { recordTime } of heads) {
    const earliest = (recordTimes.at(-1) ?? recordTime - 1n) + 1n;
    recordTimes.push(recordTime > earliest ? recordTime : earliest);
  }
  const ids = Array.from({ length: 12 + 6 * heads.length }, (_, id) => id + 1);
  return {
    count: heads.length,
    transferCommands: heads.filter(({ kind }) => kind === 'TransferCommandSent').map(({ offset }) => offset),
    of: heads.map(({ recordTime: time }, i) => ({
      time,
      recordTime: recordTimes[i],
      isFound: true,
      counts: [-1n, 0n, 1n].map((by) => [
        heads.filter(({ recordTime }) => recordTime <= time + by).length,
        recordTimes.filter((recordTime) => recordTime <= time + by).length,
      ]),
    })),
    ids: ids.map((id) => {
      const creating = heads.findLast(({ firstCreated }) => firstCreated !== null && firstCreated <= id);
      const next = heads.find(({ firstCreated }) => firstCreated !== null && firstCreated > id);
      const exercises = EXERCISES[(creating?.kind ?? 'TransferOffered') as Done['kind']];
      const node =
        creating && exercises !== null ? creating.archived + exercises + id - (creating.firstCreated ?? 0) : null;
      return [creating?.offset ?? null, next?.kind === 'BatchExecuted' ? next.offset : null, creating ? node : 0];
    }),
  };
}

describe('the index of the updates of a log', () => {
  it('says what a search of all heads says, also after a cut, and of a copy', () => {
    const all = fc.array(done, { maxLength: 30 });
    fc.assert(
      fc.property(all, all, fc.nat(), (first, second, place) => {
        const index = new LogHeads();
        const whole = after([], first);
        for (const head of whole) index.add(head);
        expect(saidBy(index, whole)).toEqual(expectedOf(whole));
        const kept = whole.slice(0, place % (whole.length + 1));
        const copy = index.upTo(kept.length);
        const other = after(kept, second);
        index.cut(kept.length);
        for (const head of other.slice(kept.length)) index.add(head);
        expect(saidBy(index, other)).toEqual(expectedOf(other));
        expect(saidBy(copy, kept)).toEqual(expectedOf(kept));
      }),
      { numRuns: runs(100) },
    );
  });
});
