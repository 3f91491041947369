import type { Result } from '@coinlab/core';

/** A log in a database. */
export interface PostgresAddress {
  /** Address for the driver, with its password. */
  readonly connection: string;
  /** Name of the log in the database. */
  readonly log: string;
  /** Address without the password, for messages. */
  readonly shown: string;
}

const DEFAULT_LOG = 'main';

/** Returns whether a text is the address of a PostgreSQL database. */
export function isPostgresAddress(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/**
 * Parses `postgres://user:password@host:port/database?log=NAME`; other parameters are the driver's. The log's name is by default
 * `main`.
 * @returns the fault, when the text is no such address
 */
export function parsePostgresAddress(text: string): Result<PostgresAddress, string> {
  if (!isPostgresAddress(text) || !URL.canParse(text))
    return { ok: false, error: 'expected an address such as postgres://user@host/database' };
  const url = new URL(text);
  const log = url.searchParams.get('log') ?? DEFAULT_LOG;
  if (!/^[\w.-]{1,63}$/.test(log))
    return { ok: false, error: `log: got '${log}', expected 1 to 63 letters, digits, points, dashes or underscores` };
  url.searchParams.delete('log');
  const connection = url.href;
  if (log !== DEFAULT_LOG) url.searchParams.set('log', log);
  url.password = '';
  url.searchParams.delete('password');
  return { ok: true, value: { connection, log, shown: url.href } };
}
