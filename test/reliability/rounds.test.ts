import { openPostgresStore } from '@coinlab/store';
import { describe, expect, it, type TestContext } from 'vitest';
import { hasNoPostgres, sharedCluster, startCluster, type Cluster } from '../postgres.ts';
import { updates } from '../store/sample.js';
import { Observer } from './audit.ts';
import { Pair } from './servers.ts';
import { compareWithLog, noAnswers } from './wallets.ts';
import { Crew } from './workers.ts';

async function ownCluster({ onTestFinished }: TestContext): Promise<Cluster> {
  const cluster = await startCluster();
  onTestFinished(() => cluster.remove());
  return cluster;
}

// npm run reliability -- --store postgres has many rounds of all faults. These two wait for leases most of the time.
describe.skipIf(hasNoPostgres)('one round of a fault', { concurrent: true }, () => {
  it('leaves every acknowledged command in the log of two servers once', async (test) => {
    const pair = await Pair.start(await ownCluster(test));
    test.onTestFinished(() => pair.close());
    for (const fault of ['freeze', 'crash'] as const) {
      const { faults, acknowledged, refused } = await pair.round(fault);
      expect(faults).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
      if (fault === 'freeze') expect(refused).toBeGreaterThan(0);
    }
  });

  it('leaves the same files of a sweep as a run with one worker', async (test) => {
    const crew = await Crew.start(await ownCluster(test));
    test.onTestFinished(() => crew.close());
    for (const fault of ['silence', 'crash'] as const) expect(await crew.round(fault)).toMatchObject({ faults: [] });
  });
});

describe.skipIf(hasNoPostgres)('the checks of a round', () => {
  it('find a fencing token or a head that decreases, a changed record, and answers without an update in the log', async ({
    onTestFinished,
  }) => {
    const address = await (await sharedCluster()).freshDatabase();
    const store = await openPostgresStore({ address, leaseMillis: 60_000 });
    if (!store.ok) throw new Error(JSON.stringify(store.error));
    const observer = new Observer(address);
    onTestFinished(async () => {
      await store.value.close();
      await observer.close();
    });
    await observer.audit('log');
    await store.value.append(0, updates(5));
    expect(await observer.faults()).toEqual([]);
    for (const [damage, fault] of [
      ['update coinlab.log set token = 0', 'the token fell from 1 to 0'],
      ['update coinlab.log set head = 4', 'the head fell from 5 to 4'],
      [`update coinlab.record set line = line where position = 1`, 'UPDATE of the record at offset 1'],
      ['update audit_record set token = 9 where position = 2', 'the record at offset 3 has token 1 after 9'],
    ] as const) {
      await observer.query(damage);
      expect(await observer.faults()).toContain(fault);
    }
    await observer.query('update coinlab.log set head = 5');
    const answers = { ...noAnswers(), offered: new Map([['a', '00ab']]), accepted: new Set(['00cd']) };
    answers.checkpoints.push({ offset: 3, hash: 'ab' });
    await compareWithLog(address, answers);
    expect(answers.faults).toEqual([
      'offer a was acknowledged as 00ab; the log has nothing',
      'acceptance of 00cd was acknowledged; the log does not have it',
      'the state at offset 3 differs from the one that a server reported',
    ]);
  });
});
