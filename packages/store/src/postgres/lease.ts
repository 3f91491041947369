import type { Head } from '../port.js';
import { hashOf } from '../record.js';
import type { Records } from './line-spool.js';
import type { Row, Session } from './session.js';

/** A row in `coinlab.log`. All times are of the database's clock. */
export interface Lease {
  readonly head: Head;
  readonly token: number;
  readonly holder: string | null;
  readonly address: string | null;
  /** Milliseconds until the lease expires; 0 for a free or expired lease. */
  readonly remaining: number;
}

export interface Holder {
  readonly log: string;
  readonly holder: string;
  readonly address: string | null;
  readonly leaseMillis: number;
}

const FIELDS = `head, hash, token, holder, address,
  greatest(0, coalesce(extract(epoch from expires - clock_timestamp()) * 1000, 0)) as remaining`;
const EXPIRY = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;

export async function readLease(session: Session, log: string): Promise<Lease | null> {
  const [row] = await session.query(`select ${FIELDS} from coinlab.log where name = $1`, [log]);
  return row ? leaseIn(row) : null;
}

export async function takeLease(
  session: Session,
  { log, holder, leaseMillis, address }: Holder,
): Promise<Lease | null> {
  const [row] = await session.query(
    `update coinlab.log set token = token + 1, holder = $2, address = $4, since = clock_timestamp(), expires = ${EXPIRY}
     where name = $1 and (holder is null or holder = $2 or expires is null or expires < clock_timestamp())
     returning ${FIELDS}`,
    [log, holder, leaseMillis, address],
  );
  return row ? leaseIn(row) : null;
}

export async function renewLease(session: Session, log: string, token: number, leaseMillis: number): Promise<boolean> {
  const rows = await session.query(
    `update coinlab.log set expires = ${EXPIRY} where name = $1 and token = $2 returning 1`,
    [log, token, leaseMillis],
  );
  return rows.length === 1;
}

export async function releaseLease(session: Session, log: string, token: number): Promise<void> {
  await session.query(
    `with free as (update coinlab.log set holder = null, address = null, expires = null
       where name = $1 and token = $2 returning name)
     select pg_notify('coinlab', name) from free`,
    [log, token],
  );
}

export function chained({ offset, hash }: Head, lines: readonly string[]): Records {
  const hashes: string[] = [];
  let last = hash;
  for (const line of lines) hashes.push((last = hashOf(last, line)));
  return { lines, hashes, head: { offset: offset + lines.length, hash: last } };
}

/** @returns false when another server has taken the lease or moved the head */
export async function appendGroup(
  session: Session,
  { log, leaseMillis }: Holder,
  token: number,
  after: Head,
  { lines, hashes, head }: Records,
): Promise<boolean> {
  const rows = await session.query(
    `with held as (
       update coinlab.log set head = $6, hash = $7, expires = ${EXPIRY}
       where name = $1 and token = $2 and head = $4 and hash = $5 returning name
     ), added as (
       insert into coinlab.record (log, position, hash, line)
       select held.name, $4 + one.at, one.hash, one.line
       from held, unnest($8::text[], $9::text[]) with ordinality as one (hash, line, at)
     )
     select pg_notify('coinlab', name) from held`,
    [log, token, leaseMillis, after.offset, after.hash, head.offset, head.hash, hashes, lines],
    'coinlab-append',
  );
  return rows.length === 1;
}

function leaseIn(row: Row): Lease {
  const text = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null);
  return {
    head: { offset: Number(row['head']), hash: String(row['hash']) },
    token: Number(row['token']),
    holder: text('holder'),
    address: text('address'),
    remaining: Number(row['remaining']),
  };
}
