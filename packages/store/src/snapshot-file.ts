import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState, Result } from '@coinlab/core';
import { writeAll, type Disk } from './disk.js';
import type { Head } from './port.js';

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
const SEAL_BYTES = 153;
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
  const { buffer, byteOffset, byteLength } = (await disk.read(join(folder, file))) ?? new Uint8Array();
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const end = bytes.length - SEAL_BYTES;
  const seal = end < 0 ? null : SEAL.exec(bytes.toString('latin1', end));
  if (!seal) return { ok: false, error: 'the seal is missing' };
  const [, record = '', stateHash = ''] = seal;
  const text = bytes.subarray(0, end);
  if (createHash('sha256').update(text).digest('hex') !== stateHash)
    return { ok: false, error: 'the seal does not match the state' };
  const state = readStateLines(text.toString('utf8').trimEnd().split('\n'));
  if (!state.ok) return { ok: false, error: `line ${state.error.line}: ${state.error.reason}` };
  const { offset } = state.value;
  if (offset !== snapshotOffset(file)) return { ok: false, error: `its state has offset ${offset}` };
  return { ok: true, value: { file, head: { offset, hash: record }, stateHash, state: state.value } };
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
