import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { createServer, DEV_USERS } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { PowerCutDisk } from '../store/power-cut-disk.ts';

/** An answer, and the disk as it would be found had the power been cut at that moment. */
interface Answered {
  readonly status: number;
  readonly trackingId: string;
  readonly disk: PowerCutDisk;
}

describe('a server over a log', () => {
  it('answers only what a power cut at that moment would leave', async () => {
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

/** Offers in waves: those of one wave are asked for at once. */
async function answersOf(sizes: readonly number[], name: string): Promise<readonly Answered[]> {
  // A cut leaves nothing that was not synced; until then the disk writes most of what it is asked to.
  let isCut = false;
  const disk = new PowerCutDisk(name, () => (isCut ? 0 : 0.9));
  const opened = await openFileStore({ folder: 'log', disk });
  if (!opened.ok) throw new Error(opened.error.code);
  const server = await createServer({ dev: true, clock: 'manual' }, { log: opened.value });
  const tokens = await Promise.all(DEV_USERS.map((user) => server.token(user)));
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
    // The server that owns the log goes on: this is a copy of its folder.
    silenceMillis: 5,
    onUpdate: (update) => {
      if (update.kind === 'TransferOffered') ids.push(update.detail.meta[TRACKING_ID_KEY] ?? '');
    },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  await opened.value.close();
  return ids;
}
