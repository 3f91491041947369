import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/**
 * The reference of H2: a server with one route that returns the bytes of a file. Reports its processor time
 * on request.
 */
const body = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Hono();
app.get('/', (c) => c.body(body, 200, { 'Content-Type': 'application/json' }));
app.post('/', async (c) => {
  await c.req.json();
  return c.body(body, 200, { 'Content-Type': 'application/json' });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
  process.stdout.write(`bare route listens on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('message', () => process.send?.(process.cpuUsage()));
