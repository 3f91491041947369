import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@coinlab/http';
import { afterAll, expect, it } from 'vitest';
import { stored } from './stored.ts';

const place = mkdtempSync(join(tmpdir(), 'coinlab-'));
afterAll(() => rmSync(place, { recursive: true }));

/** Damages the stored record of an offset. Returns its file and position. */
function damage(folder: string, offset: number): { readonly file: string; readonly byte: number } {
  const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('log-'));
  const path = join(folder, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const damaged = (lines[offset - 1] ?? '').replace('"recordTime":"20', '"recordTime":"21');
  writeFileSync(path, lines.with(offset - 1, damaged).join('\n'));
  return { file, byte: Buffer.byteLength(lines.slice(0, offset - 1).join('\n')) + 1 };
}

interface Logged {
  readonly facts: object;
  readonly what: string;
}

function recordingLogger() {
  const errors: Logged[] = [];
  const error = (facts: object, what: string): void => void errors.push({ facts, what });
  return { errors, logger: { info: () => undefined, warn: () => undefined, error } };
}

it('a server answers 500 with the position of a damaged record, logs the damage once, and continues to serve', async () => {
  const folder = join(place, 'requests');
  const { errors, logger } = recordingLogger();
  const server = await createServer({ dev: true, clock: 'manual' }, { ...(await stored(folder)), logger });
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  const tap = (): Response | Promise<Response> =>
    server.app.request('/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"1"}' });
  expect((await tap()).status).toBe(200);
  const { offset } = server.host.state;
  expect((await tap()).status).toBe(200);
  const request = (path: string, init: RequestInit = {}) => server.app.request(path, { headers, ...init });
  const list = (): Response | Promise<Response> =>
    request('/v0/wallet/transactions', { method: 'POST', body: '{"page_size":100}' });
  expect((await list()).status).toBe(200);

  const { file, byte } = damage(folder, offset);
  const error = `${file} is damaged at byte ${byte}, offset ${offset}: the hash does not match the record`;
  for (let again = 0; again < 2; again++) {
    const answer = await list();
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 500, body: { error } });
  }
  expect(errors).toEqual([{ facts: { reason: error }, what: 'a record of the log is damaged' }]);
  expect(await (await server.app.request('/api/scan/status')).json()).toEqual({ failed: { error } });

  const events = await request(`/dev/events?from=${offset - 1}`);
  await events.body?.cancel();
  // Other requests still succeed; the status still reports the damage.
  expect((await tap()).status).toBe(200);
  expect((await request('/v0/wallet/balance')).status).toBe(200);
  expect(await (await server.app.request('/api/scan/status')).json()).toEqual({ failed: { error } });
  await server.close();
});

it('a server logs a damaged record that background indexing finds, and continues to serve', async () => {
  const folder = join(place, 'background');
  await (await createServer({ dev: true, clock: 'manual' }, await stored(folder))).close();
  const { errors, logger } = recordingLogger();
  const server = await createServer({ dev: true, clock: 'manual' }, { ...(await stored(folder)), logger });
  const { byte } = damage(folder, 9);
  await expect.poll(() => errors.length, { timeout: 5_000 }).toBe(1);
  expect(JSON.stringify(errors)).toContain(`at byte ${byte}, offset 9: the hash does not match the record`);
  expect((await server.app.request('/livez')).status).toBe(200);
  await server.close();
});
