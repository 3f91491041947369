import { createServer } from '@coinlab/http';
import { describe, expect, it } from 'vitest';
import { askDeclared } from './declared.ts';

describe('a server in process', () => {
  it('is ready immediately, under every prefix', async () => {
    const server = await createServer({ clock: 'manual' });
    for (const prefix of ['', '/api/scan', '/api/validator']) {
      const answer = await server.app.request(`${prefix}/readyz`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({});
    }
    await server.close();
  });

  it('is live until its shutdown ends, but not ready from the start of the shutdown', async () => {
    const server = await createServer({ clock: 'manual' });
    server.end();
    expect((await askDeclared(server, '/readyz')).status).toBe(503);
    expect((await askDeclared(server, '/livez')).status).toBe(200);
    await server.close();
  });

  it('answers an unknown route with an error object', async () => {
    const server = await createServer({ clock: 'manual' });
    const answer = await server.app.request('/v0/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'no such route: GET /v0/nothing' });
    await server.close();
  });

  it('refuses a bad setting and names its field', async () => {
    await expect(createServer({ port: 70_000, clok: 'real' } as never)).rejects.toThrow(/port.*clok/s);
  });
});
