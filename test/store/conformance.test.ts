import { setImmediate as nextTurn } from 'node:timers/promises';
import { codec, type LedgerState, type Update } from '@coinlab/core';
import { conformance, memoryStore, type Recovery, type RevertibleStore, type StorePlace } from '@coinlab/store';
import { describe, expect, it } from 'vitest';
import { updates } from './sample.js';

/** Methods that differ from those of a correct store. */
type Fault = (store: RevertibleStore, isReopened: boolean) => Partial<RevertibleStore>;

interface Faults {
  readonly store?: Fault;
  readonly recovery?: (recovery: Recovery) => Recovery;
  readonly snapshotOf?: (saved: readonly LedgerState[]) => LedgerState | undefined;
}

/** A store that stays in memory when it is closed, so that a test can reopen it. */
function placeOf({ store: fault = () => ({}), recovery: heard = (one) => one, snapshotOf }: Faults = {}): StorePlace {
  const kept = memoryStore();
  const saved: LedgerState[] = [];
  let openings = 0;
  return {
    isDurable: true,
    async open(given = {}) {
      const { onSnapshot, onLine, onUpdate } = heard(given);
      const state = onSnapshot && (snapshotOf ? snapshotOf(saved) : saved.at(-1));
      if (state) onSnapshot(state);
      for await (const update of kept.read()) {
        onLine?.(codec.encode(update));
        if (update.offset > (state?.offset ?? 0)) onUpdate?.(update);
      }
      const store: RevertibleStore = {
        ...kept,
        async snapshot(one) {
          const answer = await kept.snapshot(one);
          if (answer.ok) saved.push(one);
          return answer;
        },
      };
      return { ...store, ...fault(store, openings++ > 0) };
    },
  };
}

async function violated(place: () => StorePlace): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of conformance(async () => place()))
    await run().catch((error: unknown) => {
      expect(error).toBeInstanceOf(Error);
      failed.push(name);
    });
  return failed;
}

const other = updates(1, 'other')[0] as Update;
const refused = { ok: false, error: { code: 'WRITE_FAILED', reason: 'refused' } } as const;

const EMPTY = 'starts with an empty log';
const READ = 'reads appended updates back in order and moves the head';
const OFFSET = 'refuses an append at another offset and leaves the log unchanged';
const CONCURRENT = 'accepts exactly one of several concurrent appends at the same offset';
const HASH = 'changes the hash of the head with every update';
const DURABLE = 'keeps acknowledged updates after closing and reopening';
const SNAPSHOT = 'accepts a snapshot only at the head and leaves the log unchanged';
const CUT = 'removes the updates after an offset and appends others in their place';
const MARKS = 'keeps names of offsets, without those that a cut removes';
const STATE = 'reopens from the newest snapshot and reaches the same state';

describe('the requirements of a store', () => {
  it('are all met by a correct store, also by one that cannot be cut or reopened', async () => {
    expect(await violated(() => placeOf())).toEqual([]);
    expect(await violated(() => ({ isDurable: false, open: async () => memoryStore() }))).toEqual([]);
    const uncut = (): StorePlace => {
      const { open } = placeOf();
      return {
        isDurable: true,
        async open(recovery) {
          const { head, append, lineAt, read, snapshot, close } = await open(recovery);
          return { head, append, lineAt, read, snapshot, close };
        },
      };
    };
    expect(await violated(uncut)).toEqual([]);
  });

  const reading =
    (change: (all: readonly Update[], from: number) => readonly Update[]): Fault =>
    (store) => ({
      async *read(from = 1) {
        const all: Update[] = [];
        for await (const update of store.read()) all.push(update);
        yield* change(all, from);
      },
    });

  it.each<[string, string, Faults]>([
    [EMPTY, 'has a head beyond its updates', { store: ({ head }) => ({ head: () => ({ ...head(), offset: 1 }) }) }],
    [EMPTY, 'has an update at the start', { store: reading((all) => [other, ...all]) }],
    [READ, 'reads backwards', { store: reading((all, from) => all.slice(from - 1).toReversed()) }],
    [
      READ,
      'reads the whole log backwards',
      { store: reading((all, from) => (from === 1 ? all.toReversed() : all.slice(from - 1))) },
    ],
    [READ, 'reads only the first half', { store: reading((all) => all.slice(0, 5)) }],
    [READ, 'always reads from the start', { store: reading((all) => all) }],
    [READ, 'returns the line of the first update', { store: ({ lineAt }) => ({ lineAt: () => lineAt(1) }) }],
    [READ, 'does not move its head', { store: ({ head }) => ({ head: () => ({ ...head(), hash: '0' }) }) }],
    [
      READ,
      'answers an append with the offset before it',
      {
        store: ({ append }) => ({
          async append(expected, added) {
            const answer = await append(expected, added);
            return answer.ok ? { ok: true, value: { ...answer.value, offset: expected } } : answer;
          },
        }),
      },
    ],
    [
      READ,
      'answers only its first append with the offset before it',
      {
        store: ({ append }) => ({
          async append(expected, added) {
            const answer = await append(expected, added);
            return answer.ok && expected === 0 ? { ok: true, value: { ...answer.value, offset: 0 } } : answer;
          },
        }),
      },
    ],
    [READ, 'refuses appends', { store: () => ({ append: async () => refused }) }],
    [
      OFFSET,
      'appends after a lower offset',
      {
        store: ({ append, head }) => ({
          append: (expected, added) => append(expected < head().offset ? head().offset : expected, added),
        }),
      },
    ],
    [
      OFFSET,
      'appends after a higher offset',
      {
        store: ({ append, head }) => ({
          append: (expected, added) => append(expected > head().offset ? head().offset : expected, added),
        }),
      },
    ],
    [
      OFFSET,
      'refuses an append at another offset as a failed write',
      {
        store: ({ append }) => ({
          append: async (expected, added) => {
            const answer = await append(expected, added);
            return answer.ok ? answer : refused;
          },
        }),
      },
    ],
    [
      OFFSET,
      'appends the updates of an append that it refuses',
      {
        store: ({ append, head }) => ({
          append: async (expected, added) => {
            const answer = await append(expected, added);
            if (!answer.ok) await append(head().offset, added);
            return answer;
          },
        }),
      },
    ],
    [
      OFFSET,
      'changes the hash of its head with an append that it refuses',
      {
        store({ append, head }) {
          let refusals = '';
          return {
            head: () => ({ ...head(), hash: head().hash + refusals }),
            async append(expected, added) {
              const answer = await append(expected, added);
              if (!answer.ok) refusals += '0';
              return answer;
            },
          };
        },
      },
    ],
    [
      CONCURRENT,
      'accepts every append',
      { store: ({ append, head }) => ({ append: (_, added) => append(head().offset, added) }) },
    ],
    [
      HASH,
      'has one hash for all heads',
      {
        store: ({ append, head }) => ({
          head: () => ({ ...head(), hash: '0' }),
          append: async (expected, added) => {
            const answer = await append(expected, added);
            return answer.ok ? { ok: true, value: { ...answer.value, hash: '0' } } : answer;
          },
        }),
      },
    ],
    [
      DURABLE,
      'loses the last update when it is reopened',
      { store: (store, isReopened) => (isReopened ? reading((all) => all.slice(0, -1))(store, true) : {}) },
    ],
    [
      DURABLE,
      'has another hash when it is reopened',
      { store: ({ head }, isReopened) => (isReopened ? { head: () => ({ ...head(), hash: '0' }) } : {}) },
    ],
    [
      DURABLE,
      'returns other lines when it is reopened',
      { store: ({ lineAt }, isReopened) => (isReopened ? { lineAt: () => lineAt(1) } : {}) },
    ],
    [
      SNAPSHOT,
      'saves a state of another offset',
      { store: ({ head }) => ({ snapshot: async () => ({ ok: true, value: head() }) }) },
    ],
    [SNAPSHOT, 'refuses every state', { store: () => ({ snapshot: async () => refused }) }],
    [
      SNAPSHOT,
      'removes an update when it saves a state',
      {
        store: ({ snapshot, cut, head }) => ({
          async snapshot(state) {
            const answer = await snapshot(state);
            if (answer.ok) await cut(head().offset - 1);
            return answer;
          },
        }),
      },
    ],
    [CUT, 'refuses every cut', { store: () => ({ cut: async () => refused }) }],
    [
      CUT,
      'accepts a cut beyond its head',
      {
        store: ({ cut, head }) => ({
          cut: async (offset) => (offset > head().offset ? { ok: true, value: head() } : cut(offset)),
        }),
      },
    ],
    [
      CUT,
      'answers a cut without an effect',
      { store: ({ head }) => ({ cut: async (offset) => ({ ok: true, value: { ...head(), offset } }) }) },
    ],
    [CUT, 'cuts one update less', { store: ({ cut }) => ({ cut: (offset) => cut(offset + 1) }) }],
    [
      CUT,
      'appends before a cut that was called earlier',
      {
        store: ({ cut }) => ({
          async cut(offset) {
            await nextTurn();
            return cut(offset);
          },
        }),
      },
    ],
    [
      CUT,
      'loses what was appended after a cut when it is reopened',
      { store: (store, isReopened) => (isReopened ? reading((all) => all.slice(0, 5))(store, true) : {}) },
    ],
    [MARKS, 'refuses names', { store: () => ({ setMarks: async () => refused }) }],
    [MARKS, 'forgets names', { store: () => ({ marks: async () => [] }) }],
    [
      MARKS,
      'forgets names of its head',
      {
        store: ({ marks, head }) => ({
          marks: async () => (await marks()).filter(({ offset }) => offset < head().offset),
        }),
      },
    ],
    [
      MARKS,
      'keeps the names that a cut removes',
      {
        store({ setMarks }) {
          let kept: Awaited<ReturnType<RevertibleStore['marks']>> = [];
          return {
            async setMarks(marks) {
              kept = marks;
              return setMarks(marks);
            },
            marks: async () => kept,
          };
        },
      },
    ],
    [
      MARKS,
      'forgets names when it is reopened',
      { store: (_, isReopened) => (isReopened ? { marks: async () => [] } : {}) },
    ],
    [STATE, 'reopens from the oldest snapshot', { snapshotOf: (saved) => saved[0] }],
    [STATE, 'reopens without a snapshot', { snapshotOf: () => undefined }],
    [STATE, 'passes on no lines', { recovery: ({ onLine: _onLine, ...rest }) => rest }],
    [STATE, 'passes on no updates', { recovery: ({ onUpdate: _onUpdate, ...rest }) => rest }],
    [
      STATE,
      'reopens in another state',
      {
        recovery: ({ onUpdate, ...rest }) => ({
          ...rest,
          onUpdate: (update) => onUpdate?.(update.offset === 12 ? { ...other, offset: update.offset } : update),
        }),
      },
    ],
  ])('%s: a store that %s does not meet it', async (demand, _, faults) => {
    expect(await violated(() => placeOf(faults))).toContain(demand);
  });
});
