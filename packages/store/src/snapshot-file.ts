import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState, Result } from '@coinlab/core';
import { reasonOf, writeAll, type Disk } from './disk.js';
import type { Head } from './port.js';
import { wholeLines } from './whole-lines.js';

/** The content of a snapshot file. */
export interface Snapshot {
  readonly file: string;
  /** The log's head at the time of the snapshot. */
  readonly head: Head;
  /** SHA-256 in hex of the state's lines; different for every log and offset. */
  readonly stateHash: string;
  readonly state: LedgerState;
}

const NAME = /^state-(\d{12})\.ndjson$/;
const SEAL = /^\{"record":"([0-9a-f]{64})","state":"([0-9a-f]{64})"\}\n$/;
const LINE_BREAK = 0x0a;
const KEPT = 2;
/** Bytes of a chunk, which takes about a millisecond. */
const PIECE = 32 * 1024;
/** Event loop turns between two chunks, so that other work can run. A turn without other work costs nothing. */
const TURNS = 4;
const turn = promisify(setImmediate);
/** Bytes: a sync of the log would wait until all of them are on disk. */
const UNSYNCED = 4 * 1024 * 1024;

/** Returns the names of the snapshot files in a folder, newest first. */
export async function snapshotNames(disk: Disk, folder: string): Promise<readonly string[]> {
  return (await disk.list(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

export function snapshotOffset(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}

/**
 * Reads a snapshot file: the lines of a state and a seal. Callers check that it belongs to the log.
 * @returns a description of the fault if the file is not intact
 */
export async function readSnapshot(disk: Disk, folder: string, file: string): Promise<Result<Snapshot, string>> {
  const path = join(folder, file);
  try {
    const { seal, hash, end } = sealOf(disk, path);
    if (!seal) return { ok: false, error: 'the seal is missing' };
    if (hash !== seal.state) return { ok: false, error: 'the seal does not match the state' };
    const state = readStateLines(linesTo(end, disk, path));
    if (!state.ok) return { ok: false, error: `line ${state.error.line}: ${state.error.reason}` };
    const { offset } = state.value;
    if (offset !== snapshotOffset(file)) return { ok: false, error: `its state has offset ${offset}` };
    return { ok: true, value: { file, head: { offset, hash: seal.record }, stateHash: hash, state: state.value } };
  } catch (error) {
    return { ok: false, error: reasonOf(error) };
  }
}

interface Sealed {
  readonly seal: { readonly record: string; readonly state: string } | null;
  /** SHA-256 of the lines before the last one, in hex. */
  readonly hash: string;
  /** Position of the last line. */
  readonly end: number;
}

function sealOf(disk: Disk, path: string): Sealed {
  const hash = createHash('sha256');
  let last = Buffer.alloc(0);
  let end = 0;
  for (const { bytes, at } of wholeLines(disk, path)) {
    const lastAt = bytes.lastIndexOf(LINE_BREAK, bytes.length - 2) + 1;
    hash.update(last).update(bytes.subarray(0, lastAt));
    last = Buffer.from(bytes.subarray(lastAt));
    end = at + lastAt;
  }
  const [, record, state] = SEAL.exec(last.toString('latin1')) ?? [];
  const seal = record === undefined || state === undefined ? null : { record, state };
  return { seal, hash: hash.digest('hex'), end };
}

function* linesTo(end: number, disk: Disk, path: string): Generator<string> {
  for (const { bytes, at } of wholeLines(disk, path)) {
    if (at >= end) return;
    yield* bytes.toString('utf8', 0, Math.min(bytes.length, end - at) - 1).split('\n');
  }
}

/** Keeps one older snapshot. Throws the error of a failed disk operation. */
export async function writeSnapshot(
  disk: Disk,
  folder: string,
  state: LedgerState,
  head: Head,
  between: () => Promise<void> = fewTurns,
): Promise<void> {
  const name = `state-${String(head.offset).padStart(12, '0')}.ndjson`;
  const path = join(folder, name);
  const next = `${path}.next`;
  try {
    await writeSealed(disk, next, state, head.hash, between);
    await disk.rename(next, path);
  } catch (error) {
    await disk.remove(next).catch(() => undefined);
    throw error;
  }
  await disk.syncFolder(folder);
  for (const old of (await snapshotNames(disk, folder)).slice(KEPT)) await disk.remove(join(folder, old));
}

/** Returns the SHA-256 of a state in hex, which the last line of a snapshot contains. */
export function fingerprintOf(state: LedgerState): string {
  const hash = createHash('sha256');
  for (const line of stateLines(state)) hash.update(`${line}\n`);
  return hash.digest('hex');
}

async function fewTurns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await turn();
}

async function writeSealed(
  disk: Disk,
  path: string,
  state: LedgerState,
  record: string,
  between: () => Promise<void>,
): Promise<void> {
  const file = await disk.open(path);
  try {
    await file.truncate(0);
    const hash = createHash('sha256');
    let at = 0;
    let synced = 0;
    const write = async (text: string): Promise<void> => {
      const bytes = Buffer.from(text, 'utf8');
      await writeAll(file, bytes, at);
      at += bytes.length;
    };
    let piece = '';
    for (const line of stateLines(state)) {
      piece += `${line}\n`;
      if (piece.length < PIECE) continue;
      hash.update(piece);
      await write(piece);
      piece = '';
      await between();
      if (at - synced < UNSYNCED) continue;
      await file.sync();
      synced = at;
    }
    hash.update(piece);
    await write(`${piece}{"record":"${record}","state":"${hash.digest('hex')}"}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
