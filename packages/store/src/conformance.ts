import { codec, Engine, openLedger, PartyId, stateHash, type LedgerState, type Update } from '@coinlab/core';
import type { EventStore, Mark, Recovery, RevertibleStore } from './port.js';

/**
 * A requirement of every store. `run` rejects with an error that describes the observed behaviour if the
 * store violates it.
 */
export interface Demand {
  readonly name: string;
  run(): Promise<void>;
}

/** The location of a store, such as a folder. It can be opened repeatedly, as after a restart. */
export interface StorePlace {
  open(recovery?: Recovery): Promise<EventStore>;
  /** Whether acknowledged updates survive closing and reopening. */
  readonly isDurable: boolean;
}

/**
 * Returns the requirements of every store, as checks for any test runner.
 * @param freshPlace returns an empty location; each check uses its own
 * @example for (const { name, run } of conformance(freshPlace)) it(name, run);
 */
export function conformance(freshPlace: () => Promise<StorePlace>): readonly Demand[] {
  const demand = (name: string, check: (place: StorePlace) => Promise<void>): Demand => ({
    name,
    run: async () => check(await freshPlace()),
  });
  return [
    demand('starts with an empty log', async (place) => {
      const store = await place.open();
      equal(store.head().offset, 0, 'head');
      equal((await readAll(store)).length, 0, 'updates');
      await store.close();
    }),
    demand('reads appended updates back in order and moves the head', async (place) => {
      const store = await place.open();
      const updates = sample(10);
      const first = await append(store, 0, updates.slice(0, 4));
      const second = await append(store, 4, updates.slice(4));
      equal(first.offset, 4, 'head after the first group');
      equal(second.offset, updates.length, 'head after the second group');
      equal(store.head().hash, second.hash, 'hash of the head');
      same(await readAll(store), updates);
      same(await readAll(store, 6), updates.slice(5));
      for (const update of updates) equal(store.lineAt(update.offset), codec.encode(update), `line ${update.offset}`);
      await store.close();
    }),
    demand('refuses an append at another offset and leaves the log unchanged', async (place) => {
      const store = await place.open();
      const updates = sample(6);
      await append(store, 0, updates.slice(0, 3));
      const { hash } = store.head();
      for (const expected of [0, 2, 4]) {
        const answer = await store.append(expected, updates.slice(3));
        equal(answer.ok ? 'accepted' : answer.error.code, 'CONFLICT', `append after ${expected}`);
      }
      equal(store.head().hash, hash, 'hash of the head');
      same(await readAll(store), updates.slice(0, 3));
      await store.close();
    }),
    demand('accepts exactly one of several concurrent appends at the same offset', async (place) => {
      const store = await place.open();
      const updates = sample(4);
      const answers = await Promise.all(Array.from({ length: 20 }, () => store.append(0, updates)));
      equal(answers.filter(({ ok }) => ok).length, 1, 'winners');
      same(await readAll(store), updates);
      await store.close();
    }),
    demand('changes the hash of the head with every update', async (place) => {
      const store = await place.open();
      const [first, ...rest] = sample(5);
      await append(store, 0, first ? [first] : []);
      const { hash } = store.head();
      const next = await append(store, 1, rest);
      if (next.hash === hash) throw new Error('the hash stayed the same');
      await store.close();
    }),
    demand('keeps acknowledged updates after closing and reopening', async (place) => {
      if (!place.isDurable) return;
      const updates = sample(8);
      const store = await place.open();
      const head = await append(store, 0, updates.slice(0, 5));
      await store.close();
      const again = await place.open();
      equal(again.head().hash, head.hash, 'hash of the head');
      await append(again, 5, updates.slice(5));
      same(await readAll(again), updates);
      for (const update of updates) equal(again.lineAt(update.offset), codec.encode(update), `line ${update.offset}`);
      await again.close();
    }),
    demand('accepts a snapshot only at the head and leaves the log unchanged', async (place) => {
      const store = await place.open();
      const updates = sample(8);
      await append(store, 0, updates);
      for (const offset of [7, 8]) {
        const answer = await store.snapshot(stateAfter(updates.slice(0, offset)));
        equal(
          answer.ok ? answer.value.offset : answer.error.code,
          offset === 8 ? 8 : 'CONFLICT',
          `snapshot of ${offset}`,
        );
      }
      same(await readAll(store), updates);
      await store.close();
    }),
    demand('removes the updates after an offset and appends others in their place', async (place) => {
      const store = await place.open();
      if (!isRevertible(store)) return store.close();
      const updates = sample(9);
      const others = sample(9, 'other');
      await append(store, 0, updates.slice(0, 7));
      const { hash } = store.head();
      const beyond = await store.cut(8);
      equal(beyond.ok ? 'accepted' : beyond.error.code, 'CONFLICT', 'cut beyond the head');
      const cutting = store.cut(5);
      const late = store.append(5, others.slice(5, 6));
      const cut = await cutting;
      equal(cut.ok ? cut.value.offset : cut.error.code, 5, 'cut');
      equal((await late).ok, true, 'append after the cut');
      same(await readAll(store), [...updates.slice(0, 5), ...others.slice(5, 6)]);
      if (store.head().hash === hash) throw new Error('the hash of the head stayed the same');
      await append(store, 6, others.slice(6));
      await store.cut(5);
      await append(store, 5, updates.slice(5, 7));
      equal(store.head().hash, hash, 'hash after the same updates');
      await store.close();
      if (!place.isDurable) return;
      const again = await place.open();
      same(await readAll(again), updates.slice(0, 7));
      await again.close();
    }),
    demand('keeps names of offsets, without those that a cut removes', async (place) => {
      const store = await place.open();
      if (!isRevertible(store)) return store.close();
      await append(store, 0, sample(6));
      const marks = [
        { name: 'funded', offset: 3 },
        { name: 'late', offset: 6 },
      ];
      const set = await store.setMarks(marks);
      equal(set.ok, true, 'marks');
      equal(namesOf(await store.marks()), 'funded late', 'marks');
      await store.cut(5);
      equal(namesOf(await store.marks()), 'funded', 'marks after the cut');
      await store.close();
      if (!place.isDurable) return;
      const again = await place.open();
      equal(isRevertible(again) && namesOf(await again.marks()), 'funded', 'marks after reopening');
      await again.close();
    }),
    demand('reopens from the newest snapshot and reaches the same state', async (place) => {
      if (!place.isDurable) return;
      const updates = sample(12);
      const store = await place.open();
      for (const [from, to] of [
        [0, 3],
        [3, 8],
      ] as const) {
        await append(store, from, updates.slice(from, to));
        await store.snapshot(stateAfter(updates.slice(0, to)));
      }
      await append(store, 8, updates.slice(8));
      await store.close();
      let engine = new Engine();
      let [begins, lines, read] = [0, 0, 0];
      const again = await place.open({
        onSnapshot(state) {
          begins = state.offset;
          engine = new Engine({}, state);
        },
        onLine: () => void (lines += 1),
        onUpdate(update) {
          read += 1;
          engine.apply(update);
        },
      });
      equal(begins, 8, 'offset of the snapshot');
      equal(lines, updates.length, 'lines');
      equal(read, updates.length - 8, 'updates after the snapshot');
      equal(engine.hash(), stateHash(stateAfter(updates)), 'state');
      await again.close();
    }),
  ];
}

function isRevertible(store: EventStore): store is RevertibleStore {
  return 'cut' in store;
}

function namesOf(marks: readonly Mark[]): string {
  return marks.map(({ name }) => name).join(' ');
}

function sample(count: number, prefix: string = 'party'): readonly Update[] {
  let ledger = openLedger();
  for (let i = ledger.state.offset; i < count; i++) {
    const party = PartyId.of(`${prefix}-${i}`);
    const accepted = ledger.submit({ type: 'AllocateParty', party }, { now: ledger.state.time, actAs: [party] });
    if (accepted.ok) ledger = accepted.value.ledger;
  }
  return ledger.updates();
}

function stateAfter(updates: readonly Update[]): LedgerState {
  const engine = new Engine();
  for (const update of updates) engine.apply(update);
  return engine.snapshot();
}

async function append(
  store: EventStore,
  after: number,
  updates: readonly Update[],
): Promise<{ offset: number; hash: string }> {
  const answer = await store.append(after, updates);
  if (!answer.ok) throw new Error(`append after ${after} was refused: ${answer.error.code}`);
  return answer.value;
}

async function readAll(store: EventStore, from?: number): Promise<readonly Update[]> {
  const updates: Update[] = [];
  for await (const update of store.read(from)) updates.push(update);
  return updates;
}

function same(found: readonly Update[], expected: readonly Update[]): void {
  equal(found.length, expected.length, 'number of updates');
  found.forEach((update, i) => equal(update.updateId, expected[i]?.updateId, `update ${i + 1}`));
}

function equal<Value>(found: Value, expected: Value, what: string): void {
  if (found !== expected) throw new Error(`${what}: got ${String(found)}, expected ${String(expected)}`);
}
