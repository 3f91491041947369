import fs, { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore, type StoreRefusal } from '@coinlab/store';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { killed, startOwner } from './owner-process.js';

/** A folder whose lock belongs to a running process. */
let folder: string;
let owner: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coinlab-lock-'));
  const { child, said } = startOwner(folder, [], 1_000_000);
  owner = child;
  expect(await said).toBe('open');
});
afterAll(() => killed(owner));
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Returns a copy of the folder whose lock names the copy, with other changes to the lock. */
function copied(change: Readonly<Record<string, unknown>> = {}): string {
  const copy = mkdtempSync(join(tmpdir(), 'coinlab-lock-'));
  cpSync(folder, copy, { recursive: true });
  const lock = join(copy, readdirSync(copy).find((file) => file.startsWith('lock-')) ?? '');
  const record = JSON.parse(readFileSync(lock, 'utf8')) as object;
  writeFileSync(lock, JSON.stringify({ ...record, ...change }));
  return copy;
}

/** Opens a log. Returns the refusal, or the notes that were written until it was open. */
async function open(path: string, silenceMillis = 100): Promise<StoreRefusal | readonly string[]> {
  const notes: string[] = [];
  const opened = await openFileStore({ folder: path, silenceMillis, onNote: (note) => notes.push(note) });
  if (!opened.ok) return opened.error;
  await opened.value.close();
  return notes;
}

/**
 * Changes what /proc shows of the owner: its state and its number of threads. With null, the threads cannot
 * be read.
 */
function pretend(state: string, threads: number | null): void {
  const { readFileSync: read, readdirSync: list } = fs;
  vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) => {
    const text = read(path, options);
    if (path !== `/proc/${owner.pid}/stat`) return text;
    return String(text).replace(/\) \S/, `) ${state}`);
  });
  // The types of the overloads of readdir: names are enough here.
  vi.spyOn(fs, 'readdirSync').mockImplementation(((path: string, options: undefined) => {
    if (path !== `/proc/${owner.pid}/task`) return list(path, options);
    if (threads === null) throw new Error('ENOENT');
    return Array.from({ length: threads }, String);
  }) as typeof list);
  syncBuiltinESMExports();
}

describe.runIf(process.platform === 'linux')('the process that owns a lock', () => {
  it('keeps other processes out while it runs', async () => {
    expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: owner.pid } });
  });

  it.each([
    ['R', 1, 'runs'],
    ['R', 2, 'runs'],
    ['Z', 1, 'has ended'],
    ['Z', 0, 'has ended'],
    ['X', 1, 'has ended'],
    ['Z', null, 'has ended'],
    // A killed process with a thread that still writes to the disk.
    ['Z', 2, 'runs'],
  ])('in state %s with %s threads counts as a process that %s', async (state, threads, life) => {
    pretend(state, threads);
    const answer = await open(life === 'runs' ? folder : copied(), 60_000);
    if (life === 'runs') expect(answer).toMatchObject({ code: 'LOCKED', owner: { pid: owner.pid } });
    else expect(answer).toEqual([]);
  });

  it('counts as running when it belongs to another user and cannot be signalled', async () => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    });
    expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: owner.pid } });
  });

  it('counts as running when it started in the same clock tick as this process', async () => {
    const { readFileSync: read } = fs;
    vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) =>
      read(path === `/proc/${process.pid}/stat` ? `/proc/${owner.pid}/stat` : path, options),
    );
    syncBuiltinESMExports();
    expect(await open(folder)).toMatchObject({ code: 'LOCKED', owner: { pid: owner.pid } });
  });

  it('has an unknown state for a process in another time namespace', async () => {
    const { readlinkSync } = fs;
    vi.spyOn(fs, 'readlinkSync').mockImplementation((path, options) =>
      path === '/proc/self/ns/time' ? 'time:[1]' : readlinkSync(path, options),
    );
    syncBuiltinESMExports();
    const other = mkdtempSync(join(tmpdir(), 'coinlab-lock-'));
    const { child, said } = startOwner(other, [], 1_000_000);
    expect(await said).toBe('open');
    expect(await open(other)).toEqual([expect.stringContaining(`process ${child.pid}`)]);
    await killed(child);
  });

  it('does not own a copy of the folder', async () => {
    // It waits for several polls, and writes one note.
    expect(await open(copied(), 600)).toEqual([expect.stringContaining(`process ${owner.pid}`)]);
  });

  it.each(['pid', 'thread', 'host', 'since', 'nonce', 'folder'])(
    'has an unknown state when the lock has no field %s',
    async (field) => {
      expect(await open(copied({ [field]: null }))).toEqual([expect.stringContaining('an unknown process')]);
    },
  );
});
