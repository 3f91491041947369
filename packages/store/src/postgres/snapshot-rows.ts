import { createHash } from 'node:crypto';
import { readStateLines, stateLines } from '@coinlab/core/codec';
import type { LedgerState, Result } from '@coinlab/core';
import type { Head } from '../port.js';
import type { Session } from './session.js';

/** A snapshot in a database. */
export interface StoredSnapshot {
  readonly head: Head;
  /** SHA-256 in hex of the state's lines. */
  readonly stateHash: string;
  readonly state: LedgerState;
}

const PIECE = 256 * 1024;
const KEPT = 2;

/** Makes the snapshot visible with its last piece. Keeps one older snapshot. */
export async function writeSnapshotRows(
  session: Session,
  log: string,
  state: LedgerState,
  { offset, hash: record }: Head,
  between: () => Promise<void>,
): Promise<void> {
  const sum = createHash('sha256');
  // The hash of a piece in writing is empty, so readers ignore it.
  await session.query('delete from coinlab.snapshot where log = $1 and (position = $2 or state = $3)', [
    log,
    offset,
    '',
  ]);
  let count = 0;
  const write = async (lines: string): Promise<void> => {
    sum.update(lines);
    await session.query('insert into coinlab.snapshot values ($1, $2, $3, $4, $5, $6)', [
      log,
      offset,
      count++,
      record,
      '',
      lines,
    ]);
    await between();
  };
  let piece = '';
  for (const line of stateLines(state)) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    await write(piece);
    piece = '';
  }
  await write(piece);
  await session.query('update coinlab.snapshot set state = $3 where log = $1 and position = $2', [
    log,
    offset,
    sum.digest('hex'),
  ]);
  await session.query(
    `delete from coinlab.snapshot where log = $1 and position < (
       select min(position) from (
         select distinct position from coinlab.snapshot where log = $1 and state <> '' order by position desc limit ${KEPT}
       ) as kept)`,
    [log],
  );
}

export async function snapshotOffsets(session: Session, log: string): Promise<readonly number[]> {
  const rows = await session.query(
    `select distinct position from coinlab.snapshot where log = $1 and state <> '' order by position desc`,
    [log],
  );
  return rows.map((row) => Number(row['position']));
}

export async function readSnapshotRows(
  session: Session,
  log: string,
  offset: number,
): Promise<Result<StoredSnapshot, string>> {
  const rows = await session.query(
    'select record, state, lines from coinlab.snapshot where log = $1 and position = $2 order by piece',
    [log, offset],
  );
  const text = rows.map(({ lines }) => String(lines)).join('');
  const stateHash = String(rows[0]?.['state']);
  if (createHash('sha256').update(text).digest('hex') !== stateHash)
    return { ok: false, error: 'its hash does not match its lines' };
  const state = readStateLines(text.trimEnd().split('\n'));
  if (!state.ok) return { ok: false, error: `line ${state.error.line}: ${state.error.reason}` };
  if (state.value.offset !== offset) return { ok: false, error: `its state has offset ${state.value.offset}` };
  return { ok: true, value: { head: { offset, hash: String(rows[0]?.['record']) }, stateHash, state: state.value } };
}
