import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk, openFileStore, type Disk, type FileStoreOptions, type RevertibleStore } from '@coinlab/store';
import { describe, expect, it, vi } from 'vitest';
import { FaultyDisk } from './faulty-disk.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { stateAfter, updates } from './sample.js';

const history = updates(60);

async function opened(options: Partial<FileStoreOptions> = {}): Promise<RevertibleStore> {
  const folder =
    options.disk instanceof PowerCutDisk || options.disk instanceof FaultyDisk
      ? 'log'
      : mkdtempSync(join(tmpdir(), 'coinlab-store-'));
  const store = await openFileStore({ folder, ...options });
  if (!store.ok) throw new Error(JSON.stringify(store.error));
  return store.value;
}

async function linesOf(disk: PowerCutDisk): Promise<readonly string[]> {
  const lines: string[] = [];
  const store = await opened({ disk, onLine: (line) => lines.push(line) });
  await store.close();
  return lines;
}

const stopped = (reason: string): object => ({ ok: false, error: { code: 'STOPPED', reason } });
const LOST = 'another process has taken over this log: this process no longer writes to it';

describe('a log that another process has taken over', () => {
  it('refuses snapshots and appends once the owner renews its lock and finds it missing', async () => {
    const disk = new PowerCutDisk('lost', () => 0.9);
    const notes: string[] = [];
    const store = await opened({ disk, silenceMillis: 50, onNote: (note) => notes.push(note) });
    expect((await store.append(0, history.slice(0, 4))).ok).toBe(true);
    disk.touch = async () => false;
    await expect.poll(() => notes).toEqual([LOST]);
    expect(await store.snapshot(stateAfter(history.slice(0, 4)))).toEqual(stopped(LOST));
    expect(await store.append(4, history.slice(4, 5))).toEqual(stopped(LOST));
    await store.close();
    expect(await store.append(4, history.slice(4, 5))).toEqual(stopped(LOST));
  });

  it('cannot be opened by a process that loses the lock meanwhile', async () => {
    const disk = new PowerCutDisk('lost at start', () => 0.9);
    disk.touch = async () => false;
    let isLost: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => (isLost = resolve));
    const slow = new FaultyDisk(
      disk,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (name) => (name.startsWith('sync log/head-') ? lost : undefined),
    );
    const store = await opened({ disk: slow, silenceMillis: 50, onNote: isLost });
    expect(await store.snapshot(stateAfter([]))).toEqual(stopped(LOST));
    await store.close();
  });
});

describe('a log that cannot be written', () => {
  it('refuses snapshots with the reason that the failed append reported', async () => {
    const inner = new PowerCutDisk('sync', () => 0.9);
    let isBroken = false;
    const disk: FaultyDisk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => isBroken && (disk.calls.at(-1)?.startsWith('sync') ?? false),
    );
    const store = await opened({ disk });
    isBroken = true;
    const answer = await store.append(0, history.slice(0, 2));
    isBroken = false;
    expect(answer).toMatchObject({ ok: false });
    const again = await store.append(0, history.slice(0, 2));
    if (again.ok) throw new Error('expected a stopped log');
    expect(again.error).toMatchObject({ code: 'STOPPED' });
    expect(await store.snapshot(stateAfter([]))).toEqual(again);
    await store.close();
  });
});

describe('closing a log', () => {
  it.each(['append', 'snapshot', 'marks'])('waits until the %s in progress is durable', async (work) => {
    const inner = new PowerCutDisk('close', () => 0.9);
    let isSlow = false;
    const disk = new FaultyDisk(
      inner,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (name) => {
        if (isSlow && name.startsWith('sync')) await new Promise((resolve) => setTimeout(resolve, 20));
      },
    );
    const store = await opened({ disk });
    await store.append(0, history.slice(0, 4));
    isSlow = true;
    const order: string[] = [];
    const begin: Readonly<Record<string, () => Promise<{ readonly ok: boolean }>>> = {
      append: () => store.append(4, history.slice(4, 6)),
      snapshot: () => store.snapshot(stateAfter(history.slice(0, 4))),
      marks: () => store.setMarks([{ name: 'funded', offset: 3 }]),
    };
    const done = begin[work]?.().then(({ ok }) => order.push(`${work} ${ok}`));
    await store.close();
    order.push('closed');
    await done;
    expect(order).toEqual([`${work} true`, 'closed']);
    expect(await linesOf(inner)).toHaveLength(work === 'append' ? 6 : 4);
  });

  it('refuses later appends, cuts, marks and snapshots', async () => {
    const store = await opened();
    await store.append(0, history.slice(0, 4));
    await store.close();
    expect(await store.cut(2)).toEqual(stopped('the store is closed'));
    expect(await store.setMarks([])).toEqual(stopped('the store is closed'));
    expect(await store.append(4, history.slice(4, 5))).toEqual(stopped('the store is closed'));
    expect(await store.snapshot(stateAfter(history.slice(0, 4)))).toEqual(stopped('the store is closed'));
  });

  it('closes every file, also after many groups of updates', async () => {
    let open = 0;
    const disk: Disk = {
      ...nodeDisk,
      async open(path) {
        const file = await nodeDisk.open(path);
        open += 1;
        return {
          write: (bytes, position) => file.write(bytes, position),
          sync: () => file.sync(),
          truncate: (size) => file.truncate(size),
          async close() {
            open -= 1;
            await file.close();
          },
        };
      },
    };
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-store-'));
    const store = await opened({ folder, disk: { ...disk }, segmentBytes: 4_000 });
    // Append all groups without waiting: the store hands a busy log over to a thread while appends wait.
    const answers = await Promise.all(history.slice(0, 40).map((update, i) => store.append(i, [update])));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    await store.snapshot(stateAfter(history.slice(0, 40)));
    await store.close();
    expect(open).toBe(0);
  });
});

it('a file store refuses to read an offset without an update and names the offset', async () => {
  const store = await opened();
  await store.append(0, history.slice(0, 4));
  for (const offset of [0, 5])
    expect(() => store.lineAt(offset)).toThrow(new RangeError(`there is no update at offset ${offset}`));
  await store.close();
});

it('a file store has one file for many appends, because a segment has 64 MiB by default', async () => {
  const disk = new PowerCutDisk('segments', () => 0.9);
  const store = await opened({ disk });
  for (let i = 0; i < 12; i++) await store.append(i, history.slice(i, i + 1));
  await store.close();
  expect(disk.paths().filter((path) => path.includes('/log-'))).toEqual(['log/log-000000000001.ndjson']);
});

it('a file store reads 64 records of a segment at once for a sequential reader, and single records for others', async () => {
  const many = updates(100);
  const disk = new PowerCutDisk('ahead', () => 0.9);
  const store = await opened({ disk });
  await store.append(0, many);
  const sizes = Buffer.from(disk.bytesOf('log/log-000000000001.ndjson'))
    .toString()
    .split(/(?<=\n)/)
    .map((line) => line.length);
  const sizeOf = (from: number, to: number): number => sizes.slice(from, to).reduce((sum, size) => sum + size, 0);
  const parts: number[] = [];
  const readInto = disk.readInto.bind(disk);
  disk.readInto = (path, from, into) => {
    parts.push(into.length);
    return readInto(path, from, into);
  };
  const found: string[] = [];
  for await (const { updateId } of store.read()) found.push(updateId);
  expect(found).toEqual(many.map(({ updateId }) => updateId));
  for (const offset of [40, 20, 60]) expect(store.lineAt(offset)).toContain(many[offset - 1]?.updateId);
  expect(parts).toEqual([sizeOf(0, 64), sizeOf(64, 100), ...[40, 20, 60].map((at) => sizeOf(at - 1, at))]);
  await store.close();
});

it('a file store lets other work run while it reads a long log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-store-'));
  const store = await opened({ folder });
  await store.append(0, history);
  await store.close();
  const turns: number[] = [];
  let turn = 0;
  let isReading = true;
  const count = (): void => {
    turn += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const again = await opened({
    folder,
    onUpdate() {
      turns.push(turn);
      // As slow as saving the state of some thousand updates.
      for (const until = performance.now() + 3; performance.now() < until;);
    },
  });
  isReading = false;
  expect(new Set(turns).size).toBeGreaterThan(5);
  await again.close();
});

describe('the disk of this machine', () => {
  it('creates a folder with its missing parents, and syncs the parent of each', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'coinlab-folders-'));
    const synced = vi.spyOn(nodeDisk, 'syncFolder');
    await nodeDisk.makeFolder(join(parent, 'a', 'b', 'c'));
    const folders = synced.mock.calls.map(([folder]) => folder);
    synced.mockRestore();
    expect(readdirSync(join(parent, 'a', 'b'))).toEqual(['c']);
    expect(folders).toEqual([join(parent, 'a', 'b'), join(parent, 'a'), parent]);
  });

  it('leaves no file whose content it could not write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinlab-create-'));
    // Not bytes, so the write fails after the file was created.
    const bytes = { length: 4 } as Uint8Array;
    await expect(nodeDisk.create(join(folder, 'file'), bytes)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
