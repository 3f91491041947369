import { createServer, listen } from '@coinlab/http';
import { afterAll, describe, expect, it } from 'vitest';

const here = await listen(await createServer({ clock: 'manual', dev: true, port: 0 }));

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' },
};

afterAll(() => here.close());

describe('an answer of a listening server', () => {
  it.each<[string, string, RequestInit, number, string | null]>([
    ['of JSON', '/v0/dso-party-id', {}, 200, 'application/json'],
    ['without a body', '/livez', {}, 200, null],
    ['to HEAD', '/v0/dso-party-id', { method: 'HEAD' }, 200, 'application/json'],
    ['of metrics', '/metrics', {}, 200, 'text/plain'],
    ['of a stream', '/dev/events', {}, 200, 'text/event-stream'],
    ['to an unknown path', '/nothing', {}, 404, 'application/json'],
    ['to a body of another type', '/dev/submit', { method: 'POST', body: '{' }, 415, 'application/json'],
    ['to another page', '/v0/dso-party-id', { headers: { origin: 'http://localhost:3000' } }, 200, 'application/json'],
    ['to a preflight', '/v0/dso', PREFLIGHT, 200, null],
  ])('%s has the id of its request and its own headers', async (_, path, init, status, type) => {
    const control = new AbortController();
    const headers = { ...init.headers, 'x-request-id': 'mine' };
    const answer = await fetch(here.url + path, { ...init, headers, signal: control.signal });
    const ofType = type === null ? null : (answer.headers.get('content-type')?.split(';')[0] ?? 'none');
    control.abort();
    expect([answer.status, answer.headers.get('x-request-id'), ofType]).toEqual([status, 'mine', type]);
  });

  it('has an id of its own when the request has none', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await fetch(`${here.url}/livez`)).headers.get('x-request-id')),
    );
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });
});
