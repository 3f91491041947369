import { TEST_PARTIES } from '@coinlab/core';
import { createServer, type CoinlabServer } from '@coinlab/http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';

let server: CoinlabServer;

beforeEach(async () => {
  server = await createServer({ clock: 'manual', dev: true });
});
afterEach(() => server.close());

async function ask(path: string, user = 'ledger-api-user'): Promise<{ status: number; body: any }> {
  return askDeclared(server, `/v0/admin/${path}`, {
    headers: { authorization: `Bearer ${await server.token(user)}` },
  });
}
const SNAPSHOT = 'domain/data-snapshot?timestamp=2026-01-01T00:00:00Z';

describe('the participant dump', () => {
  it('lists the participant id and the hosted parties', async () => {
    const { status, body } = await ask('participant/identities');
    expect(status).toBe(200);
    expect(`PAR::${body.id}`).toBe(server.participantId);
    const hosted = JSON.parse(Buffer.from(body.authorizedStoreSnapshot, 'base64').toString('utf8')) as string[];
    expect(hosted).toContain(server.validator);
    expect(hosted).toHaveLength(1 + TEST_PARTIES.length);
  });

  it('shows the sequencer connection', async () => {
    const { status, body } = await ask('participant/global-domain-connection-config');
    expect(status).toBe(200);
    expect(body.sequencer_connections).toMatchObject({
      connections: [{ sequencer_alias: 'global', transport_security: false }],
      sequencer_trust_threshold: 1,
    });
  });

  it('contains every user with rights and every contract that a hosted party sees', async () => {
    const { status, body } = await ask(`${SNAPSHOT}&migration_id=0&force=true`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ migration_id: 0, data_snapshot: { migration_id: 0, dars: [] } });
    const { participant_users, acs_snapshot, acs_timestamp } = body.data_snapshot;
    expect(participant_users.users.map(({ id }: { id: string }) => id)).toEqual(['ledger-api-user', ...TEST_PARTIES]);
    expect(participant_users.users[0].rights).toContainEqual({ kind: 'participantAdmin' });
    expect(participant_users.users[1].rights).toHaveLength(1);
    expect(acs_timestamp).toBe('2026-01-01T00:00:00.000000Z');
    const lines = gunzipSync(Buffer.from(acs_snapshot, 'base64')).toString('utf8').trim().split('\n');
    const templates = lines.map((line) => (JSON.parse(line) as { template_id: string }).template_id.split(':')[2]);
    expect(templates.filter((template) => template === 'Amulet')).toHaveLength(1 + TEST_PARTIES.length);
    expect(templates).not.toContain('DsoRules');
  });

  it.each([
    'domain/data-snapshot',
    'domain/data-snapshot?timestamp=now',
    'domain/data-snapshot?timestamp=2025-01-01T00:00:00Z',
    `${SNAPSHOT}&migration_id=1`,
    `${SNAPSHOT}&migration_id=x`,
    `${SNAPSHOT}&force=perhaps`,
  ])('is refused with 400 for the request %s', async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  it.each(['participant/identities', 'participant/global-domain-connection-config', SNAPSHOT])(
    'at %s is refused to callers other than the operator',
    async (path) => {
      expect((await ask(path, 'alice')).status).toBe(403);
      expect((await askDeclared(server, `/v0/admin/${path}`)).status).toBe(401);
    },
  );
});
