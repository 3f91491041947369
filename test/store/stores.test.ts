import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, stateHash, type LedgerState, type Update } from '@coinlab/core';
import {
  conformance,
  memoryStore,
  nodeDisk,
  openFileStore,
  type Disk,
  type EventStore,
  type Recovery,
  type StoreRefusal,
} from '@coinlab/store';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runs } from '../chance.js';
import { killed, startOwner } from './owner-process.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { stateAfter, updates } from './sample.js';

// A killed store never ends the renewal of its lock: thousands of renewals would slow the later tests of this process.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

/**
 * Milliseconds of silence. After a power cut the lock file may be empty; a low limit keeps the wait for its
 * owner short.
 */
const SILENCE = 5;
const folders: string[] = [];

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coinlab-store-'));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function opened(folder: string, disk: Disk = nodeDisk, recovery: Recovery = {}): Promise<EventStore> {
  const store = await openFileStore({ folder, disk, segmentBytes: 4_000, silenceMillis: SILENCE, ...recovery });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

async function refusal(folder: string, disk: Disk = nodeDisk): Promise<StoreRefusal> {
  const store = await openFileStore({ folder, disk });
  if (store.ok) throw new Error('the log was opened');
  return store.error;
}

const sixty = updates(60);

describe('the memory store', () => {
  for (const { name, run } of conformance(async () => ({ isDurable: false, open: async () => memoryStore() })))
    it(name, run);
});

describe('the file store', () => {
  const place = async () => {
    const folder = await freshFolder();
    return { isDurable: true, open: (recovery?: Recovery) => opened(folder, nodeDisk, recovery) };
  };
  for (const { name, run } of conformance(place)) it(name, run);

  it('passes every stored update to the caller that opens it, which reaches the same state', async () => {
    const folder = await freshFolder();
    const store = await opened(folder);
    await store.append(0, sixty);
    await store.close();
    const engine = new Engine();
    const again = await opened(folder, nodeDisk, { onUpdate: (update) => engine.apply(update) });
    expect(engine.hash()).toBe(stateHash(stateAfter(sixty)));
    await again.close();
  });

  it('refuses a second process immediately and names the owner', async () => {
    const folder = await freshFolder();
    const store = await opened(folder);
    expect(await refusal(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: process.pid, host: hostname() } });
    await store.close();
    await (await opened(folder)).close();
  });

  it('can be opened after the process that owned it was killed', async () => {
    const folder = await freshFolder();
    const { child, said } = startOwner(folder);
    expect(await said).toBe('open');
    expect(await refusal(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: child.pid } });
    await killed(child);
    await (await opened(folder)).close();
  });

  it('reports any flipped bit at start, with file, byte and offset', async () => {
    const { disk, log } = await written(20);
    const bytes = disk.bytesOf(log);
    const property = fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
      const copy = bytes.slice();
      copy[at] = (copy[at] as number) ^ (1 << bit);
      disk.overwrite(log, copy);
      const refused = await refusal('log', disk);
      expect(refused.code).toBe('DAMAGED');
      if (refused.code !== 'DAMAGED') return;
      expect(`log/${refused.damage.file}`).toBe(log);
      expect(refused.damage.byte).toBeLessThanOrEqual(at);
      expect(refused.damage.offset).toBeGreaterThan(0);
    });
    await fc.assert(property, { numRuns: runs(200) });
  });

  it('refuses a log that was truncated anywhere before its acknowledged end', async () => {
    const { disk, log } = await written(20);
    const bytes = disk.bytesOf(log);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (size) => {
        disk.overwrite(log, bytes.slice(0, size));
        expect((await refusal('log', disk)).code).toBe('DAMAGED');
      }),
      { numRuns: runs(200) },
    );
  });

  it('refuses a log when the head is missing, damaged or of another record', async () => {
    const { disk } = await written(5);
    const head = disk.bytesOf('log/head.json');
    const text = Buffer.from(head).toString();
    for (const bad of [
      '',
      '{}\n',
      text.slice(0, -2),
      text.replace(/"hash":"./, '"hash":"g'),
      text.replace(/\d+/, '3'),
    ]) {
      disk.overwrite('log/head.json', Buffer.from(bad));
      expect(await refusal('log', disk)).toMatchObject({ code: 'DAMAGED', damage: { file: 'head.json' } });
    }
    await disk.remove('log/head.json');
    expect(await refusal('log', disk)).toMatchObject({ code: 'DAMAGED', damage: { file: 'head.json' } });
  });

  it('keeps every acknowledged update when the power is cut between any two calls', async () => {
    const cuts = fc.record({
      groups: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 10 }),
      callsLeft: fc.nat(120),
      chance: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      name: fc.uuid(),
    });
    await fc.assert(
      fc.asyncProperty(cuts, async ({ groups, callsLeft, chance, name }) => {
        const draw = (): number => chance.next().value ?? 0.5;
        const disk = new PowerCutDisk(name, draw, callsLeft);
        const store = await openFileStore({ folder: 'log', disk, segmentBytes: 3_000, silenceMillis: SILENCE });
        if (!store.ok) return;
        let acknowledged = 0;
        for (const size of groups) {
          const answer = await store.value.append(acknowledged, sixty.slice(acknowledged, acknowledged + size));
          if (!answer.ok) break;
          acknowledged = answer.value.offset;
        }
        await store.value.close();
        const found: Update[] = [];
        const again = await opened('log', disk.afterPowerCut(), { onUpdate: (update) => found.push(update) });
        expect(found.length).toBeGreaterThanOrEqual(acknowledged);
        expect(found.map(({ updateId }) => updateId)).toEqual(
          sixty.slice(0, found.length).map(({ updateId }) => updateId),
        );
        const next = await again.append(found.length, sixty.slice(found.length, found.length + 2));
        expect(next.ok).toBe(true);
        await again.close();
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a snapshot', () => {
  /** Writes a log with snapshots at 20 and 40 of its sixty updates, on an in-memory disk. */
  async function withSnapshots(name: string): Promise<PowerCutDisk> {
    const disk = new PowerCutDisk(name, () => 0.9);
    const store = await opened('log', disk);
    for (const from of [0, 20]) {
      await store.append(from, sixty.slice(from, from + 20));
      expect((await store.snapshot(stateAfter(sixty.slice(0, from + 20)))).ok).toBe(true);
    }
    await store.append(40, sixty.slice(40));
    await store.close();
    return disk;
  }

  /**
   * Opens a log with its snapshots. Returns the offset of the first update that was replayed, the hash of the
   * final state, and the notes.
   */
  async function recovered(disk: Disk): Promise<{ from: number; hash: string; notes: readonly string[] }> {
    let from = 0;
    let engine = new Engine();
    const notes: string[] = [];
    const onSnapshot = (state: LedgerState): void => {
      from = state.offset;
      engine = new Engine({}, state);
    };
    const recovery = { onSnapshot, onUpdate: (update: Update) => engine.apply(update) };
    const onNote = (note: string): void => void (note.startsWith('the log is locked') || notes.push(note));
    const store = await openFileStore({ folder: 'log', disk, silenceMillis: SILENCE, ...recovery, onNote });
    if (!store.ok) throw new Error(JSON.stringify(store.error));
    await store.value.close();
    return { from, hash: engine.hash(), notes };
  }

  it('is the starting point of recovery, which gives the same state as a full replay', async () => {
    const disk = await withSnapshots('snapshot-1');
    expect(await recovered(disk)).toEqual({ from: 40, hash: stateHash(stateAfter(sixty)), notes: [] });
  });

  it('is ignored with a note when it is damaged, and recovery uses the previous snapshot', async () => {
    const disk = await withSnapshots('snapshot-2');
    const path = 'log/state-000000000040.ndjson';
    const bytes = disk.bytesOf(path);
    const damage = fc.record({ at: fc.nat(bytes.length - 1), bit: fc.nat(7), isCut: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, bit, isCut }) => {
        const copy = isCut ? bytes.slice(0, at) : bytes.slice();
        if (!isCut) copy[at] = (copy[at] as number) ^ (1 << bit);
        disk.overwrite(path, copy);
        const { from, hash, notes } = await recovered(disk);
        expect({ from, hash }).toEqual({ from: 20, hash: stateHash(stateAfter(sixty)) });
        expect(notes).toHaveLength(1);
      }),
      { numRuns: runs(100) },
    );
  });

  it('is read, and its damage noted, when it has several MiB', async () => {
    const many = updates(4_000, 'x'.repeat(170));
    const disk = new PowerCutDisk('snapshot-long', () => 0.9);
    const store = await opened('log', disk);
    await store.append(0, many);
    expect((await store.snapshot(stateAfter(many))).ok).toBe(true);
    await store.close();
    const path = 'log/state-000000004000.ndjson';
    const bytes = disk.bytesOf(path);
    expect(bytes.length).toBeGreaterThan(1_200_000);
    const hash = stateHash(stateAfter(many));
    expect(await recovered(disk)).toEqual({ from: 4_000, hash, notes: [] });
    for (const at of [1_000, 1_048_576, bytes.length - 1_000]) {
      const copy = bytes.slice();
      copy[at] = (copy[at] as number) ^ 1;
      disk.overwrite(path, copy);
      const notes = ['ignored state-000000004000.ndjson: the seal does not match the state'];
      expect(await recovered(disk)).toEqual({ from: 0, hash, notes });
    }
  });

  it('is ignored when it belongs to another log or to a missing record, or has another name', async () => {
    const disk = await withSnapshots('snapshot-3');
    const bytes = disk.bytesOf('log/state-000000000040.ndjson');
    const foreign = Buffer.from(
      Buffer.from(bytes)
        .toString()
        .replace(/"record":"./, (start) => `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}`),
    );
    disk.overwrite('log/state-000000000040.ndjson', foreign);
    disk.overwrite('log/state-000000000050.ndjson', bytes);
    disk.overwrite('log/state-000000000099.ndjson', bytes);
    const { from, hash, notes } = await recovered(disk);
    expect({ from, hash, notes: notes.length }).toEqual({ from: 20, hash: stateHash(stateAfter(sixty)), notes: 3 });
  });

  it('does not hide damage to the records that it covers', async () => {
    const disk = await withSnapshots('snapshot-4');
    const log = disk.paths().find((path) => path.includes('/log-')) ?? '';
    const bytes = disk.bytesOf(log);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const copy = bytes.slice();
        copy[at] = (copy[at] as number) ^ (1 << bit);
        disk.overwrite(log, copy);
        const opening = await openFileStore({ folder: 'log', disk, onSnapshot: () => undefined });
        expect(opening).toMatchObject({ ok: false, error: { code: 'DAMAGED', damage: { file: log.slice(4) } } });
      }),
      { numRuns: runs(100) },
    );
  });

  it('replaces all older snapshots except one, and leaves no file when it cannot be written', async () => {
    let full = false;
    const folder = await freshFolder();
    const store = await opened(folder, failing(nodeDisk, { write: () => full }));
    for (let offset = 10; offset <= 40; offset += 10) {
      await store.append(offset - 10, sixty.slice(offset - 10, offset));
      full = offset === 40;
      const answer = await store.snapshot(stateAfter(sixty.slice(0, offset)));
      expect(answer.ok ? 'ok' : answer.error.code).toBe(full ? 'WRITE_FAILED' : 'ok');
    }
    full = false;
    expect((await store.append(40, sixty.slice(40))).ok).toBe(true);
    await store.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('state'))).toEqual([
      'state-000000000020.ndjson',
      'state-000000000030.ndjson',
    ]);
  });

  it('is complete or absent after a power cut between any two calls, and the log has all acknowledged updates', async () => {
    const cuts = fc.record({
      groups: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
      callsLeft: fc.nat(160),
      chance: fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      name: fc.uuid(),
    });
    await fc.assert(
      fc.asyncProperty(cuts, async ({ groups, callsLeft, chance, name }) => {
        const disk = new PowerCutDisk(name, () => chance.next().value ?? 0.5, callsLeft);
        const store = await openFileStore({ folder: 'log', disk, segmentBytes: 3_000, silenceMillis: SILENCE });
        if (!store.ok) return;
        let acknowledged = 0;
        let kept = 0;
        const snapshots: Promise<unknown>[] = [];
        for (const size of groups) {
          const answer = await store.value.append(acknowledged, sixty.slice(acknowledged, acknowledged + size));
          if (!answer.ok) break;
          acknowledged = answer.value.offset;
          // A server also saves the snapshot while it appends the next updates.
          const { offset } = answer.value;
          const taken = store.value.snapshot(stateAfter(sixty.slice(0, offset)));
          snapshots.push(taken.then((taking) => void (kept = taking.ok ? Math.max(kept, offset) : kept)));
        }
        await Promise.all(snapshots);
        await store.value.close();
        const after = disk.afterPowerCut();
        const { from, hash, notes } = await recovered(after);
        expect(from).toBeGreaterThanOrEqual(kept);
        expect(notes.filter((note) => note.startsWith('ignored'))).toEqual([]);
        const again = await opened('log', after);
        expect(again.head().offset).toBeGreaterThanOrEqual(acknowledged);
        expect(hash).toBe(stateHash(stateAfter(sixty.slice(0, again.head().offset))));
        expect(after.paths().filter((path) => path.endsWith('.ndjson.next'))).toEqual([]);
        await again.close();
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('a file store on a failing disk', () => {
  it('refuses writes while the disk is full, keeps acknowledged updates, and accepts writes when there is space again', async () => {
    let full = false;
    const disk = failing(nodeDisk, { write: () => full });
    const folder = await freshFolder();
    const store = await opened(folder, disk);
    await store.append(0, sixty.slice(0, 10));
    full = true;
    expect(await store.append(10, sixty.slice(10, 20))).toMatchObject({ ok: false, error: { code: 'WRITE_FAILED' } });
    expect(store.head().offset).toBe(10);
    full = false;
    expect(await store.append(10, sixty.slice(10, 20))).toMatchObject({ ok: true, value: { offset: 20 } });
    await store.close();
    const found: Update[] = [];
    await (await opened(folder, nodeDisk, { onUpdate: (update) => found.push(update) })).close();
    expect(found).toHaveLength(20);
  });

  it('stops writing after a failed sync until it is reopened, and can still read', async () => {
    let broken = false;
    const disk = failing(nodeDisk, { sync: () => broken });
    const folder = await freshFolder();
    const store = await opened(folder, disk);
    await store.append(0, sixty.slice(0, 10));
    broken = true;
    expect(await store.append(10, sixty.slice(10, 12))).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    broken = false;
    expect(await store.append(10, sixty.slice(10, 12))).toMatchObject({ ok: false, error: { code: 'STOPPED' } });
    const found: Update[] = [];
    for await (const update of store.read()) found.push(update);
    expect(found).toHaveLength(10);
    await store.close();
    const again = await opened(folder);
    expect(again.head().offset).toBeGreaterThanOrEqual(10);
    await again.close();
  });

  it('reports the reason when the folder cannot be created', async () => {
    const file = join(await freshFolder(), 'file');
    await writeFile(file, 'not a folder');
    expect(await refusal(join(file, 'log'))).toMatchObject({ code: 'UNREADABLE' });
  });
});

/** Writes a log to an in-memory disk, in one segment, and closes it. */
async function written(count: number): Promise<{ disk: PowerCutDisk; log: string }> {
  const disk = new PowerCutDisk(`written-${count}-${Math.floor(performance.now() * 1e6)}`, () => 0.9);
  const store = await openFileStore({ folder: 'log', disk });
  if (!store.ok) throw new Error(store.error.code);
  await store.value.append(0, sixty.slice(0, count));
  await store.value.close();
  return { disk, log: disk.paths().find((path) => path.includes('/log-')) ?? '' };
}

/** Returns a disk on which writes or syncs fail while a function returns true. */
function failing(disk: Disk, fails: { write?: () => boolean; sync?: () => boolean }): Disk {
  return {
    ...disk,
    async open(path) {
      const file = await disk.open(path);
      return {
        ...file,
        // A full disk stores part of a record before it reports the error.
        write: async (bytes, position) => {
          if (!fails.write?.()) return file.write(bytes, position);
          await file.write(bytes.subarray(0, Math.floor(bytes.length / 2)), position);
          throw new Error('ENOSPC: no space left on device');
        },
        sync: async () => {
          if (fails.sync?.()) throw new Error('EIO: i/o error');
          await file.sync();
        },
      };
    },
  };
}
