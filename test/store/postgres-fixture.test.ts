import { existsSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { hasNoPostgres, startCluster } from '../postgres.ts';

describe.skipIf(hasNoPostgres)('the PostgreSQL cluster of the tests', () => {
  it('keeps a committed row over a crash, with fsync on, and removes its folder', async () => {
    const cluster = await startCluster();
    const connectionString = await cluster.freshDatabase();
    const query = async (sql: string): Promise<unknown> => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows[0];
      } finally {
        await client.end();
      }
    };
    await query('create table kept as select 7 as value');
    expect(await query('show fsync')).toEqual({ fsync: 'on' });
    await cluster.stop('immediate');
    await expect(query('select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    await cluster.start();
    expect(await query('select value from kept')).toEqual({ value: 7 });
    await cluster.remove();
    expect(existsSync(cluster.folder)).toBe(false);
  });
});
