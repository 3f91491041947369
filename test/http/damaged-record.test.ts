import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('answers 500 with the position of a record that was damaged while the server ran, reports it once, and goes on', async () => {
  const opened = await openFileStore({ folder });
  if (!opened.ok) throw new Error(opened.error.code);
  const logged: object[] = [];
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (facts: object, what: string) => void logged.push({ ...facts, what }),
  };
  const server = await createServer({ dev: true, clock: 'manual' }, { log: opened.value, logger });
  const headers = { authorization: `Bearer ${await server.token('alice')}` };
  const tap = (): Response | Promise<Response> =>
    server.app.request('/v0/wallet/tap', { method: 'POST', headers, body: '{"amount":"1"}' });
  expect((await tap()).status).toBe(200);
  const { offset } = server.host.state;
  expect((await tap()).status).toBe(200);
  const damaged = (path: string, init: RequestInit = {}) => server.app.request(path, { headers, ...init });
  const list = (): Response | Promise<Response> =>
    damaged('/v0/wallet/transactions', { method: 'POST', body: '{"page_size":100}' });
  expect((await list()).status).toBe(200);

  const [name = ''] = readdirSync(folder).filter((file) => file.startsWith('log-'));
  const path = join(folder, name);
  const lines = readFileSync(path, 'utf8').split('\n');
  const line = lines[offset - 1] ?? '';
  const byte = Buffer.byteLength(lines.slice(0, offset - 1).join('\n')) + 1;
  writeFileSync(path, lines.with(offset - 1, line.replace('"recordTime":"20', '"recordTime":"21')).join('\n'));

  const error = `${name} is damaged at byte ${byte}, offset ${offset}: the hash does not fit the record`;
  for (let again = 0; again < 2; again++) {
    const answer = await list();
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 500, body: { error } });
  }
  expect(logged).toEqual([{ reason: error, what: 'a record of the log is damaged' }]);
  expect(await (await server.app.request('/api/scan/status')).json()).toEqual({ failed: { error } });

  const events = await damaged(`/dev/events?from=${offset - 1}`);
  await events.body?.cancel();
  // Other requests are answered as before, and the status stays.
  expect((await tap()).status).toBe(200);
  expect((await damaged('/v0/wallet/balance')).status).toBe(200);
  expect(await (await server.app.request('/api/scan/status')).json()).toEqual({ failed: { error } });
  await server.close();
});
