const TABLES = `
create schema if not exists coinlab;
create table if not exists coinlab.sweep (
  hash text primary key,
  name text not null,
  file text not null,
  version text not null,
  parts integer not null,
  runs integer not null,
  plan bytea not null,
  plan_sha256 text not null,
  created timestamptz not null default clock_timestamp(),
  is_cancelled boolean not null default false
);
create table if not exists coinlab.sweep_part (
  sweep text not null references coinlab.sweep,
  part integer not null,
  is_done boolean not null default false,
  attempts integer not null default 0,
  holder text,
  expires timestamptz,
  seconds float8,
  fault text,
  primary key (sweep, part)
);
create index if not exists sweep_part_open on coinlab.sweep_part (sweep, attempts, part) where not is_done;
create index if not exists sweep_part_held on coinlab.sweep_part (holder) where holder is not null;
create table if not exists coinlab.sweep_result (
  sweep text not null references coinlab.sweep,
  part integer not null,
  body text not null,
  primary key (sweep, part)
);`;

/** All programs that start at once share one lock: `create … if not exists` alone fails when two of them run it. */
export const CREATE_TABLES: string = `begin; select pg_advisory_xact_lock(5003127); ${TABLES} commit;`;

export const HAS_TABLES: string = `select to_regclass('coinlab.sweep_result') is not null as found`;
