import type pg from 'pg';

class MissingDriver extends Error {
  override readonly name = 'MissingDriver';
}

/** Loads the driver on demand, because it is an optional dependency. */
export async function loadPg(): Promise<typeof pg> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new MissingDriver('a postgres:// address needs the package pg: npm install pg');
  }
}
