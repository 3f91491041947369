import { spawnSync, type ChildProcess } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { openFileStore, type FileStoreOptions, type StoreRefusal } from '@coinlab/store';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { runs } from '../chance.js';
import { FaultyDisk } from './faulty-disk.js';
import { killed, startOwner } from './owner-process.js';
import { PowerCutDisk } from './power-cut-disk.js';
import { updates } from './sample.js';

const folders: string[] = [];
const children: ChildProcess[] = [];
const history = updates(12);

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coinlab-lock-'));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function open(folder: string, options: Partial<FileStoreOptions> = {}): Promise<StoreRefusal | 'open'> {
  const opened = await openFileStore({ folder, ...options });
  if (!opened.ok) return opened.error;
  await opened.value.close();
  return 'open';
}

/** Opens a log in another process, which is killed after the test. */
function openElsewhere(...args: Parameters<typeof startOwner>): ReturnType<typeof startOwner> {
  const started = startOwner(...args);
  children.push(started.child);
  return started;
}

const canUnshare = (...flags: readonly string[]): boolean => spawnSync('unshare', [...flags, 'true']).status === 0;

/** Changes the content of a folder's lock file and returns its path. */
function forgeLock(folder: string, change: Readonly<Record<string, unknown>>): string {
  const name = readdirSync(folder).find((file) => file.startsWith('lock-')) ?? '';
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...change })}\n`);
  return path;
}

/** Returns a folder with the lock of a killed process. */
async function abandoned(): Promise<string> {
  const folder = freshFolder();
  const { child, said } = openElsewhere(folder);
  expect(await said).toBe('open');
  await killed(child);
  return folder;
}

describe.skipIf(!canUnshare('-rn'))('the lock of a folder (with unshare)', () => {
  it('keeps out a process in another network namespace', async () => {
    const folder = freshFolder();
    const { child, said } = openElsewhere(folder);
    expect(await said).toBe('open');
    const refused = JSON.parse(await openElsewhere(folder, ['unshare', '-rn']).said) as object;
    expect(refused).toMatchObject({ code: 'LOCKED', owner: { pid: child.pid } });
  });

  it.skipIf(!canUnshare('-rpf', '--mount-proc'))(
    'keeps out a process in another pid namespace, as in a second container, while the owner renews it',
    async () => {
      const folder = freshFolder();
      const container = ['unshare', '-rnpf', '--mount-proc', '--kill-child'];
      expect(await openElsewhere(folder, container, 1_000).said).toBe('open');
      // Each process has pid 1 in its own namespace.
      expect(JSON.parse(await openElsewhere(folder, container, 1_000).said)).toMatchObject({
        code: 'LOCKED',
        owner: { pid: 1 },
      });
      expect(await open(folder, { silenceMillis: 1_000 })).toMatchObject({ code: 'LOCKED', owner: { pid: 1 } });
    },
  );
});

describe('the lock of a process that has ended', () => {
  it('is taken over at once on the same machine', async () => {
    const folder = await abandoned();
    const began = performance.now();
    expect(await open(folder, { silenceMillis: 60_000 })).toBe('open');
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is taken over at once when its pid now belongs to another process', async () => {
    const folder = await abandoned();
    forgeLock(folder, { pid: process.ppid });
    expect(await open(folder, { silenceMillis: 60_000 })).toBe('open');
  });

  it.each([{ kernel: 'another machine' }, { kernel: null }])(
    'is taken over after silenceMillis when that process ran on another machine: %o',
    async (change) => {
      const folder = await abandoned();
      forgeLock(folder, { ...change, pid: process.pid });
      const notes: string[] = [];
      const began = performance.now();
      expect(await open(folder, { silenceMillis: 300, onNote: (note) => notes.push(note) })).toBe('open');
      expect(performance.now() - began).toBeGreaterThanOrEqual(299);
      expect(notes.join('\n')).toMatch(
        new RegExp(`locked by process ${process.pid} on \\S+ since 20.* waiting 0\\.3 s for a renewal`),
      );
    },
  );

  it('is read a few times a second while a process waits, and announced once', async () => {
    const disk = new PowerCutDisk('waiting', () => 0.9);
    disk.overwrite('log/lock-1.json', Buffer.from(''));
    const waiting = new FaultyDisk(disk, { code: 'EIO', effect: 'before' }, () => false);
    const notes: string[] = [];
    const began = performance.now();
    expect(await open('log', { disk: waiting, silenceMillis: 600, onNote: (note) => notes.push(note) })).toBe('open');
    expect(performance.now() - began).toBeGreaterThanOrEqual(599);
    expect(notes).toEqual([expect.stringMatching(/locked by an unknown process.*waiting 0\.6 s/)]);
    const reads = waiting.calls.filter((call) => call === 'read log/lock-1.json').length;
    expect(reads).toBeGreaterThan(2);
    expect(reads).toBeLessThan(10);
  });

  it('is taken over after silenceMillis when its file is empty', async () => {
    const folder = await abandoned();
    const name = readdirSync(folder).find((file) => file.startsWith('lock-')) ?? '';
    writeFileSync(join(folder, name), '');
    expect(await open(folder, { silenceMillis: 100 })).toBe('open');
  });

  it('is not taken over while an owner on another machine renews it, whatever the time there', async () => {
    const folder = await abandoned();
    const path = forgeLock(folder, { kernel: 'another machine', host: 'far', pid: 7, since: '2026-11-22T10:00:00Z' });
    let time = 0;
    const renewal = setInterval(() => utimesSync(path, ++time, time), 20);
    const owner = { pid: 7, host: 'far', since: '2026-11-22T10:00:00Z' };
    expect(await open(folder, { silenceMillis: 5_000 })).toEqual({ code: 'LOCKED', owner });
    clearInterval(renewal);
  });

  it('is not taken over by a process that stalls while the owner renews it', async () => {
    const disk = new PowerCutDisk('stall', () => 0.9);
    const record = { pid: 7, host: 'far', since: '2026-11-22T10:00:00Z', nonce: 'n', thread: 0, folder: 'f' };
    disk.overwrite('log/lock-1.json', Buffer.from(JSON.stringify(record)));
    let isFirst = true;
    const stalling = new FaultyDisk(
      disk,
      { code: 'EIO', effect: 'before' },
      () => false,
      async (name) => {
        if (name !== 'read log/lock-1.json' || !isFirst) return;
        isFirst = false;
        await new Promise((resolve) => setTimeout(resolve, 100));
        await disk.touch('log/lock-1.json');
      },
    );
    expect(await open('log', { disk: stalling, silenceMillis: 50 })).toMatchObject({
      code: 'LOCKED',
      owner: { pid: 7 },
    });
  });

  it('is taken over by exactly one of several concurrent processes', async () => {
    const folder = await abandoned();
    forgeLock(folder, { kernel: 'another machine' });
    const said = await Promise.all(Array.from({ length: 4 }, () => openElsewhere(folder, [], 300).said));
    expect(said.filter((text) => text === 'open')).toHaveLength(1);
    expect(said.filter((text) => text.includes('LOCKED'))).toHaveLength(3);
  });
});

it('a lock is refused on a file system that lets two processes create one file', async () => {
  const disk = new PowerCutDisk('shared', () => 0.9);
  const create = disk.create.bind(disk);
  disk.create = async (path, bytes) => {
    if (!(await create(path, bytes))) disk.overwrite(path, bytes);
    return true;
  };
  expect(await open('log', { disk })).toMatchObject({
    code: 'UNREADABLE',
    reason: expect.stringMatching(/exclusively/) as string,
  });
});

it.each([
  ['the lock of another process', Buffer.from('the lock of another process')],
  ['no file', null],
])('a lock is refused on a file system that creates its file and then returns %s', async (_, content) => {
  const disk = new PowerCutDisk('shared', () => 0.9);
  const create = disk.create.bind(disk);
  disk.create = async (path, bytes) => {
    const isNew = await create(path, bytes);
    if (isNew && content) disk.overwrite(path, content);
    return isNew;
  };
  const read = disk.read.bind(disk);
  disk.read = async (path) => (content === null && path.includes('lock-') ? null : read(path));
  expect(await open('log', { disk })).toMatchObject({ code: 'UNREADABLE' });
});

describe('processes that take over a lock concurrently', () => {
  it('never own a log at the same time, in any interleaving of their calls', async () => {
    const takers = fc.integer({ min: 2, max: 4 });
    await fc.assert(
      fc.asyncProperty(takers, fc.integer({ min: 1, max: 3 }), fc.scheduler(), async (count, rounds, scheduler) => {
        const disk = new PowerCutDisk('race', () => 0.9);
        disk.overwrite('log/lock-1.json', Buffer.from(''));
        const slow = new FaultyDisk(
          disk,
          { code: 'EIO', effect: 'before' },
          () => false,
          () => scheduler.schedule(Promise.resolve()),
        );
        let owners = 0;
        let openings = 0;
        const take = async (): Promise<void> => {
          for (let round = 0; round < rounds; round++) {
            const opened = await openFileStore({ folder: 'log', disk: slow, silenceMillis: 0 });
            if (!opened.ok) {
              expect(opened.error.code).toBe('LOCKED');
              continue;
            }
            expect((owners += 1)).toBe(1);
            openings += 1;
            const { offset } = opened.value.head();
            expect((await opened.value.append(offset, history.slice(offset, offset + 1))).ok).toBe(true);
            owners -= 1;
            await opened.value.close();
          }
        };
        await scheduler.waitFor(Promise.all(Array.from({ length: count }, take)));
        expect(openings).toBeGreaterThan(0);
        expect(disk.paths().filter((path) => path.includes('lock-'))).toEqual([]);
        const store = await openFileStore({ folder: 'log', disk });
        expect(store.ok && store.value.head().offset).toBe(openings);
        if (store.ok) await store.value.close();
      }),
      { numRuns: runs(60) },
    );
  });

  it('are refused when another process creates the same or a later lock file meanwhile', async () => {
    const fault = { code: 'EIO', effect: 'before' } as const;
    /** Opens a log and runs `others`, the calls of other processes, just before the lock file is created. */
    const openAfter = async (disk: PowerCutDisk, others: () => Promise<unknown>): Promise<StoreRefusal | number> => {
      let isFirst = true;
      const slow = new FaultyDisk(
        disk,
        fault,
        () => false,
        async (name) => {
          if (!isFirst || !name.startsWith('create log/lock-')) return;
          isFirst = false;
          await others();
        },
      );
      const opened = await openFileStore({ folder: 'log', disk: slow, silenceMillis: 2_000 });
      if (!opened.ok) return opened.error;
      const [generation = ''] = disk.paths().filter((path) => path.includes('lock-'));
      await opened.value.close();
      return Number(/\d+/.exec(generation)?.[0]);
    };

    const used = new PowerCutDisk('used', () => 0.9);
    expect(await openAfter(used, () => open('log', { disk: used }))).toBe(2);

    const outranked = new PowerCutDisk('outranked', () => 0.9);
    const record = { pid: 7, host: 'far', since: '2026-11-22T10:00:00Z', nonce: 'n', thread: 0, folder: 'f' };
    const higher = async (): Promise<void> => {
      outranked.overwrite('log/lock-2.json', Buffer.from(JSON.stringify(record)));
      setTimeout(() => void outranked.touch('log/lock-2.json'), 100);
    };
    expect(await openAfter(outranked, higher)).toMatchObject({ code: 'LOCKED', owner: { pid: 7 } });
    expect(outranked.paths().filter((path) => path.includes('lock-'))).toEqual(['log/lock-2.json']);
  });
});

describe('the lock of a running owner', () => {
  it("is not taken over when the owner's entry in /proc is hidden", async () => {
    const folder = freshFolder();
    const { child, said } = openElsewhere(folder);
    expect(await said).toBe('open');
    const { readFileSync } = fs;
    vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) => {
      if (path === `/proc/${child.pid}/stat`) throw new Error('ENOENT');
      return readFileSync(path, options);
    });
    syncBuiltinESMExports();
    try {
      expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: child.pid } });
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });

  it('is not taken over when the owner is another thread of this process', async () => {
    const folder = freshFolder();
    const opened = await openFileStore({ folder });
    if (!opened.ok) throw new Error(opened.error.code);
    forgeLock(folder, { thread: threadId + 1, nonce: 'of the other thread' });
    expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: process.pid } });
    await opened.value.close();
  });

  it('is not taken over when a thread of another process with the same thread number owns it', async () => {
    const folder = freshFolder();
    const { child, said } = openElsewhere(folder);
    expect(await said).toBe('open');
    forgeLock(folder, { thread: threadId });
    expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: child.pid } });
  });
});

it('a lock is kept when its renewal fails once and is retried', async () => {
  const disk = new PowerCutDisk('renewal', () => 0.9);
  let report: (outcome: string) => void = () => undefined;
  const outcome = new Promise<string>((resolve) => (report = resolve));
  let renewals = 0;
  disk.touch = async () => {
    if (++renewals === 1) throw new Error('EIO');
    report('renewed');
    return true;
  };
  const opened = await openFileStore({ folder: 'log', disk, silenceMillis: 50, onNote: report });
  if (!opened.ok) throw new Error(opened.error.code);
  expect(await outcome).toBe('renewed');
  expect((await opened.value.append(0, history.slice(0, 4))).ok).toBe(true);
  await opened.value.close();
});

describe('an owner that lost its log', () => {
  const others = updates(12, 'other');

  /** Takes over a log from an owner that does not renew its lock, and appends two updates. */
  async function takeOver(disk: PowerCutDisk): Promise<void> {
    const lock = disk.paths().find((path) => path.includes('lock-')) ?? '';
    const record = JSON.parse(Buffer.from(disk.bytesOf(lock)).toString()) as object;
    disk.overwrite(lock, Buffer.from(JSON.stringify({ ...record, kernel: 'another machine' })));
    const opened = await openFileStore({ folder: 'log', disk, silenceMillis: 0 });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    const { offset } = opened.value.head();
    expect((await opened.value.append(offset, others.slice(offset, offset + 2))).ok).toBe(true);
    await opened.value.close();
  }

  async function linesOf(disk: PowerCutDisk): Promise<readonly string[]> {
    const lines: string[] = [];
    const opened = await openFileStore({ folder: 'log', disk, onLine: (line) => lines.push(line) });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    await opened.value.close();
    return lines;
  }

  it('writes no more bytes and reports the loss, whichever call of an append comes after it', async () => {
    const fault = { code: 'EIO', effect: 'before' } as const;
    for (let n = 1, isOver = false; !isOver; n++) {
      const disk = new PowerCutDisk(`fence-${n}`, () => 0.9);
      let isArmed = false;
      let calls = 0;
      let taken = false;
      const first = new FaultyDisk(
        disk,
        fault,
        () => false,
        async (name) => {
          if (!isArmed || ++calls !== n) return;
          // The store checks its ownership and renames the head in one turn of the event loop, so no takeover
          // can come in between.
          if (name === 'rename log/head.json') return;
          taken = true;
          await takeOver(disk);
        },
      );
      first.touch = async () => true;
      const opened = await openFileStore({ folder: 'log', disk: first, segmentBytes: n % 2 ? 1_000_000 : 4_000 });
      if (!opened.ok) throw new Error(JSON.stringify(opened.error));
      expect((await opened.value.append(0, history.slice(0, 4))).ok).toBe(true);
      isArmed = true;
      const answer = await opened.value.append(4, history.slice(4, 6));
      isArmed = false;
      isOver = calls < n;
      const next = await opened.value.append(4, history.slice(4, 6));
      await opened.value.close();
      const found = await linesOf(disk);
      if (!taken) {
        expect(answer.ok).toBe(true);
        continue;
      }
      const stopped = {
        ok: false,
        error: { code: 'STOPPED', reason: expect.stringMatching(/taken over this log/) as string },
      };
      expect([answer, next], `call ${n}`).toMatchObject([stopped, stopped]);
      expect(found.filter((line) => line.includes('other-')).length, `call ${n}`).toBe(2);
    }
  });

  it('reports the loss at the next renewal when no append detects it first', async () => {
    const disk = new PowerCutDisk('idle', () => 0.9);
    const notes: string[] = [];
    const opened = await openFileStore({ folder: 'log', disk, silenceMillis: 50, onNote: (note) => notes.push(note) });
    if (!opened.ok) throw new Error(opened.error.code);
    await opened.value.append(0, history.slice(0, 4));
    await takeOver(disk);
    await expect.poll(() => notes.join('\n')).toMatch(/taken over this log/);
    expect(await opened.value.append(4, history.slice(4, 5))).toMatchObject({ error: { code: 'STOPPED' } });
    await opened.value.close();
    expect(await linesOf(disk)).toHaveLength(6);
  });
});
