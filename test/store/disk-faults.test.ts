import { hash } from 'node:crypto';
import { codec, Engine, type Update } from '@coinlab/core';
import { openFileStore, type EventStore } from '@coinlab/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FaultyDisk, type Fault } from './faulty-disk.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { stateAfter, updates } from './sample.js';

// A killed store never ends the renewal of its lock: thousands of renewals would slow the later tests of this process.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

const CODES = ['EIO', 'ENOSPC', 'EDQUOT'] as const;
const EFFECTS = ['before', 'after', 'half'] as const;
/** Whether only one call fails, or also all calls after it. */
const SPANS = ['once', 'for good'] as const;
const history = updates(24);
/** Other updates for the same offsets. A caller whose first updates were refused appends these. */
const others = updates(24, 'other');
const GROUPS = [4, 1, 3, 2, 2];

/** The answers that callers received, and the state of the disk. */
interface Told {
  readonly acknowledged: readonly Update[];
  /** The updates of an append that was answered with `STOPPED`. */
  readonly unknown: readonly Update[];
}

const freshDisk = (name: string): PowerCutDisk => new PowerCutDisk(name, () => 0.9);

async function openedOn(
  disk: FaultyDisk | PowerCutDisk,
  found: Update[] = [],
  onNote?: (note: string) => void,
): Promise<EventStore | null> {
  let engine = new Engine();
  const opened = await openFileStore({
    folder: 'log',
    disk,
    segmentBytes: 3_000,
    silenceMillis: 5,
    ...(onNote && { onNote }),
    onSnapshot: (state) => (engine = new Engine({}, state)),
    onUpdate: (update) => engine.apply(update),
    onLine(line) {
      const update = codec.decode(line, found.length + 1);
      if (update.ok) found.push(update.value);
    },
  });
  if (!opened.ok) return null;
  // Replaying later updates on a snapshot gives the same state as replaying all updates.
  expect(engine.hash()).toBe(new Engine({}, stateAfter(found)).hash());
  return opened.value;
}

/**
 * Appends groups and saves a snapshot after the second one. If a group is refused, appends other updates for
 * its offsets.
 */
async function appendTo(store: EventStore, before: readonly Update[]): Promise<Told> {
  const acknowledged = [...before];
  const unknown: Update[] = [];
  for (const [i, size] of GROUPS.entries()) {
    for (const source of [history, others]) {
      const group = source.slice(acknowledged.length, acknowledged.length + size);
      const answer = await store.append(acknowledged.length, group);
      if (answer.ok) {
        acknowledged.push(...group);
        break;
      }
      if (answer.error.code === 'STOPPED') unknown.push(...group);
    }
    if (i === 1) await store.snapshot(stateAfter(acknowledged));
  }
  await store.close();
  return { acknowledged, unknown };
}

async function found(disk: PowerCutDisk): Promise<readonly string[]> {
  const updatesFound: Update[] = [];
  const store = await openedOn(disk, updatesFound);
  if (!store) throw new Error('the next start was refused');
  await store.close();
  return updatesFound.map(textOf);
}

const textOf = (update: Update): string => hash('sha256', codec.encode(update)).slice(0, 12);

/** Runs a check once for every call of the disk and every kind of fault. */
async function everyFault(
  countCalls: () => Promise<number>,
  check: (fault: Fault, fails: (call: number) => boolean, n: number, span: string) => Promise<void>,
): Promise<void> {
  const calls = await countCalls();
  expect(calls).toBeGreaterThan(20);
  for (const span of SPANS)
    for (const effect of EFFECTS)
      for (let n = 1; n <= calls; n++) {
        const code = CODES[n % CODES.length] ?? 'EIO';
        const fails = (call: number): boolean => (span === 'once' ? call === n : call >= n);
        await check({ code, effect }, fails, n, span);
      }
}

/** Returns how many files were opened and not closed. */
function leftOpen({ calls }: FaultyDisk): number {
  const count = (verb: string): number => calls.filter((call) => call.startsWith(`${verb} log/`)).length;
  return count('open') - count('close');
}

const never = (): boolean => false;
const NO_FAULT: Fault = { code: 'EIO', effect: 'before' };

describe('a file store on a disk with one failing call', () => {
  const runOn = async (disk: FaultyDisk, before: readonly Update[] = []): Promise<Told> => {
    const store = await openedOn(disk);
    return store ? appendTo(store, before) : { acknowledged: before, unknown: [] };
  };
  const countCalls = async (): Promise<number> => {
    const disk = new FaultyDisk(freshDisk('count'), NO_FAULT, never);
    await runOn(disk);
    return disk.calls.length;
  };

  it('loses no acknowledged update and stores no refused update when any call of a start, an append or a snapshot fails', async () => {
    await everyFault(countCalls, async (fault, fails, n, span) => {
      const inner = freshDisk(`run-${n}`);
      const disk = new FaultyDisk(inner, fault, fails);
      const { acknowledged, unknown } = await runOn(disk);
      const what = `${span} ${fault.effect} ${n} ${disk.calls[n - 1]}`;
      const kept = await found(inner);
      if (span === 'once') expect(kept, what).toEqual(acknowledged.map(textOf));
      expect(kept.slice(0, acknowledged.length), what).toEqual(acknowledged.map(textOf));
      const allowed = new Set([...acknowledged, ...unknown].map(textOf));
      expect(
        kept.filter((line) => !allowed.has(line)),
        what,
      ).toEqual([]);
    });
  });

  it('loses no acknowledged update when the power is cut after the next start and its appends', async () => {
    await everyFault(countCalls, async (fault, fails, n, span) => {
      const inner = freshDisk(`cut-${n}`);
      const disk = new FaultyDisk(inner, fault, fails);
      await runOn(disk);
      const what = `${span} ${fault.effect} ${n} ${disk.calls[n - 1]}`;
      const served: Update[] = [];
      const again = await openedOn(inner, served);
      if (!again) throw new Error(`${what}: the next start was refused`);
      const next = history.slice(served.length, served.length + 2);
      expect((await again.append(served.length, next)).ok, what).toBe(true);
      expect(await found(inner.afterPowerCut(`after-${n}`)), what).toEqual([...served, ...next].map(textOf));
      await again.close();
    });
  });

  it('refuses to start at most once, and the following start has every acknowledged update', async () => {
    const written = async (name: string): Promise<{ inner: PowerCutDisk; told: Told }> => {
      const inner = freshDisk(name);
      const told = await runOn(new FaultyDisk(inner, NO_FAULT, never));
      // The log has an incomplete tail and a killed owner, so that the next start has to repair it.
      const log = inner.paths().findLast((path) => path.startsWith('log/log-')) ?? '';
      inner.overwrite(log, Buffer.concat([inner.bytesOf(log), Buffer.from('{"prev":"torn')]));
      inner.overwrite('log/head-9.json.next', Buffer.from('{"offset":'));
      return { inner, told };
    };
    const startCalls = async (): Promise<number> => {
      const disk = new FaultyDisk((await written('start')).inner, NO_FAULT, never);
      await (await openedOn(disk))?.close();
      return disk.calls.length;
    };
    await everyFault(startCalls, async (fault, fails, n) => {
      const { inner, told } = await written(`start-${n}`);
      await (await openedOn(new FaultyDisk(inner, fault, fails)))?.close();
      expect(await found(inner), `${fault.effect} ${n}`).toEqual(told.acknowledged.map(textOf));
    });
  });
});

it('a file store acknowledges complete records after the head when it opens and serves them', async () => {
  const disk = freshDisk('served');
  const store = await openedOn(disk);
  await store?.append(0, history.slice(0, 4));
  const head = Uint8Array.from(disk.bytesOf('log/head.json'));
  await store?.append(4, history.slice(4, 5));
  await store?.close();
  disk.overwrite('log/head.json', head);
  const served: Update[] = [];
  const counted = new FaultyDisk(disk, NO_FAULT, never);
  const notes: string[] = [];
  await (await openedOn(counted, served, (note) => notes.push(note)))?.close();
  expect(served.map(textOf)).toEqual(history.slice(0, 5).map(textOf));
  expect(notes).toEqual(['kept 1 whole records beyond the acknowledged head']);
  expect(leftOpen(counted)).toBe(0);
  const log = disk.paths().findLast((path) => path.startsWith('log/log-')) ?? '';
  disk.overwrite(log, disk.bytesOf(log).slice(0, -1));
  expect(await openFileStore({ folder: 'log', disk })).toMatchObject({ ok: false, error: { code: 'DAMAGED' } });
});

it.each(['none', 'truncate log/log-', 'sync log/log-'])(
  'a file store closes every file of a start that cuts an incomplete tail off, also when a call fails: %s',
  async (failing) => {
    const inner = freshDisk(`torn-${failing}`);
    const store = await openedOn(inner);
    await store?.append(0, history.slice(0, 4));
    await store?.close();
    const log = inner.paths().findLast((path) => path.startsWith('log/log-')) ?? '';
    inner.overwrite(log, Buffer.concat([inner.bytesOf(log), Buffer.from('{"prev":"torn')]));
    const disk: FaultyDisk = new FaultyDisk(inner, NO_FAULT, () => (disk.calls.at(-1) ?? '').startsWith(failing));
    const notes: string[] = [];
    const again = await openFileStore({ folder: 'log', disk, onNote: (note) => void notes.push(note) });
    expect(again.ok).toBe(failing === 'none');
    if (again.ok)
      expect(notes).toContainEqual(expect.stringMatching(/^cut 13 bytes that were never acknowledged off log-/));
    if (again.ok) await again.value.close();
    expect(leftOpen(disk)).toBe(0);
  },
);

describe('the rename of a new head file', () => {
  async function written(disk: FaultyDisk): Promise<EventStore> {
    const store = await openedOn(disk);
    if (!store) throw new Error('the start was refused');
    expect((await store.append(0, history.slice(0, 4))).ok).toBe(true);
    return store;
  }

  it('is synced before the store acknowledges the append', async () => {
    const disk = new FaultyDisk(freshDisk('order'), NO_FAULT, never);
    const store = await written(disk);
    const { length } = disk.calls;
    await store.append(4, history.slice(4, 6));
    const calls = disk.calls.slice(length);
    expect(calls.slice(calls.indexOf('rename log/head.json'))).toEqual([
      'rename log/head.json',
      'syncFolder',
      'readNow log/lock-1.json',
    ]);
    await store.close();
  });

  it('survives a power cut after the append was acknowledged, so that damage to the new record is detected', async () => {
    const inner = freshDisk('answered');
    const store = await written(new FaultyDisk(inner, NO_FAULT, never));
    expect((await store.append(4, history.slice(4, 6))).ok).toBe(true);
    const disk = inner.afterPowerCut('answered-after');
    await store.close();
    const log = disk.paths().findLast((path) => path.startsWith('log/log-')) ?? '';
    disk.overwrite(log, disk.bytesOf(log).slice(0, -1));
    const refused = await openFileStore({ folder: 'log', disk, silenceMillis: 5 });
    expect(refused).toMatchObject({ ok: false, error: { code: 'DAMAGED' } });
  });

  it.each([
    ['lost', 0.9, 4],
    ['kept', 0.1, 6],
  ])('may be %s in a power cut before its sync, and no acknowledged update is lost', async (_, drawn, offset) => {
    const inner = new PowerCutDisk(`renamed-${drawn}`, () => drawn);
    let isArmed = false;
    let isOff = false;
    const disk: FaultyDisk = new FaultyDisk(
      inner,
      NO_FAULT,
      () => (isOff ||= isArmed && disk.calls.at(-2) === 'rename log/head.json'),
    );
    const store = await written(disk);
    isArmed = true;
    expect(await store.append(4, history.slice(4, 6))).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    const after = inner.afterPowerCut(`renamed-${drawn}-after`);
    expect(Buffer.from(after.bytesOf('log/head.json')).toString()).toContain(`"offset":${offset},`);
    // The records were synced before the head was renamed.
    expect(await found(after)).toEqual(history.slice(0, 6).map(textOf));
    await store.close();
  });
});

it.each(['log/log-', 'log/head-', 'syncFolder'])(
  'a file store refuses every append after a failed sync, also one that was waiting: %s',
  async (file) => {
    const inner = freshDisk(`sync-${file}`);
    let isArmed = false;
    const disk: FaultyDisk = new FaultyDisk(inner, NO_FAULT, () => {
      const name = disk.calls.at(-1) ?? '';
      const fails = isArmed && name.startsWith('sync') && name.includes(file);
      isArmed &&= !fails;
      return fails;
    });
    const store = await openedOn(disk);
    expect((await store?.append(0, history.slice(0, 4)))?.ok).toBe(true);
    isArmed = true;
    const append = () => store?.append(4, history.slice(4, 6));
    // The second one waits while the first one fails; the third one is called after it.
    const answers = [...(await Promise.all([append(), append()])), await append()];
    expect(answers).toMatchObject(answers.map(() => ({ ok: false, error: { code: 'STOPPED' } })));
    expect(isArmed).toBe(false);
    await store?.close();
    expect(await found(inner)).toEqual(history.slice(0, 4).map(textOf));
  },
);

it.each([
  ['lost', 0.9],
  ['kept', 0.1],
])('a file store has no refused update after a power cut in which unsynced changes are %s', async (_, drawn) => {
  const inner = new PowerCutDisk(`refused-${drawn}`, () => drawn);
  let isFull = false;
  const disk: FaultyDisk = new FaultyDisk(
    inner,
    { code: 'ENOSPC', effect: 'before' },
    () => isFull && (disk.calls.at(-1) ?? '').startsWith('write log/head-'),
  );
  const store = await openedOn(disk);
  expect((await store?.append(0, history.slice(0, 4)))?.ok).toBe(true);
  isFull = true;
  // The records are synced when the head cannot be written.
  expect(await store?.append(4, history.slice(4, 6))).toMatchObject({ ok: false, error: { code: 'WRITE_FAILED' } });
  expect(await found(inner.afterPowerCut(`refused-${drawn}-after`))).toEqual(history.slice(0, 4).map(textOf));
  await store?.close();
});
