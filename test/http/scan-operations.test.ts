import { expect, it } from 'vitest';
import { scanServer, synchronizer } from './scan-fixture.ts';

/* Where the network's nodes are. Source: specification of the API §4.4. */

it("the lists of scans and sequencers contain this server at the request's address", async () => {
  const scan = await scanServer();
  const scans = await scan.ask('GET', '/v0/scans');
  expect(scans).toEqual({
    status: 200,
    body: { scans: [{ domainId: synchronizer, scans: [{ publicUrl: 'http://localhost/api/scan', svName: 'sv-1' }] }] },
  });
  const [{ scans: listed }] = scans.body.scans;
  const answer = await scan.server.app.request(`${listed[0].publicUrl}/v0/dso-party-id`);
  expect(answer.status).toBe(200);
  const { status, body } = await scan.ask('GET', '/v0/dso-sequencers');
  expect(status).toBe(200);
  expect(body.domainSequencers).toMatchObject([
    { domainId: synchronizer, sequencers: [{ migrationId: 0, url: 'http://localhost', svName: 'sv-1' }] },
  ]);
  expect(body.domainSequencers[0].sequencers[0]).toMatchObject({
    id: expect.stringMatching(/^SEQ::sequencer::1220[0-9a-f]{64}$/),
    availableAfter: '2026-01-01T00:00:00.000000Z',
  });
});

it('the migration schedule returns 404', async () => {
  const { status, body } = await (await scanServer()).ask('GET', '/v0/migrations/schedule');
  expect(status).toBe(404);
  expect(Object.keys(body)).toEqual(['error']);
});
