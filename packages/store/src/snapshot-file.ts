import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState, Result } from '@coinlab/core';
import { writeAll, type Disk } from './disk.js';
import type { Head } from './port.js';

/** A snapshot as a file: where the log stood, and the fingerprint of the state. */
export interface Snapshot {
  readonly file: string;
  /** Offset of the last update in it, and the hash of that record. */
  readonly head: Head;
  /** SHA-256 in hex over the lines of the state: of one log at one offset there is one. */
  readonly stateHash: string;
  readonly state: LedgerState;
}

const NAME = /^state-(\d{12})\.ndjson$/;
const SEAL = /^\{"record":"([0-9a-f]{64})","state":"([0-9a-f]{64})"\}\n$/;
const SEAL_BYTES = 153;
const KEPT = 2;
/** So much is encoded and written at a time, in about a millisecond. */
const PIECE = 32 * 1024;
/** Turns of other work between two pieces; they take no time when there is none. */
const TURNS = 4;
const turn = promisify(setImmediate);
/** So much is left unsynced at most: the syncs of the log would have to wait until all of it is on the disk. */
const UNSYNCED = 4 * 1024 * 1024;

/** The names of the snapshots in a folder, newest first. */
export async function snapshotNames(disk: Disk, folder: string): Promise<readonly string[]> {
  return (await disk.list(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

/** Offset of a snapshot by its name. */
export function snapshotOffset(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}

/**
 * Reads a snapshot: the lines of a state, and a last one that seals them. That it fits the log is for the caller to see.
 * @returns what is wrong with it, if it is not as it was written
 */
export async function readSnapshot(disk: Disk, folder: string, file: string): Promise<Result<Snapshot, string>> {
  const { buffer, byteOffset, byteLength } = (await disk.read(join(folder, file))) ?? new Uint8Array();
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const end = bytes.length - SEAL_BYTES;
  const seal = end < 0 ? null : SEAL.exec(bytes.toString('latin1', end));
  if (!seal) return { ok: false, error: 'it has no seal' };
  const [, record = '', stateHash = ''] = seal;
  const text = bytes.subarray(0, end);
  if (createHash('sha256').update(text).digest('hex') !== stateHash)
    return { ok: false, error: 'the seal does not fit the state' };
  const state = readStateLines(text.toString('utf8').trimEnd().split('\n'));
  if (!state.ok) return { ok: false, error: `line ${state.error.line}: ${state.error.reason}` };
  const { offset } = state.value;
  if (offset !== snapshotOffset(file)) return { ok: false, error: `it is of offset ${offset}` };
  return { ok: true, value: { file, head: { offset, hash: record }, stateHash, state: state.value } };
}

/**
 * Writes a snapshot beside the log: whole under another name, synced, renamed, folder synced; of older ones the newest stays. Throws what
 * the disk says, and then leaves nothing behind.
 */
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

/** The fingerprint of a state, as the seal of a snapshot has it. */
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
