/**
 * Offsets are assigned by the writer, so that a reader never skips a late commit. `token` is the fencing token: it only
 * grows, and an append names it. Records have no foreign key: its check of each row took a quarter of an append's time
 * in the database, and every append updates the row of its log.
 */
const TABLES = `
create schema if not exists coinlab;
create table if not exists coinlab.log (
  name text primary key,
  head bigint not null default 0,
  hash text not null default repeat('0', 64),
  token bigint not null default 0,
  holder text,
  address text,
  since timestamptz,
  expires timestamptz
);
create table if not exists coinlab.record (
  log text not null,
  position bigint not null,
  hash text not null,
  line text not null,
  primary key (log, position)
);
create table if not exists coinlab.snapshot (
  log text not null references coinlab.log,
  position bigint not null,
  piece integer not null,
  record text not null,
  state text not null,
  lines text not null,
  primary key (log, position, piece)
);`;

/** Without the lock, `create … if not exists` can fail when two servers start at the same time. */
export const CREATE_TABLES: string = `begin; select pg_advisory_xact_lock(5003126); ${TABLES} commit;`;

export const HAS_TABLES: string = `select to_regclass('coinlab.snapshot') is not null as found`;
