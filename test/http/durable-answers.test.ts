import { TEST_PARTIES } from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { createServer } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runs } from '../chance.ts';
import { PowerCutDisk } from '../store/power-cut-disk.ts';

// A killed store never ends the renewal of its lock: thousands of renewals would slow the later tests of this process.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

/** A response, and a copy of the disk as a power cut at that moment would leave it. */
interface Answered {
  readonly status: number;
  readonly trackingId: string;
  readonly disk: PowerCutDisk;
}

describe('a server with a log', () => {
  it('answers a request only when a power cut would no longer lose its update', async () => {
    const waves = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(waves, fc.uuid(), async (sizes, name) => {
        for (const { status, trackingId, disk } of await answersOf(sizes, name)) {
          expect(status).toBe(200);
          expect((await trackingIdsOn(disk)).filter((id) => id === trackingId)).toEqual([trackingId]);
        }
      }),
      { numRuns: runs(5) },
    );
  });
});

/** Sends offers in waves; the offers of a wave are concurrent. */
async function answersOf(sizes: readonly number[], name: string): Promise<readonly Answered[]> {
  // A cut loses everything that was not synced; before it, the disk writes 90 % of the unsynced data.
  let isCut = false;
  const disk = new PowerCutDisk(name, () => (isCut ? 0 : 0.9));
  const opened = await openFileStore({ folder: 'log', disk });
  if (!opened.ok) throw new Error(opened.error.code);
  const server = await createServer({ dev: true, clock: 'manual' }, { log: opened.value });
  const tokens = await Promise.all(TEST_PARTIES.map((user) => server.token(user)));
  const own = await server.app.request('/v0/wallet/user-status', { headers: { authorization: `Bearer ${tokens[9]}` } });
  const { party_id: receiver } = (await own.json()) as { party_id: string };
  const answers: Answered[] = [];
  for (const [wave, size] of sizes.entries()) {
    const offers = Array.from({ length: size }, async (_, user) => {
      const trackingId = `${wave}-${user}`;
      const { status } = await server.app.request('/v0/wallet/transfer-offers', {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens[user]}` },
        body: JSON.stringify({
          receiver_party_id: receiver,
          amount: '1',
          description: '',
          expires_at: Number(server.host.now()) + 3_600_000_000,
          tracking_id: trackingId,
        }),
      });
      isCut = true;
      answers.push({ status, trackingId, disk: disk.afterPowerCut(`${name}-${trackingId}`) });
      isCut = false;
    });
    await Promise.all(offers);
  }
  await server.close();
  return answers;
}

async function trackingIdsOn(disk: PowerCutDisk): Promise<readonly string[]> {
  const ids: string[] = [];
  const opened = await openFileStore({
    folder: 'log',
    disk,
    // The folder is a copy: the server that owns the log keeps running.
    silenceMillis: 5,
    onUpdate: (update) => {
      if (update.kind === 'TransferOffered') ids.push(update.detail.meta[TRACKING_ID_KEY] ?? '');
    },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  await opened.value.close();
  return ids;
}
