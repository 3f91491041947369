import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { codeOf } from './disk.js';
import type { LockOwner } from './port.js';

export interface LockRecord extends LockOwner {
  readonly pid: number;
  readonly nonce: string;
  readonly thread: number;
  /** Boot id, and pid and time namespaces. Null if the system does not provide them. */
  readonly kernel: string | null;
  /** In clock ticks since boot; null if the system does not provide it. */
  readonly started: string | null;
  /** From {@link Disk.identity}. Differs in a copy of the folder. */
  readonly folder: string;
}

export const held: Set<string> = new Set();

export function ownRecord(nonce: string, folder: string): LockRecord {
  const { pid } = process;
  const since = new Date().toISOString();
  return { pid, host: hostname(), since, nonce, thread: threadId, kernel: kernelId(), started: startOf(pid), folder };
}

export function parseLock(bytes: Uint8Array): LockRecord | null {
  try {
    const record: Partial<Record<keyof LockRecord, unknown>> = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const { pid, host, since, nonce, thread, kernel, started, folder } = record;
    if (typeof pid !== 'number' || typeof thread !== 'number') return null;
    if (typeof host !== 'string' || typeof since !== 'string') return null;
    if (typeof nonce !== 'string' || typeof folder !== 'string') return null;
    return { pid, host, since, nonce, thread, kernel: textOrNull(kernel), started: textOrNull(started), folder };
  } catch {
    return null;
  }
}

/**
 * `unknown`: the process ran on another machine, in another container or before a reboot, or the lock was copied with its
 * folder.
 */
export function lifeOf(record: LockRecord, folder: string): 'running' | 'ended' | 'unknown' {
  const kernel = kernelId();
  if (kernel === null || record.kernel !== kernel) return 'unknown';
  const isOwn = record.pid === process.pid && record.started === startOf(process.pid) && record.thread === threadId;
  if (isOwn ? !held.has(record.nonce) : !isRunning(record)) return 'ended';
  return record.folder === folder ? 'running' : 'unknown';
}

function kernelId(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')} ${timeNamespace()}`;
  } catch {
    return null; // no /proc
  }
}

/** Start times count from the boot time of the time namespace. Kernels before 5.6 have no time namespaces. */
function timeNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time');
  } catch {
    return 'time';
  }
}

function isRunning({ pid, started }: LockRecord): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const stat = statOf(pid);
  if (!stat) return true;
  return stat.started === started && !(stat.isZombie && threadsOf(pid) <= 1);
}

function startOf(pid: number): string | null {
  return statOf(pid)?.started ?? null;
}

function statOf(pid: number): { readonly isZombie: boolean; readonly started: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the program name in parentheses, which may contain any character. Fields 3 and 22 are the
    // state and the start time.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { isZombie: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
  } catch {
    return null; // no /proc
  }
}

/** A killed process can be a zombie while one of its threads still writes to the disk. */
function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
