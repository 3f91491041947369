import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '@coinlab/core';
import type { Disk } from './disk.js';
import { HEAD_FILE, parseHead, type Owner } from './head-file.js';
import { held, lifeOf, ownRecord, parseLock } from './lock-owner.js';
import type { LockOwner, StoreRefusal } from './port.js';

export interface Lock {
  readonly owner: Owner;
  /** Files that the previous owner may have open must then not be written. */
  readonly mayHaveRival: boolean;
  /** Never rejects: if the lock file cannot be removed, the next owner takes it over. */
  release(): Promise<void>;
}

export interface LockOptions {
  /**
   * Milliseconds without a renewal after which the lock of an owner on another host or in another container
   * counts as abandoned. Default: 10,000.
   */
  readonly silenceMillis?: number;
  readonly onNote: (note: string) => void;
  readonly onLost: () => void;
}

const SILENCE_MILLIS = 10_000;
const RENEWALS = 5;
const POLL_MILLIS = 250;
const LOCK_NAME = /^lock-(\d{1,9})\.json$/;

/**
 * Takes the lock of a log. The lock is a file `lock-N.json`, created exclusively, where N is the owner's
 * generation. A takeover creates the file of the next generation. No process removes a lock of a higher
 * generation than its own.
 *
 * If the owner's process has ended, the lock is taken over at once. If this process cannot see the owner
 * (another host, container or boot), it waits: a lock that is renewed meanwhile is refused, and a lock
 * without renewal for `silenceMillis`, by this process's clock, is taken over.
 */
export async function takeLock(disk: Disk, folder: string, options: LockOptions): Promise<Result<Lock, StoreRefusal>> {
  const identity = await disk.identity(folder);
  const nonce = randomBytes(16).toString('hex');
  const bytes = Buffer.from(`${JSON.stringify(ownRecord(nonce, identity))}\n`, 'utf8');
  for (;;) {
    const last = await newestLock(disk, folder);
    const holder = last.isHeld ? await observe(disk, folder, identity, last.generation, options) : 'ended';
    if (holder === 'changed') continue;
    if (typeof holder === 'object') return { ok: false, error: { code: 'LOCKED', owner: holder } };
    const generation = last.generation + 1;
    held.add(nonce);
    const taken = await create(disk, folder, generation, bytes).finally(() => held.delete(nonce));
    if (taken === 'lost') continue;
    if (taken === 'shared') {
      const reason = 'this file system does not create files exclusively, so two servers could own the log';
      return { ok: false, error: { code: 'UNREADABLE', reason } };
    }
    const owner = { generation, nonce, lockFile: lockName(generation) };
    return { ok: true, value: holding(disk, folder, owner, holder === 'silent', options) };
  }
}

function lockName(generation: number): string {
  return `lock-${generation}.json`;
}

async function newestLock(disk: Disk, folder: string): Promise<{ generation: number; isHeld: boolean }> {
  const newest = Math.max(0, ...(await generations(disk, folder)));
  const head = await generationOfHead(disk, folder);
  return { generation: Math.max(newest, head), isHeld: newest > 0 && newest >= head };
}

async function generations(disk: Disk, folder: string): Promise<readonly number[]> {
  return (await disk.list(folder)).flatMap((name) => Number(LOCK_NAME.exec(name)?.[1] ?? []));
}

async function generationOfHead(disk: Disk, folder: string): Promise<number> {
  const bytes = await disk.read(join(folder, HEAD_FILE));
  return (bytes && parseHead(bytes)?.generation) ?? 0;
}

async function observe(
  disk: Disk,
  folder: string,
  identity: string,
  generation: number,
  { silenceMillis = SILENCE_MILLIS, onNote }: LockOptions,
): Promise<LockOwner | 'ended' | 'silent' | 'changed'> {
  const path = join(folder, lockName(generation));
  const began = performance.now();
  let first: string | null = null;
  for (;;) {
    // Measure the time before reading the file: a pause of this process must not count as silence of the
    // owner.
    const waited = performance.now() - began;
    const modified = await disk.modified(path);
    const bytes = await disk.read(path);
    if (modified === null || !bytes) return 'changed';
    const record = parseLock(bytes);
    const owner: LockOwner =
      record === null
        ? { pid: null, host: null, since: null }
        : { pid: record.pid, host: record.host, since: record.since };
    const life = record === null ? 'unknown' : lifeOf(record, identity);
    if (life === 'ended') return 'ended';
    const seen = `${modified} ${Buffer.from(bytes).toString('latin1')}`;
    if (life === 'running' || (first !== null && seen !== first)) return owner;
    if (waited >= silenceMillis) return 'silent';
    if (first === null) onNote(waitNote(owner, silenceMillis));
    first = seen;
    await sleep(Math.min(POLL_MILLIS, silenceMillis - waited));
  }
}

function waitNote({ pid, host, since }: LockOwner, silenceMillis: number): string {
  const who = pid === null ? 'an unknown process' : `process ${pid} on ${host} since ${since}`;
  return `the log is locked by ${who}, which is not visible from here: waiting ${silenceMillis / 1000} s for a renewal`;
}

/**
 * @returns `lost` if another process has this generation or a higher one; `shared` if the file system lets two
 * processes create the same file
 */
async function create(
  disk: Disk,
  folder: string,
  generation: number,
  bytes: Uint8Array,
): Promise<'taken' | 'lost' | 'shared'> {
  const path = join(folder, lockName(generation));
  if (!(await disk.create(path, bytes))) return 'lost';
  const content = await disk.read(path);
  if (!content || !Buffer.from(bytes).equals(content)) return 'shared';
  let taken: 'taken' | 'lost' | 'shared' | null = null;
  try {
    taken = (await disk.create(path, bytes)) ? 'shared' : await outranking(disk, folder, generation);
    return taken;
  } finally {
    if (taken !== 'taken') await disk.remove(path).catch(() => undefined);
  }
}

async function outranking(disk: Disk, folder: string, generation: number): Promise<'taken' | 'lost'> {
  const locks = await generations(disk, folder);
  if (locks.some((other) => other > generation)) return 'lost';
  if ((await generationOfHead(disk, folder)) >= generation) return 'lost';
  for (const older of locks) if (older < generation) await disk.remove(join(folder, lockName(older)));
  return 'taken';
}

function holding(
  disk: Disk,
  folder: string,
  owner: Owner,
  mayHaveRival: boolean,
  { silenceMillis = SILENCE_MILLIS, onLost }: LockOptions,
): Lock {
  const path = join(folder, owner.lockFile);
  held.add(owner.nonce);
  const renew = async (): Promise<void> => {
    // A failed renewal is retried at the next interval, which also detects a takeover.
    if (await disk.touch(path).catch(() => true)) return;
    clearInterval(renewal);
    if (held.delete(owner.nonce)) onLost();
  };
  const renewal = setInterval(() => void renew(), silenceMillis / RENEWALS).unref();
  return {
    owner,
    mayHaveRival,
    async release() {
      clearInterval(renewal);
      held.delete(owner.nonce);
      await disk.remove(path).catch(() => undefined);
    },
  };
}
